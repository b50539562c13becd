import { nearest } from '../lib/nearest.ts';
import { type Compat, type ProviderConfig, type ProviderProfile, type ProxyConfig, readProfile } from './config.ts';

type Preset = {
  readonly kind: 'openai' | 'gemini';
  readonly baseUrl: string;
  /** Names of the key, the first one is named in messages. Without one no key is needed. */
  readonly keyNames: readonly string[];
  readonly defaultModel?: string;
  readonly compat: Compat;
};

const localCompat: Compat = { joinSameRole: true, textToolCalls: true, maxTokensField: 'max_tokens' };
const hosted: Compat = { maxTokensField: 'max_tokens' };

/** Endpoints known by name; every value can be overridden by a profile. */
export const presets: Readonly<Record<string, Preset>> = {
  openai: {
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyNames: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-5-mini',
    compat: { maxTokensField: 'max_completion_tokens' },
  },
  gemini: {
    kind: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-2.5-flash',
    compat: {},
  },
  openrouter: { kind: 'openai', baseUrl: 'https://openrouter.ai/api/v1', keyNames: ['OPENROUTER_API_KEY'], compat: hosted },
  deepseek: {
    kind: 'openai',
    baseUrl: 'https://api.deepseek.com',
    keyNames: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-chat',
    compat: { ...hosted, returnReasoning: 'reasoning_content' },
  },
  groq: { kind: 'openai', baseUrl: 'https://api.groq.com/openai/v1', keyNames: ['GROQ_API_KEY'], compat: hosted },
  mistral: {
    kind: 'openai',
    baseUrl: 'https://api.mistral.ai/v1',
    keyNames: ['MISTRAL_API_KEY'],
    defaultModel: 'mistral-medium-latest',
    compat: { ...hosted, joinSameRole: true, bridgeToolsToUser: true, shortCallIds: true, streamOptions: false },
  },
  ollama: { kind: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', keyNames: [], compat: localCompat },
  lmstudio: { kind: 'openai', baseUrl: 'http://127.0.0.1:1234/v1', keyNames: [], compat: localCompat },
  llamacpp: { kind: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', keyNames: [], compat: localCompat },
  vllm: { kind: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', keyNames: ['VLLM_API_KEY'], compat: localCompat },
};

export const providerNames = [...Object.keys(presets), 'builtin'] as const;
const local = new Set(['ollama', 'lmstudio', 'llamacpp', 'vllm']);
const defaultTimeoutsMs = { connect: 15_000, firstByte: 120_000, idle: 120_000 };

type Env = Readonly<Record<string, string | undefined>>;
export type ProviderChoice = {
  readonly provider?: string | null | undefined;
  /** `model` or `provider/model`. */
  readonly model?: string | null | undefined;
  readonly baseUrl?: string | null | undefined;
  /** `profiles.<name>` as it stands in the settings. */
  readonly profile?: unknown;
};
/** `setting` names what to change. */
export type ProviderProblem = { readonly error: string; readonly setting: string };

/**
 * Decides provider, model, address and key from what was asked for, the environment and the stored keys (by name of their variable). With
 * nothing set it is the built-in offline model.
 */
export function resolveProvider(
  choice: ProviderChoice,
  env: Env,
  storedKeys: Readonly<Record<string, string>> = {},
): ProviderConfig | ProviderProblem {
  const said = readProfile(choice.profile);
  if ('error' in said) return { error: `The profile cannot be used: ${said.error}`, setting: 'profiles' };
  const keyOf = (names: readonly string[]): { key: string; name: string } | undefined => {
    for (const name of names) {
      const key = env[name]?.trim() || storedKeys[name]?.trim();
      if (key !== undefined && key !== '') return { key, name };
    }
    return undefined;
  };
  const picked = pickProvider(choice, { env, profile: said, hasKey: (name) => keyOf(presets[name]?.keyNames ?? []) !== undefined });
  if ('error' in picked) return picked;
  // A profile's address, key and dialect are those of its own provider.
  const isOwn = said.provider === undefined || said.provider === picked.id;
  const profile: ProviderProfile = isOwn ? said : {};
  if (picked.id === 'builtin') return { kind: 'builtin', id: 'builtin', model: picked.model ?? 'checklist', offline: true };

  const preset: Preset = presets[picked.id] ?? { kind: 'openai', baseUrl: '', keyNames: ['OPENAI_API_KEY'], compat: localCompat };
  const address = readAddress(baseUrlOf(picked.id, { choice, env, profile }) ?? preset.baseUrl);
  if (address === undefined) return { error: `The base URL is no http or https address. Accepted: https://host/v1`, setting: '--base-url' };
  const model = picked.model ?? (picked.id === 'openai' ? env.OPENAI_MODEL?.trim() || undefined : undefined) ?? preset.defaultModel;
  if (model === undefined) return { error: `Provider '${picked.id}' needs a model: --model NAME.`, setting: '--model' };
  const keyNames = profile.keyEnv === undefined ? preset.keyNames : [profile.keyEnv];
  const found = keyOf(keyNames);
  const keyName = found?.name ?? keyNames[0];
  if (
    found === undefined &&
    keyName !== undefined &&
    !local.has(picked.id) &&
    picked.id !== 'custom' &&
    address.authorization === undefined
  ) {
    return { error: `Provider '${picked.id}' needs a key: set ${keyNames.join(' or ')}.`, setting: keyName };
  }
  const { connect, firstByte, idle } = profile.timeouts ?? {};
  const endpoint = {
    id: picked.id,
    model,
    offline: false as const,
    baseUrl: address.url,
    apiKey: found?.key,
    keyName,
    headers: { ...(address.authorization === undefined ? {} : { authorization: address.authorization }), ...profile.headers },
    extraBody: profile.extraBody ?? {},
    contextWindow: profile.contextWindow,
    price: profile.price,
    // No proxy can reach a server on this very machine.
    proxy: local.has(picked.id) && isLoopback(address.url) ? undefined : readProxy(env),
    timeoutsMs: {
      connect: connect === undefined ? defaultTimeoutsMs.connect : connect * 1000,
      firstByte: firstByte === undefined ? defaultTimeoutsMs.firstByte : firstByte * 1000,
      idle: idle === undefined ? defaultTimeoutsMs.idle : idle * 1000,
    },
  };
  if (preset.kind === 'gemini') return { kind: 'gemini', ...endpoint };
  return { kind: 'openai', ...endpoint, compat: { ...preset.compat, ...profile.compat } };
}

/**
 * Another model in a running program (`/model`): `name` alone stays where we are, `provider/name` goes to that provider at its own address. What
 * was said about the first one, by flags or a profile, does not follow it there.
 */
export function resolveModelSwitch(
  name: string,
  from: {
    readonly current: ProviderConfig;
    readonly choice: ProviderChoice;
    readonly env: Env;
    readonly storedKeys?: Readonly<Record<string, string>>;
  },
): ProviderConfig | ProviderProblem {
  const { current, choice, env, storedKeys } = from;
  const prefix = name.slice(0, Math.max(0, name.indexOf('/')));
  if (name.startsWith('checklist') || (isProvider(prefix) && prefix !== current.id))
    return resolveProvider({ model: name }, env, storedKeys);
  if (current.kind === 'builtin') return resolveProvider({ ...choice, provider: undefined, model: name }, env, storedKeys);
  const model = prefix === current.id ? name.slice(prefix.length + 1) : name;
  // Window and price were said of the other model.
  return current.kind === 'scripted' ? { ...current, model } : { ...current, model, contextWindow: undefined, price: undefined };
}

function pickProvider(
  choice: ProviderChoice,
  { env, profile, hasKey }: { env: Env; profile: ProviderProfile; hasKey: (provider: string) => boolean },
): { id: string; model: string | undefined } | ProviderProblem {
  const wanted = choice.provider ?? profile.provider;
  const model = choice.model ?? profile.model;
  if (wanted !== undefined && wanted !== 'custom' && !isProvider(wanted)) {
    const guess = nearest(wanted, providerNames);
    const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`;
    return { error: `Unknown provider '${wanted}'.${hint} Accepted: ${providerNames.join(', ')}.`, setting: '--provider' };
  }
  const slash = model?.indexOf('/') ?? -1;
  const prefix = model !== undefined && slash > 0 ? model.slice(0, slash) : undefined;
  const rest = model?.slice(slash + 1);
  if (wanted !== undefined) return { id: wanted, model: prefix === wanted ? rest : model };
  const explicitUrl = choice.baseUrl ?? profile.baseUrl;
  if (prefix !== undefined && isProvider(prefix)) return { id: prefix, model: rest };
  if (model?.startsWith('checklist')) return { id: 'builtin', model };
  if (explicitUrl !== undefined && explicitUrl !== env.OPENAI_BASE_URL) return { id: 'custom', model };
  if (model?.startsWith('gemini') && (hasKey('gemini') || !hasKey('openai'))) return { id: 'gemini', model };
  if (env.OPENAI_BASE_URL?.trim())
    return { id: hasKey('openai') ? 'openai' : 'custom', model: model ?? (env.OPENAI_MODEL?.trim() || undefined) };
  const keyed = Object.keys(presets).find((name) => hasKey(name));
  if (keyed !== undefined) return { id: keyed, model };
  if (env.OLLAMA_HOST?.trim()) return { id: 'ollama', model };
  if (model === undefined) return { id: 'builtin', model: undefined };
  return {
    error: `No provider is set for the model '${model}'. Set OPENAI_API_KEY or GEMINI_API_KEY, name a local server (--provider ollama), or give --base-url.`,
    setting: '--provider',
  };
}

/** Whether `name` is a preset or the built-in model. */
function isProvider(name: string): boolean {
  return name === 'builtin' || Object.hasOwn(presets, name);
}

/** OPENAI_BASE_URL is about the openai provider only, also when it comes in through the `base-url` setting. */
function baseUrlOf(id: string, from: { choice: ProviderChoice; env: Env; profile: ProviderProfile }): string | undefined {
  const fromEnv = from.env.OPENAI_BASE_URL?.trim() || undefined;
  const chosen = from.choice.baseUrl ?? undefined;
  const takesEnv = id === 'openai' || id === 'custom';
  if (chosen !== undefined && (takesEnv || chosen !== fromEnv)) return chosen;
  if (from.profile.baseUrl !== undefined) return from.profile.baseUrl;
  if (takesEnv && fromEnv !== undefined) return fromEnv;
  const host = id === 'ollama' ? from.env.OLLAMA_HOST?.trim() : undefined;
  return host ? ollamaUrl(host) : undefined;
}

/** OLLAMA_HOST as ollama itself reads it: with or without scheme and port; 0.0.0.0 is where it listens, not where it is found. */
function ollamaUrl(host: string): string {
  const withScheme = /^https?:\/\//iu.test(host) ? host : `http://${host}`;
  const bare = withScheme.replace(/\/+$/u, '').replace('//0.0.0.0', '//127.0.0.1');
  const withPort = /:\d+$/u.test(bare) || /^https?:\/\/[^/]+\//iu.test(bare) || /^https:/iu.test(bare) ? bare : `${bare}:11434`;
  return withPort.endsWith('/v1') ? withPort : `${withPort}/v1`;
}

/** Credentials in the address become a header, so that no message ever shows them. */
function readAddress(text: string): { url: string; authorization: string | undefined } | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === '' && password === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
  return { url: url.toString().replace(/\/+$/u, ''), authorization };
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);
}

function readProxy(env: Env): ProxyConfig | undefined {
  const read = (name: string): string | undefined => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
  const httpProxy = read('HTTP_PROXY') ?? read('ALL_PROXY');
  const httpsProxy = read('HTTPS_PROXY') ?? read('ALL_PROXY');
  const noProxy = read('NO_PROXY');
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  return {
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    ...(noProxy === undefined ? {} : { noProxy }),
  };
}
