import { isAbsolute } from 'node:path';
import { isInside } from '../lib/paths.ts';
import { lazyWords } from '../types/lazy.ts';
import { addressWithPassword, keyShapes, secretName } from './secret-shapes.ts';

/** What every command needs, and where tools keep their own files. */
const core = lazyWords(`
  HOME PATH LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR SHELL USER LOGNAME TMPDIR TEMP TMP TZ HOSTNAME CI COLUMNS LINES
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
  CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME
  ANDROID_HOME ANDROID_SDK_ROOT NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR PYENV_ROOT RBENV_ROOT GEM_HOME GEM_PATH
  BUNDLE_PATH POETRY_HOME PIPX_HOME UV_CACHE_DIR VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV DENO_DIR BUN_INSTALL PNPM_HOME npm_config_cache
  npm_config_prefix PKG_CONFIG_PATH DOTNET_ROOT FLUTTER_ROOT HOMEBREW_PREFIX SDKMAN_DIR
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  SYSTEMROOT SystemRoot COMSPEC ComSpec PATHEXT WINDIR APPDATA LOCALAPPDATA USERPROFILE ProgramData ProgramFiles
`);

/** Keys of model providers are for us alone, whatever the user adds. */
const providerKey =
  /^(?:OPENAI|GEMINI|GOOGLE|OPENROUTER|ANTHROPIC|AZURE|MISTRAL|GROQ|DEEPSEEK|XAI|TOGETHER|FIREWORKS|PERPLEXITY|COHERE|HF|HUGGINGFACE|OLLAMA|TILLDONE)_/u;
/** Names that make a shell, a loader or an interpreter run something: never handed on. */
const startsCode =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|IFS|CDPATH|GLOBIGNORE|BASH_FUNC_.*|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|GIT_.*(?:COMMAND|PROXY|ASKPASS|EDITOR|PAGER|DIFF)|GIT_CONFIG.*|GIT_EXEC_PATH|SSH_ASKPASS|LESSOPEN|LESSCLOSE|JAVA_TOOL_OPTIONS)$/u;

export type ChildEnvOptions = {
  /** Names the user lets through beside the core set. */
  readonly extraNames: readonly string[];
  /** Names of the variables that hold provider keys in this session. */
  readonly keyNames: readonly string[];
  /** Values that must not be handed on under any name. */
  readonly secrets: readonly string[];
  /** Real path; programs in it are not found by bare name. */
  readonly workspace: string;
};

/** The environment of commands that the agent runs: a core set and the user's additions, less whatever looks like a secret or would start code. */
export function childEnv(env: Readonly<Record<string, string | undefined>>, options: ChildEnvOptions): Record<string, string> {
  const extra = new Set(options.extraNames);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.includes('\0')) continue;
    const isCore = core.has(name) || /^LC_[A-Z]+$/u.test(name);
    if (!isCore && !extra.has(name)) continue;
    if (providerKey.test(name) || options.keyNames.includes(name) || startsCode.test(name)) continue;
    if (!isCore && secretName.test(name)) continue;
    if (isSecretValue(value, isCore) || options.secrets.some((secret) => secret.length >= 6 && value.includes(secret))) continue;
    kept[name] = name === 'PATH' && !isInside(env.HOME ?? '', options.workspace) ? searchPath(value, options.workspace) : value;
  }
  return kept;
}

function isSecretValue(value: string, isCore: boolean): boolean {
  if ([addressWithPassword, ...keyShapes].some((shape) => new RegExp(shape.source, shape.flags.replace('g', '')).test(value))) return true;
  // long, without structure, letters and digits mixed: a key of a kind that we do not know
  return !isCore && /^[A-Za-z0-9+/_=.-]{32,}$/u.test(value) && !value.startsWith('/') && /[0-9]/u.test(value) && /[A-Za-z]/u.test(value);
}

/** Absolute folders outside the workspace only: a bare name must not lead to a program that a project brings. */
function searchPath(value: string, workspace: string): string {
  return value
    .split(':')
    .filter((folder) => isAbsolute(folder) && !isInside(folder, workspace))
    .join(':');
}
