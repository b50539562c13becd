import { homedir } from 'node:os';
import { join } from 'node:path';
import { appFolders, type Folders } from './config/folders.ts';
import { loadInstructions } from './config/instructions.ts';
import { openKeyFile } from './config/keys.ts';
import { loadSources, readTextOption } from './config/load.ts';
import type { Options } from './config/options.ts';
import { type Config, resolveConfig } from './config/resolve.ts';
import type { Session } from './continuation/session.ts';
import { openSessionRules, type SessionRules } from './core/session-rules.ts';
import { systemClock } from './lib/clock.ts';
import { pathExists, resolveRealPath } from './lib/paths.ts';
import { createStateFile, type StateFile } from './lib/state-file.ts';
import type { SessionParts, SessionRequest } from './open-session.ts';
import {
  findTraces,
  isTrusted,
  noTrust,
  parseTrustState,
  rememberTrust,
  type TrustState,
  trustQuestion,
  untrustedNotice,
} from './permissions/trust.ts';
import { noWorkspaceRules, parseWorkspaceRules } from './permissions/workspace-rules.ts';
import type { ProviderConfig } from './providers/config.ts';
import { resolveProvider } from './providers/presets.ts';
import type { SessionSummary } from './session/index.ts';
import { UsageError } from './types/errors.ts';

/** Everything around the sessions of one call of the program. */
export type Composition = {
  readonly config: Config;
  readonly cwd: string;
  readonly provider: ProviderConfig;
  /** What to tell the user at the start, one line each. */
  readonly banner: readonly string[];
  openSession(request: SessionRequest): Promise<Session>;
  listSessions(): Promise<readonly SessionSummary[]>;
};

/** Where the program works, before anything of it is read, and whether the user trusts it. */
export type Place = {
  readonly cwd: string;
  readonly folders: Folders;
  readonly trusted: boolean;
  /** What the folder would bring, by name, and what each answer means. */
  question(): Promise<ReturnType<typeof trustQuestion>>;
  /** Remembers the folder; resolves with a sentence when that failed. */
  remember(): Promise<string | undefined>;
};

/** Looks at names only: no project file is read, nothing is started. Throws UsageError for a folder that is not there. */
export async function openPlace(options: Pick<Options, 'cd' | 'trust'>): Promise<Place> {
  const { env, platform } = process;
  const folders = appFolders({ env, home: homedir(), platform });
  const file = openTrustFile(folders);
  const cwd = await openFolder(options.cd ?? '.', '--cd');
  const { value: trust } = file.read();
  return {
    cwd,
    folders,
    trusted: options.trust || isTrusted(trust, cwd),
    question: async () => trustQuestion(cwd, await findTraces(cwd, pathExists)),
    remember: () => file.update((state) => rememberTrust(state, cwd, systemClock.now())),
  };
}

export function openTrustFile(folders: Folders): StateFile<TrustState> {
  return createStateFile({ path: join(folders.state, 'trust.json'), parse: parseTrustState, empty: noTrust, clock: systemClock });
}

export type ComposeRequest = {
  readonly options: Options;
  readonly interactive: boolean;
  readonly place?: Place;
};

/** Reads the settings, finds the model, and says how sessions are opened. Throws UsageError for what the user must change. */
export async function compose({ options, interactive, place: given }: ComposeRequest): Promise<Composition> {
  const { env } = process;
  const clock = systemClock;
  const place = given ?? (await openPlace(options));
  const { cwd, folders, trusted } = place;
  const extraDirs = await Promise.all(options.addDirs.map((folder) => openFolder(folder, '--add-dir')));
  const sources = loadSources({ folders, cwd, env, trusted });
  const storedKeys = openKeyFile(folders, clock).read();
  const instructions = trusted || !interactive ? loadInstructions(cwd) : { text: '', files: [], notices: [] };
  const config = resolveConfig(sources, options);
  const rulesFile = createStateFile({
    path: join(folders.state, 'rules.json'),
    parse: parseWorkspaceRules,
    empty: noWorkspaceRules,
    clock,
  });
  const flagRules = (kind: 'allow' | 'deny', where: string, texts: readonly string[]) =>
    texts.map((text) => ({ text, kind, source: 'flag' as const, where }));
  const written = [
    ...config.rules,
    ...flagRules('allow', '--allowed-tools', options.allowedTools),
    ...flagRules('deny', '--disallowed-tools', options.disallowedTools),
  ];
  // Rules of a wrong command line are an error now, not when the first session opens.
  const openRules = () => openSessionRules({ written, file: rulesFile, workspace: cwd, strict: config.strict });
  let rulesRead: SessionRules | undefined = openRules();
  const { warnings: ruleWarnings } = rulesRead;
  const readOption = (value: string | undefined) => (value === undefined ? undefined : readTextOption(value, cwd));
  const [override, append] = await Promise.all([readOption(options.systemPrompt), readOption(options.appendSystemPrompt)]);

  const profile = config.profile === undefined ? undefined : { ...config.profile.connection, provider: config.profile.provider };
  const choose: SessionParts['choose'] = (choice) => ({
    ...choice,
    baseUrl: config.settings['base-url'],
    profile,
  });
  const first = resolveProvider(choose(config.settings), env, storedKeys.value);
  if ('error' in first) throw new UsageError(first.error, /_KEY$/u.test(first.setting) ? 41 : 52);
  const secrets = [...Object.values(storedKeys.value), ...('apiKey' in first && first.apiKey !== undefined ? [first.apiKey] : [])];
  const parts: SessionParts = {
    options,
    interactive,
    place,
    extraDirs,
    config,
    first,
    choose,
    storedKeys: storedKeys.value,
    secrets,
    openRules() {
      // what was read a moment ago serves the first session
      const rules = rulesRead ?? openRules();
      rulesRead = undefined;
      return rules;
    },
    prompt: { override, append, instructions: instructions.text === '' ? undefined : instructions.text },
  };

  const ignored = interactive ? undefined : untrustedNotice(cwd, sources.untrusted);
  const problems = storedKeys.problem === undefined ? [] : [storedKeys.problem];
  const banner = [...config.warnings, ...ruleWarnings, ...problems, ...instructions.notices, ...(ignored === undefined ? [] : [ignored])];
  return {
    config,
    cwd,
    provider: first,
    banner,
    // most of the program is behind a session: the screen is there before it
    openSession: async (request) => (await import('./open-session.ts')).openSession(parts, request),
    listSessions: async () => (await import('./session/index.ts')).listSessions(folders.state, cwd),
  };
}

async function openFolder(wanted: string, flag: string): Promise<string> {
  const real = await resolveRealPath(wanted, process.cwd());
  if ('error' in real) throw new UsageError(`${flag}: ${real.error}`);
  if (real.missing.length > 0) throw new UsageError(`${flag}: there is no folder '${wanted}'.`);
  return real.path;
}
