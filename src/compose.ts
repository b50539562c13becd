import { homedir } from 'node:os';
import { appFolders } from './config/folders.ts';
import { loadInstructions } from './config/instructions.ts';
import { loadSources, readTextOption } from './config/load.ts';
import type { Options } from './config/options.ts';
import { type Config, resolveConfig } from './config/resolve.ts';
import { createSession, type OpenModel } from './continuation/front.ts';
import type { Session } from './continuation/session.ts';
import { applyEvent, newSessionState } from './core/session-state.ts';
import { systemClock } from './lib/clock.ts';
import { resolveRealPath } from './lib/paths.ts';
import { isProcessRunning } from './lib/process.ts';
import { version } from './lib/version.ts';
import { describeExplanation, explainCommand } from './permissions/explain.ts';
import { createGate } from './permissions/gate.ts';
import { parseRule, type RuleSource, type Rules } from './permissions/rules.ts';
import type { ProviderConfig } from './providers/config.ts';
import { openProvider } from './providers/index.ts';
import { contextWindowOf, costOf } from './providers/models.ts';
import { resolveProvider } from './providers/presets.ts';
import type { Provider } from './providers/provider.ts';
import { findSession, listSessions, type SessionSummary } from './session/index.ts';
import { noJournal, type OpenedJournal, openJournal } from './session/journal.ts';
import { tools } from './tools/index.ts';
import { createProcesses } from './tools/processes.ts';
import { UsageError } from './types/errors.ts';
import { nowhere } from './types/events.ts';

/** Which conversation to open. `id` may be a prefix or `latest`. */
export type SessionRequest = { readonly kind: 'new' } | { readonly kind: 'resume' | 'fork'; readonly id: string };

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

/** Reads the settings, finds the model, and says how sessions are opened. Throws UsageError for what the user must change. */
export async function compose({
  options,
  interactive,
}: {
  readonly options: Options;
  readonly interactive: boolean;
}): Promise<Composition> {
  const { env, platform } = process;
  const clock = systemClock;
  const cwd = await openFolder(options.cd ?? '.', '--cd');
  const extraDirs = await Promise.all(options.addDirs.map((folder) => openFolder(folder, '--add-dir')));
  const folders = appFolders({ env, home: homedir(), platform });
  const sources = await loadSources({ folders, cwd, env, trusted: options.trust });
  const config = resolveConfig(sources, options);
  const { rules, warnings: ruleWarnings } = readRules(config, options);
  const [override, append, instructions] = await Promise.all([
    options.systemPrompt === undefined ? undefined : readTextOption(options.systemPrompt, cwd),
    options.appendSystemPrompt === undefined ? undefined : readTextOption(options.appendSystemPrompt, cwd),
    loadInstructions(cwd),
  ]);

  const resolve = (choice: { provider: string | null; model: string | null }) =>
    resolveProvider({ ...choice, baseUrl: config.settings['base-url'], profile: config.profile?.connection }, env);
  const first = resolve(config.settings);
  if ('error' in first) throw new UsageError(first.error, first.setting.endsWith('_KEY') ? 41 : 52);
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

  const openLog = async (request: SessionRequest): Promise<OpenedJournal> => {
    if (!options.saveSession && request.kind === 'new') {
      return { journal: noJournal(), sessionId: clock.newId(), events: [], times: [], report: [], pendingCalls: [] };
    }
    const sessionId = request.kind === 'new' ? clock.newId() : (await findSession(folders.state, cwd, request.id)).id;
    const processes = { pid: process.pid, isRunning: isProcessRunning };
    return openJournal({ directory: folders.state, sessionId, workspace: cwd, clock, mode: request.kind, processes });
  };

  const openSession = async (request: SessionRequest): Promise<Session> => {
    const log = await openLog(request);
    const state = newSessionState();
    for (const event of log.events) applyEvent(state, event);
    const isNew = log.events.length === 0;
    const chooses = config.settings.model !== null || config.settings.provider !== null;
    const resumed = chooses || state.model === undefined ? first : resolve(state.model);
    const model = activate('error' in resumed ? first : resumed);
    let sessionRules = rules;
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
        const config = resolve({ provider: null, model: name });
        return 'error' in config ? config : activate(config);
      },
      tools,
      makeGate: ({ mode, ask }) =>
        createGate({
          mode,
          rules: () => sessionRules,
          addRule(text) {
            const parsed = parseRule(text, 'allow', 'session');
            if ('rule' in parsed) sessionRules = { ...sessionRules, allow: [...sessionRules.allow, parsed.rule] };
          },
          workspace: cwd,
          extraDirs,
          sandboxed: () => false,
          ask,
          clock,
        }),
      makeProcesses: (onChange) => createProcesses({ env, clock, onChange }),
      files: { seen: (path) => seenFiles.get(path), remember: (path, hash) => void seenFiles.set(path, hash) },
      prompt: { override, append, instructions: instructions.text === '' ? undefined : instructions.text },
      sandbox: () => 'NO SANDBOX',
      explainCommand: (command, mode) =>
        describeExplanation(
          explainCommand(command, cwd, { mode, rules: sessionRules, workspace: cwd, extraDirs, home: homedir(), sandboxed: false }),
        ),
      ruleTexts: () =>
        (['deny', 'ask', 'allow'] as const).flatMap((kind) => sessionRules[kind].map((rule) => `${kind}: ${rule.text} (${rule.source})`)),
      exportSession: async () => 'not yet',
      debug: (text) => {
        if (options.debug) process.stderr.write(`debug: ${text}\n`);
      },
    });
  };

  const banner = [...config.warnings, ...ruleWarnings, ...instructions.notices];
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

function readRules(config: Config, options: Options): { readonly rules: Rules; readonly warnings: readonly string[] } {
  const rules: { [Kind in keyof Rules]: Rules[Kind][number][] } = { allow: [], ask: [], deny: [] };
  const warnings: string[] = [];
  const add = (text: string, kind: keyof Rules, source: RuleSource): string | undefined => {
    const parsed = parseRule(text, kind, source);
    if ('error' in parsed) return parsed.error;
    rules[kind].push(parsed.rule);
    if (parsed.warning !== undefined) warnings.push(parsed.warning);
    return undefined;
  };
  for (const { text, kind, source, where } of config.rules) {
    const problem = add(text, kind, source);
    if (problem !== undefined) warnings.push(`${where}: ${problem}`);
  }
  for (const [flag, kind, texts] of [
    ['--allowed-tools', 'allow', options.allowedTools] as const,
    ['--disallowed-tools', 'deny', options.disallowedTools] as const,
  ]) {
    for (const text of texts) {
      const problem = add(text, kind, 'flag');
      if (problem !== undefined) throw new UsageError(`${flag}: ${problem}`);
    }
  }
  return { rules, warnings };
}
