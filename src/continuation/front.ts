import { applyEphemeral, type Ephemeral, setEphemeral } from '../config/ephemeral.ts';
import { describeOrigin } from '../config/origin.ts';
import type { Config } from '../config/resolve.ts';
import type { Settings } from '../config/settings.ts';
import type { ActiveModel } from '../core/active-model.ts';
import { attachMentions } from '../core/mentions.ts';
import type { EventSink } from '../core/recorder.ts';
import { pairCalls } from '../core/request.ts';
import type { SandboxedProcesses } from '../core/sandboxed-processes.ts';
import type { SessionState } from '../core/session-state.ts';
import { buildSystemPrompt } from '../core/system-prompt.ts';
import { describeOutcome } from '../follow-through/outcome.ts';
import type { Clock } from '../lib/clock.ts';
import type { Store } from '../lib/store.ts';
import type { PermissionGate } from '../permissions/gate.ts';
import type { SandboxState } from '../permissions/sandbox.ts';
import type { ModelListing } from '../providers/provider.ts';
import { type BackgroundProcess, type FileMemory, isOutcome, type Tool } from '../tools/tool.ts';
import type { AskUser } from '../types/ask.ts';
import type { ApprovalMode } from '../types/effects.ts';
import { messageOf } from '../types/errors.ts';
import { type AgentEvent, type DurableEvent, type EventOf, nowhere } from '../types/events.ts';
import { countTodos, type TodoList } from '../types/todos.ts';
import { createEngine } from './engine.ts';
import type { Session } from './session.ts';

/** A model that can be asked, with where it comes from. */
export type OpenModel = { readonly active: ActiveModel; readonly offline: boolean };

export type FrontDeps = {
  readonly id: string;
  readonly cwd: string;
  readonly extraDirs: readonly string[];
  readonly platform: string;
  readonly interactive: boolean;
  /** The folder is trusted: a probe of the sandbox may be run at once. */
  readonly trusted: boolean;
  readonly clock: Clock;
  readonly config: Config;
  /** Folded from the log for a resumed session, else empty. */
  readonly state: SessionState;
  readonly replayed: readonly AgentEvent[];
  /** What the log had to say when it was opened. */
  readonly report: readonly string[];
  readonly isResumed: boolean;
  readonly journal: {
    append(event: DurableEvent, options: { sync: boolean }): Promise<void>;
    readonly saving: Store<string>;
    close(): Promise<void>;
  };
  readonly model: OpenModel;
  /** `[provider/]model`; the error says what is accepted. */
  readonly openModel: (name: string) => OpenModel | { readonly error: string };
  readonly tools: readonly Tool[];
  readonly makeGate: (deps: { mode: () => ApprovalMode; sandboxed: () => boolean; ask: AskUser['approve'] }) => PermissionGate;
  readonly makeProcesses: (deps: {
    onChange: (process: BackgroundProcess) => void;
    onState: (state: SandboxState) => void;
    settings: () => Settings;
  }) => SandboxedProcesses;
  /** First line of a new log. It is written with the first event, so that a session in which nothing happens leaves no file. */
  readonly sessionStart: EventOf<'session-start'>;
  readonly files: FileMemory;
  readonly prompt: {
    readonly override: string | undefined;
    readonly append: string | undefined;
    readonly instructions: string | undefined;
  };
  readonly explainCommand: (command: string, context: { mode: ApprovalMode; sandboxed: boolean }) => readonly string[];
  readonly ruleTexts: () => readonly string[];
  readonly exportSession: Session['export'];
  /** Removes what was made for the session. */
  readonly onClose: () => Promise<void>;
  readonly debug: (text: string) => void;
};

/** Puts one conversation together: the engine and everything that the screen, the commands and one-shot output ask of it. */
export function createSession(deps: FrontDeps): Session {
  const { clock, cwd, config, interactive, journal } = deps;
  let ephemeral: Ephemeral = {};
  let inForce = applyEphemeral(config, ephemeral);
  let mode: ApprovalMode = config.settings['approval-mode'];
  let model = deps.model;
  let closing: Promise<void> | undefined;

  const processes = deps.makeProcesses({
    onChange({ id, command, state, exitCode }) {
      void recorder.record({ type: 'process-change', ...nowhere, processId: id, command, state, exitCode });
    },
    onState: ({ label }) => changed('sandbox', label),
    settings: () => inForce.settings,
  });
  const sandboxed = (): boolean => processes.sandbox()?.kind === 'on';
  let started = deps.isResumed;
  const sink: EventSink = {
    append(event, options) {
      if (!started) void journal.append(deps.sessionStart, { sync: false });
      started = true;
      return journal.append(event, options);
    },
  };
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  const systemPrompt = (): string =>
    buildSystemPrompt({
      date,
      cwd,
      platform: deps.platform,
      interactive,
      planMode: mode === 'plan',
      ...deps.prompt,
    });
  /** As the model's own tools would show it, so that what is attached counts as read. */
  const readMentioned = async (path: string): Promise<string | undefined> => {
    for (const name of ['read_file', 'list_dir']) {
      const tool = deps.tools.find((candidate) => candidate.name === name);
      const prepared = await tool?.prepare({ path }, { ...engine.toolContext('mention'), pause: () => {} });
      if (prepared === undefined || isOutcome(prepared)) continue;
      const { output, isError } = await prepared.run(new AbortController().signal, () => {});
      if (!isError) return output;
    }
    return undefined;
  };
  const engine = createEngine({
    clock,
    state: deps.state,
    sink,
    settings: () => inForce.settings,
    model: () => model.active,
    systemPrompt,
    tools: deps.tools,
    gate: (ask) => deps.makeGate({ mode: () => mode, sandboxed, ask }),
    processes,
    files: deps.files,
    cwd,
    extraDirs: deps.extraDirs,
    interactive,
    mode: () => mode,
    attach: (text) => attachMentions(text, readMentioned),
    agentActs: deps.tools.some((tool) => tool.kind === 'act'),
    debug: deps.debug,
  });
  const { recorder, todos, questions, agent, service } = engine;
  if (deps.isResumed) agent.markResumed();
  // The state of the sandbox stands on the screen from the start, where commands may be run at all.
  if (interactive && deps.trusted) void processes.ready();
  const changed = (key: string, value: unknown): void => void recorder.record({ type: 'settings-change', ...nowhere, key, value });

  return {
    id: deps.id,
    cwd,
    interactive,
    service,
    replayed: deps.replayed,
    report: deps.isResumed ? [...deps.report, ...resumedSentence(todos.list(), interactive)] : deps.report,
    subscribe: recorder.subscribe,
    todos: { list: todos.list, edit: (edit) => todos.edit(edit, 'user') },
    settings: {
      get: () => inForce.settings,
      set(key, value) {
        const result = setEphemeral(ephemeral, key, value);
        if ('error' in result) return result.error;
        ephemeral = result.values;
        inForce = applyEphemeral(config, ephemeral);
        changed(result.key, inForce.settings[result.key]);
        return undefined;
      },
      origin: (key) => describeOrigin(inForce.origins[key]),
    },
    questions: { approve: questions.answerApproval, answer: questions.answerQuestion },
    approval: {
      mode: () => mode,
      setMode(next) {
        mode = next;
        changed('approval-mode', next);
      },
      sandbox: () => processes.sandbox()?.label ?? '',
      explain: (command) => deps.explainCommand(command, { mode, sandboxed: sandboxed() }),
      rules: deps.ruleTexts,
    },
    model: {
      current: () => ({
        provider: model.active.provider.id,
        model: model.active.model,
        contextWindow: model.active.contextWindow,
        offline: model.offline,
      }),
      async change(name) {
        const opened = deps.openModel(name);
        if ('error' in opened) return opened.error;
        model = opened;
        service.cancelCountdown();
        await recorder.record({ type: 'model-change', ...nowhere, provider: model.active.provider.id, model: model.active.model });
        return undefined;
      },
      async list(): Promise<readonly ModelListing[] | { readonly error: string }> {
        const { provider } = model.active;
        if (provider.listModels === undefined) return { error: `Provider '${provider.id}' lists no models.` };
        try {
          return await provider.listModels(AbortSignal.timeout(15_000));
        } catch (thrown) {
          return { error: messageOf(thrown) };
        }
      },
    },
    history: () => recorder.state.history,
    processes: processes.list,
    usage: { total: () => recorder.state.usage, contextTokens: agent.contextTokens },
    async compact(focus) {
      if (service.state.get().kind === 'running') return 'Not while the model is working: press Esc first.';
      const before = agent.contextTokens();
      const options = { place: nowhere, signal: new AbortController().signal, focus };
      if (!(await agent.compactor.compact('user', options))) return 'Nothing to compact yet.';
      return `Compacted: about ${before} tokens before, ${agent.contextTokens()} now.`;
    },
    async askAside(text, onText, signal) {
      let answer = '';
      const { active } = model;
      const question = {
        role: 'user' as const,
        kind: 'reminder' as const,
        text: `${text}\n\n(A side question. Answer it in words; do not work on anything.)`,
      };
      const request = {
        model: active.model,
        system: systemPrompt(),
        messages: [...pairCalls(recorder.state.history), question],
        tools: [],
      };
      for await (const event of active.provider.stream(request, signal)) {
        if (event.type === 'text-delta') {
          answer += event.text;
          onText(event.text);
        } else if (event.type === 'usage') {
          void recorder.record({ type: 'usage', ...nowhere, usage: event.usage });
        } else if (event.type === 'error') {
          void recorder.record({ type: 'notice', ...nowhere, level: 'error', text: event.error.message });
        }
      }
      return answer;
    },
    async runUserCommand(command, { share, onOutput, signal }) {
      const run = await processes.run(command, { cwd, timeoutMs: 24 * 3_600_000, signal, onOutput });
      if (!share) return;
      const ended = run.exitCode === null ? `ended by ${run.signal ?? 'an interruption'}` : `exit code ${run.exitCode}`;
      const text = `I ran \`${command}\` (${ended}):\n${run.output}`;
      await recorder.record(
        { type: 'user-message', ...nowhere, kind: 'shell', text, promptId: recorder.state.prompt.promptId },
        { sync: true },
      );
    },
    rename: (name) => void recorder.record({ type: 'session-name', ...nowhere, name }),
    export: deps.exportSession,
    tools: () => deps.tools.map(({ name, description }) => ({ name, description })),
    saving: journal.saving,
    close() {
      closing ??= (async () => {
        service.interrupt();
        await service.settled();
        await processes.killAll();
        await journal.close();
        await deps.onClose();
      })();
      return closing;
    },
  };
}

/** Where the list of a resumed session stands; the engine waits until the user acts. */
function resumedSentence(list: TodoList, interactive: boolean): readonly string[] {
  const counts = countTodos(list.items);
  if (counts.open === 0) return [];
  return [
    describeOutcome('paused-by-resume', { counts, detail: undefined, nudges: 0, limit: undefined, dropped: [], interactive }).sentence,
  ];
}
