import { homedir } from 'node:os';
import { join } from 'node:path';
import { appFolders, type Folders } from './config/folders.ts';
import { loadInstructions } from './config/instructions.ts';
import { openKeyFile } from './config/keys.ts';
import { loadSources, readTextOption } from './config/load.ts';
import type { Options } from './config/options.ts';
import { type Config, resolveConfig } from './config/resolve.ts';
import { createSession, type OpenModel } from './continuation/front.ts';
import type { Session } from './continuation/session.ts';
import { createSandboxedProcesses } from './core/sandboxed-processes.ts';
import { openSessionRules } from './core/session-rules.ts';
import { foldEvents } from './core/session-state.ts';
import { systemClock } from './lib/clock.ts';
import { pathExists, resolveRealPath } from './lib/paths.ts';
import { isProcessRunning, runProgram } from './lib/process.ts';
import { createStateFile, type StateFile } from './lib/state-file.ts';
import { createThrowawayFolder } from './lib/throwaway-folder.ts';
import { version } from './lib/version.ts';
import { childEnv } from './permissions/child-env.ts';
import { describeExplanation, explainCommand } from './permissions/explain.ts';
import { createGate } from './permissions/gate.ts';
import { createRedactor } from './permissions/redact.ts';
import { planSandbox } from './permissions/sandbox.ts';
import {
  findTraces,
  isTrusted,
  noTrust,
  rememberTrust,
  type TrustState,
  trustQuestion,
  trustStateSchema,
  untrustedNotice,
} from './permissions/trust.ts';
import { noWorkspaceRules, workspaceRulesSchema } from './permissions/workspace-rules.ts';
import type { ProviderConfig } from './providers/config.ts';
import { openProvider } from './providers/index.ts';
import { contextWindowOf, costOf } from './providers/models.ts';
import { resolveModelSwitch, resolveProvider } from './providers/presets.ts';
import type { Provider } from './providers/provider.ts';
import { findSession, listSessions, readSession, type SessionSummary } from './session/index.ts';
import { noJournal, type OpenedJournal, openJournal } from './session/journal.ts';
import { type ExportOptions, exportSession } from './subcommands/export.ts';
import { tools } from './tools/index.ts';
import { createProcesses, type Processes } from './tools/processes.ts';
import { UsageError } from './types/errors.ts';
import { nowhere } from './types/events.ts';

/** Which conversation to open. `id` may be a prefix or `latest`. */
export type SessionRequest = { readonly kind: 'new' } | { readonly kind: 'resume' | 'fork'; readonly id: string };

/** The log of a session, or with `--no-session` what is in memory in its place. */
type OpenedLog = OpenedJournal & { readonly exported: () => ExportOptions['session'] };

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
  const cwd = await openFolder(options.cd ?? '.', '--cd');
  const folders = appFolders({ env, home: homedir(), platform });
  const file = openTrustFile(folders);
  return {
    cwd,
    folders,
    trusted: options.trust || isTrusted((await file.read()).value, cwd),
    question: async () => trustQuestion(cwd, await findTraces(cwd, pathExists)),
    remember: () => file.update((state) => rememberTrust(state, cwd, systemClock.now())),
  };
}

export function openTrustFile(folders: Folders): StateFile<TrustState> {
  return createStateFile({ path: join(folders.state, 'trust.json'), schema: trustStateSchema, empty: noTrust, clock: systemClock });
}

export type ComposeRequest = {
  readonly options: Options;
  readonly interactive: boolean;
  readonly place?: Place;
};

/** Reads the settings, finds the model, and says how sessions are opened. Throws UsageError for what the user must change. */
export async function compose({ options, interactive, place: given }: ComposeRequest): Promise<Composition> {
  const { env, platform } = process;
  const clock = systemClock;
  const place = given ?? (await openPlace(options));
  const { cwd, folders, trusted } = place;
  const extraDirs = await Promise.all(options.addDirs.map((folder) => openFolder(folder, '--add-dir')));
  const sources = await loadSources({ folders, cwd, env, trusted });
  const config = resolveConfig(sources, options);
  const storedKeys = await openKeyFile(folders, clock).read();
  const rulesFile = createStateFile({
    path: join(folders.state, 'rules.json'),
    schema: workspaceRulesSchema,
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
  const { warnings: ruleWarnings } = await openRules();
  const [override, append, instructions] = await Promise.all([
    options.systemPrompt === undefined ? undefined : readTextOption(options.systemPrompt, cwd),
    options.appendSystemPrompt === undefined ? undefined : readTextOption(options.appendSystemPrompt, cwd),
    trusted || !interactive ? loadInstructions(cwd) : { text: '', files: [], notices: [] },
  ]);

  const profile = config.profile === undefined ? undefined : { ...config.profile.connection, provider: config.profile.provider };
  const choose = (choice: { readonly provider: string | null; readonly model: string | null }) => ({
    ...choice,
    baseUrl: config.settings['base-url'],
    profile,
  });
  const resolve = (choice: { readonly provider: string | null; readonly model: string | null }) =>
    resolveProvider(choose(choice), env, storedKeys.value);
  const first = resolve(config.settings);
  if ('error' in first) throw new UsageError(first.error, /_KEY$/u.test(first.setting) ? 41 : 52);
  const activate = (provider: ProviderConfig): OpenModel => ({
    offline: provider.offline,
    active: {
      provider: openLazily(provider),
      model: provider.model,
      contextWindow: contextWindowOf(provider),
      maxOutputTokens: config.agent.maxTokens,
      reasoningEffort: config.agent.reasoningEffort,
      costOf: (usage) => costOf(provider, usage),
    },
  });
  const secrets = [...Object.values(storedKeys.value), ...('apiKey' in first && first.apiKey !== undefined ? [first.apiKey] : [])];
  const keyNames = 'keyName' in first && first.keyName !== undefined ? [first.keyName] : [];
  const commandEnv = childEnv(env, { extraNames: config.childEnv, keyNames, secrets, workspace: cwd });
  const redact = createRedactor(secrets);

  const openLog = async (request: SessionRequest): Promise<OpenedLog> => {
    if (!options.saveSession) {
      const journal = noJournal(clock);
      const sessionId = clock.newId();
      const past =
        request.kind === 'new'
          ? { events: [], times: [], report: [], pendingCalls: [] }
          : await readSession(folders.state, cwd, (await findSession(folders.state, cwd, request.id)).id);
      const exported = () => ({
        sessionId,
        events: [...past.events, ...journal.held().events],
        times: [...past.times, ...journal.held().times],
      });
      return { ...past, journal, sessionId, exported };
    }
    const sessionId = request.kind === 'new' ? clock.newId() : (await findSession(folders.state, cwd, request.id)).id;
    const processes = { pid: process.pid, isRunning: isProcessRunning };
    const opened = await openJournal({ directory: folders.state, sessionId, workspace: cwd, clock, mode: request.kind, processes });
    return { ...opened, exported: () => ({ directory: folders.state, wanted: opened.sessionId }) };
  };

  const openSession = async (request: SessionRequest): Promise<Session> => {
    const log = await openLog(request);
    const state = foldEvents(log.events);
    const isNew = log.events.length === 0;
    const chooses = config.settings.model !== null || config.settings.provider !== null;
    const resumed = chooses || state.model === undefined ? first : resolve(state.model);
    let current = 'error' in resumed ? first : resumed;
    const model = activate(current);
    const sessionRules = await openRules();
    const temp = await createThrowawayFolder('tilldone');
    const seenFiles = new Map<string, string>();
    return createSession({
      id: log.sessionId,
      cwd,
      extraDirs,
      platform,
      interactive,
      clock,
      config,
      state,
      replayed: log.events,
      report: log.report,
      trusted,
      isResumed: !isNew,
      journal: log.journal,
      sessionStart: {
        type: 'session-start',
        ...nowhere,
        sessionId: log.sessionId,
        cwd,
        provider: model.active.provider.id,
        model: model.active.model,
        version,
        ...(options.name === undefined ? {} : { name: options.name }),
      },
      model,
      openModel(name) {
        const switched = resolveModelSwitch(name, { current, choice: choose(config.settings), env, storedKeys: storedKeys.value });
        if ('error' in switched) return switched;
        current = switched;
        return activate(switched);
      },
      tools,
      makeGate: ({ mode, ask, sandboxed }) =>
        createGate({
          mode,
          rules: sessionRules.rules,
          addRule: (text, scope) => void sessionRules.add(text, scope),
          workspace: cwd,
          // Long output is spilled there, and the model is told to read it there.
          extraDirs: [...extraDirs, temp.path],
          sandboxed,
          ask,
          clock,
        }),
      makeProcesses: ({ onChange, onState, settings }) =>
        createSandboxedProcesses({
          wanted: () => ({ sandbox: settings().sandbox, network: settings()['sandbox-network'] }),
          plan: (network) =>
            planSandbox(
              { workspace: cwd, extraDirs, network, tempDir: temp.path, home: homedir(), ownFolders: [folders.config, folders.state] },
              pathExists,
            ),
          async probe(file, args) {
            const { code, stdout, stderr } = await runProgram({ file, args, cwd, env: commandEnv }, { maxBytes: 10_000 });
            return { code, output: `${stdout.toString('utf8')}${stderr}` };
          },
          make: (wrapCommand) => killedAtExit(createProcesses({ env: commandEnv, clock, wrapCommand, onChange, spillDir: temp.path })),
          onState,
        }),
      onClose: temp.remove,
      files: { seen: (path) => seenFiles.get(path), remember: (path, hash) => void seenFiles.set(path, hash) },
      prompt: { override, append, instructions: instructions.text === '' ? undefined : instructions.text },
      explainCommand: (command, { mode, sandboxed }) =>
        describeExplanation(
          explainCommand(command, cwd, { mode, rules: sessionRules.rules(), workspace: cwd, extraDirs, home: homedir(), sandboxed }),
        ),
      ruleTexts: () => {
        const rules = sessionRules.rules();
        return (['deny', 'ask', 'allow'] as const).flatMap((kind) => rules[kind].map((rule) => `${kind}: ${rule.text} (${rule.source})`));
      },
      exportSession: (format, path) => exportSession({ session: log.exported(), workspace: cwd, format, redact, path }),
      debug: (text) => {
        if (options.debug) process.stderr.write(`debug: ${redact(text)}\n`);
      },
    });
  };

  const ignored = interactive ? undefined : untrustedNotice(cwd, sources.untrusted);
  const problems = storedKeys.problem === undefined ? [] : [storedKeys.problem];
  const banner = [...config.warnings, ...ruleWarnings, ...problems, ...instructions.notices, ...(ignored === undefined ? [] : [ignored])];
  return { config, cwd, provider: first, banner, openSession, listSessions: () => listSessions(folders.state, cwd) };
}

async function openFolder(wanted: string, flag: string): Promise<string> {
  const real = await resolveRealPath(wanted, process.cwd());
  if ('error' in real) throw new UsageError(`${flag}: ${real.error}`);
  if (real.missing.length > 0) throw new UsageError(`${flag}: there is no folder '${wanted}'.`);
  return real.path;
}

/** A provider whose library is loaded with the first request, so that nothing waits for it before. */
function openLazily(config: ProviderConfig): Provider {
  let opened: Promise<Provider> | undefined;
  const open = (): Promise<Provider> => {
    opened ??= openProvider(config, { clock: systemClock });
    return opened;
  };
  return {
    id: config.id,
    async *stream(request, signal) {
      yield* (await open()).stream(request, signal);
    },
    async listModels(signal) {
      const provider = await open();
      if (provider.listModels === undefined) throw new Error(`Provider '${config.id}' lists no models.`);
      return provider.listModels(signal);
    },
  };
}

/** Whatever ends the program, a crash too, ends its commands. */
function killedAtExit(processes: Processes): Processes {
  const { killNow } = processes;
  process.on('exit', killNow);
  return {
    ...processes,
    async killAll() {
      await processes.killAll();
      process.off('exit', killNow);
    },
  };
}
