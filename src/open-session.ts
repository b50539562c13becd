import { homedir } from 'node:os';
import type { Folders } from './config/folders.ts';
import type { Options } from './config/options.ts';
import type { Config } from './config/resolve.ts';
import { createSession, type FrontDeps, type OpenModel } from './continuation/front.ts';
import type { Session } from './continuation/session.ts';
import { createSandboxedProcesses } from './core/sandboxed-processes.ts';
import type { SessionRules } from './core/session-rules.ts';
import { foldEvents } from './core/session-state.ts';
import { systemClock } from './lib/clock.ts';
import { pathExists } from './lib/paths.ts';
import { isProcessRunning, runProgram } from './lib/process.ts';
import { throwawayFolderOnDemand } from './lib/throwaway-folder.ts';
import { version } from './lib/version.ts';
import { childEnv } from './permissions/child-env.ts';
import { describeExplanation, explainCommand } from './permissions/explain.ts';
import { createGate } from './permissions/gate.ts';
import { createRedactor } from './permissions/redact.ts';
import { planSandbox } from './permissions/sandbox.ts';
import type { ProviderConfig } from './providers/config.ts';
import { openProvider } from './providers/index.ts';
import { contextWindowOf, costOf } from './providers/models.ts';
import { type ProviderChoice, resolveModelSwitch, resolveProvider } from './providers/presets.ts';
import type { Provider } from './providers/provider.ts';
import { findSession, readSession } from './session/index.ts';
import { noJournal, type OpenedJournal, openJournal } from './session/journal.ts';
import { type ExportOptions, exportSession } from './subcommands/export.ts';
import { tools } from './tools/index.ts';
import { createProcesses, type Processes } from './tools/processes.ts';
import { nowhere } from './types/events.ts';
import { lazy } from './types/lazy.ts';

/** Which conversation to open. `id` may be a prefix or `latest`. */
export type SessionRequest = { readonly kind: 'new' } | { readonly kind: 'resume' | 'fork'; readonly id: string };

/** What every session of one call of the program is opened from. */
export type SessionParts = {
  readonly options: Options;
  readonly interactive: boolean;
  readonly place: { readonly cwd: string; readonly folders: Folders; readonly trusted: boolean };
  readonly extraDirs: readonly string[];
  readonly config: Config;
  /** The provider that the settings name. */
  readonly first: ProviderConfig;
  choose(choice: Pick<ProviderChoice, 'provider' | 'model'>): ProviderChoice;
  /** By name of their variable. */
  readonly storedKeys: Readonly<Record<string, string>>;
  /** Never to be shown. */
  readonly secrets: readonly string[];
  openRules(): SessionRules;
  readonly prompt: FrontDeps['prompt'];
};

/** The log of a session, or with `--no-session` what is in memory in its place. */
type OpenedLog = OpenedJournal & { readonly exported: () => ExportOptions['session'] };

/** Opens a session, whole. Throws UsageError when it is not there or in use. */
export async function openSession(parts: SessionParts, request: SessionRequest): Promise<Session> {
  const { options, interactive, place, extraDirs, config, first, choose, storedKeys, secrets, prompt } = parts;
  const { cwd, folders, trusted } = place;
  const { env, platform } = process;
  const clock = systemClock;
  const activate = (provider: ProviderConfig, opened: Provider = openLazily(provider).provider): OpenModel => ({
    offline: provider.offline,
    active: {
      provider: opened,
      model: provider.model,
      contextWindow: contextWindowOf(provider),
      maxOutputTokens: config.agent.maxTokens,
      reasoningEffort: config.agent.reasoningEffort,
      costOf: (usage) => costOf(provider, usage),
    },
  });
  const keyNames = 'keyName' in first && first.keyName !== undefined ? [first.keyName] : [];
  const commandEnv = lazy(() => childEnv(env, { extraNames: config.childEnv, keyNames, secrets, workspace: cwd }));
  const redact = createRedactor(secrets);

  const firstProvider = openLazily(first);
  // In a call without a person a request is certain: the library loads while the disk takes in the prompt, our first wait.
  if (!interactive) setImmediate(firstProvider.load);
  const log = await openLog(parts, request);
  const state = foldEvents(log.events);
  const isNew = log.events.length === 0;
  const chooses = config.settings.model !== null || config.settings.provider !== null;
  const resumed = chooses || state.model === undefined ? first : resolveProvider(choose(state.model), env, storedKeys);
  let current = 'error' in resumed ? first : resumed;
  const model = activate(current, current === first ? firstProvider.provider : undefined);
  const sessionRules = parts.openRules();
  // Long output is spilled there, and the model is told to read it there; a call that runs no tool needs none.
  const temp = throwawayFolderOnDemand('tilldone');
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
      const switched = resolveModelSwitch(name, { current, choice: choose(config.settings), env, storedKeys });
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
        extraDirs: () => {
          const path = temp.path();
          return path === undefined ? extraDirs : [...extraDirs, path];
        },
        sandboxed,
        ask,
        clock,
      }),
    makeProcesses: ({ onChange, onState, settings }) =>
      createSandboxedProcesses({
        wanted: () => ({ sandbox: settings().sandbox, network: settings()['sandbox-network'] }),
        plan: (network) =>
          planSandbox(
            { workspace: cwd, extraDirs, network, tempDir: temp.path(), home: homedir(), ownFolders: [folders.config, folders.state] },
            pathExists,
          ),
        async probe(file, args) {
          const { code, stdout, stderr } = await runProgram({ file, args, cwd, env: commandEnv() }, { maxBytes: 10_000 });
          return { code, output: `${stdout.toString('utf8')}${stderr}` };
        },
        make: (wrapCommand) => killedAtExit(createProcesses({ env: commandEnv, clock, wrapCommand, onChange, spillDir: temp.path })),
        onState,
      }),
    onClose: temp.remove,
    files: { seen: (path) => seenFiles.get(path), remember: (path, hash) => void seenFiles.set(path, hash) },
    prompt,
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
}

async function openLog({ options, place }: SessionParts, request: SessionRequest): Promise<OpenedLog> {
  const { cwd, folders } = place;
  const clock = systemClock;
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
}

/** A provider whose library is loaded with the first request, so that nothing waits for it before; or by `load`. */
function openLazily(config: ProviderConfig): { readonly provider: Provider; load(): void } {
  let opened: Promise<Provider> | undefined;
  const open = (): Promise<Provider> => {
    opened ??= openProvider(config, { clock: systemClock });
    return opened;
  };
  const provider: Provider = {
    id: config.id,
    async *stream(request, signal) {
      yield* (await open()).stream(request, signal);
    },
    async listModels(signal) {
      const real = await open();
      if (real.listModels === undefined) throw new Error(`Provider '${config.id}' lists no models.`);
      return real.listModels(signal);
    },
  };
  // whoever asks next is told of a failure
  return { provider, load: () => void open().catch(() => undefined) };
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
