import type { Settings } from '../config/settings.ts';
import { type ContinuationDecision, decideContinuation } from '../follow-through/decide-continuation.ts';
import type { Snapshot } from '../follow-through/gates.ts';
import type { Clock } from '../lib/clock.ts';
import type { PermissionGate } from '../permissions/gate.ts';
import type { ProcessAccess, Tool, ToolContext } from '../tools/tool.ts';
import { nowhere, type Place } from '../types/events.ts';
import type { RunEnd } from '../types/reasons.ts';
import type { ActiveModel } from './active-model.ts';
import { type AutoClose, createAutoClose } from './auto-close.ts';
import { createBackground } from './background.ts';
import type { Reminder } from './client.ts';
import { type Compactor, createCompactor } from './compactor.ts';
import { contextTokens, estimateFixed } from './context.ts';
import type { Recorder } from './recorder.ts';
import { createReminderQueue } from './reminder-queue.ts';
import { type NudgeOptions, nudgeReminder } from './reminders.ts';
import { toolSchemas } from './request.ts';
import { createRunLoop } from './run-loop.ts';
import { takeSnapshot } from './snapshot.ts';
import { createSteering } from './steering.ts';
import { createStopwatch } from './stopwatch.ts';
import { createToolRunner } from './tool-runner.ts';

export type AgentDeps = {
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly settings: () => Settings;
  readonly model: () => ActiveModel;
  readonly systemPrompt: () => string;
  readonly tools: readonly Tool[];
  readonly gate: PermissionGate;
  readonly processes: ProcessAccess;
  readonly toolContext: (callId: string, place: Place) => Omit<ToolContext, 'pause'>;
  /** Closes an item for `smart-todo-completion auto`. */
  readonly closeTodo: (todoId: string) => void;
  readonly interactive: boolean;
  readonly mode: () => 'plan' | 'default' | 'auto-edit' | 'yolo';
  /** Whether the agent has acting tools and may be driven by its list. */
  readonly agentActs: boolean;
  /** An approval or a question that is open, and since when a person is waited for. */
  readonly asking: () => { readonly kind: 'question' | 'permission' | undefined; readonly waitedMs: number };
  /** The user typed something that waits for the end of the run. */
  readonly userInput: () => boolean;
  /** Content of the files that a prompt names with `@`. */
  readonly attach: (text: string) => Promise<string | undefined>;
  readonly debug: (text: string) => void;
};

export type RunStart =
  | { readonly origin: 'user'; readonly kind: 'prompt' | 'queue'; readonly text: string; readonly resumes: boolean }
  | { readonly origin: 'continuation'; readonly decision: Extract<ContinuationDecision, { kind: 'continue' }> };

export type Agent = {
  /** From a prompt or a continuation until the model makes no more tool calls, or something ends it. Never rejects. */
  run(start: RunStart): Promise<RunEnd>;
  /** Ends the run; sticky until the next run of origin `user`. */
  abort(): void;
  /** Delivered at the next tool boundary, or before the run would end. */
  steer(text: string): void;
  takeSteering(): readonly string[];
  /** The world as the gates see it, if the last run ended so. */
  snapshot(end: RunEnd): Snapshot;
  decide(end: RunEnd): ContinuationDecision;
  readonly background: ReturnType<typeof createBackground>;
  readonly compactor: Compactor;
  contextTokens(): number;
  /** Waits with the clock of the prompt running: at most `ms`, and not beyond the time limit. */
  spend(ms: number, wait: (ms: number) => Promise<void>): Promise<void>;
  /** The session was resumed: the engine waits until the user acts. */
  markResumed(): void;
};

export function createAgent(deps: AgentDeps): Agent {
  const { recorder, clock, settings } = deps;
  const { state } = recorder;
  const schemas = toolSchemas(deps.tools);
  const background = createBackground(deps.processes);
  const stopwatch = createStopwatch(clock, () => deps.asking().waitedMs);
  const steering = createSteering(recorder);
  const reminders = createReminderQueue();
  let controller = new AbortController();
  let abortedByUser = false;
  let resumed = false;

  recorder.subscribe((event) => {
    if (event.type === 'settings-change' && event.key === 'timeout') stopwatch.limitChanged();
  });

  const fixedTokens = (): number => estimateFixed(deps.systemPrompt(), schemas);
  const compactor = createCompactor({ recorder, model: deps.model, settings, fixedTokens });
  const autoClose: AutoClose = createAutoClose({
    now: clock.now,
    todos: () => state.todos.items,
    enabled: () => settings()['smart-todo-completion'] === 'auto',
    close(todo, call) {
      deps.closeTodo(todo.id);
      reminders.closed(todo.content);
      notice('info', `Marked completed: '${todo.content}' (${call.name} succeeded)`);
    },
    debug: deps.debug,
  });

  const notice = (level: 'info' | 'warning', text: string): void => void recorder.record({ type: 'notice', ...nowhere, level, text });

  const snapshot: Agent['snapshot'] = (end) =>
    takeSnapshot(state.prompt, end, settings(), {
      aborted: abortedByUser,
      userInput: steering.isWaiting() || deps.userInput(),
      asking: deps.asking().kind,
      recovering: compactor.running(),
      resumed,
      planMode: deps.mode() === 'plan',
      agentActs: deps.agentActs,
      interactive: deps.interactive,
      background: background.waitable().length,
      elapsedMs: stopwatch.elapsedMs(),
    });
  const decide: Agent['decide'] = (end) => decideContinuation(snapshot(end), state.prompt.named);
  const nudgeOptions = (): NudgeOptions => ({
    isYoloMode: deps.mode() === 'yolo',
    runningCommands: background.waitedOut().map(({ command }) => command),
  });

  const runner = createToolRunner({
    recorder,
    tools: deps.tools,
    gate: deps.gate,
    context: (callId, place) => ({
      ...deps.toolContext(callId, place),
      pause: (text) => void recorder.record({ type: 'pause', ...place, by: 'model', text }),
    }),
    loopLimits: () => ({
      identicalCalls: settings()['loop-identical-calls'],
      failingCalls: settings()['loop-failing-calls'],
      cycles: settings()['loop-cycles'],
    }),
    onResult(call, outcome) {
      if (outcome.unchanged === true) notice('info', 'The list was written again without a change.');
      autoClose.afterResult(call, outcome);
    },
  });

  const startPrompt = async (start: Extract<RunStart, { origin: 'user' }>, place: Place): Promise<void> => {
    abortedByUser = false;
    resumed = false;
    background.startPrompt();
    runner.startPrompt();
    compactor.startPrompt();
    autoClose.reset();
    const hasList = state.todos.items.some((todo) => todo.status === 'pending' || todo.status === 'in_progress');
    const madeList = state.prompt.progress.listCounted;
    reminders.startPrompt({ request: start.text, hasList, madeList, now: clock.now() });
    const resumes = start.resumes ? { resumes: true } : {};
    const attachment = await deps.attach(start.text);
    const attached = attachment === undefined ? {} : { attached: attachment };
    // Accepted means kept: the first of the four points at which the log must be on disk.
    await recorder.record(
      { type: 'user-message', ...place, kind: start.kind, text: start.text, promptId: clock.newId(), ...attached, ...resumes },
      { sync: true },
    );
    stopwatch.reset(state.prompt.elapsedMs);
  };

  const runTurns = createRunLoop({
    recorder,
    settings,
    model: deps.model,
    systemPrompt: deps.systemPrompt,
    schemas,
    runner,
    compactor,
    autoClose,
    reminders,
    steering,
    elapsedMs: stopwatch.elapsedMs,
    decide: () => decide('complete'),
    nudgeOptions,
    endOfAbort: () => (abortedByUser ? 'aborted' : 'time-limit'),
  });

  return {
    background,
    compactor,
    snapshot,
    decide,
    contextTokens: () => contextTokens(state, fixedTokens()),
    async spend(ms, wait) {
      const { timeout } = settings();
      const left = timeout === null ? ms : Math.min(ms, timeout * 1000 - stopwatch.elapsedMs());
      stopwatch.start();
      await wait(Math.max(0, left));
      stopwatch.stop();
    },
    markResumed() {
      resumed = true;
      stopwatch.reset(state.prompt.elapsedMs);
    },
    steer: steering.add,
    takeSteering: steering.take,
    abort() {
      abortedByUser = true;
      controller.abort();
    },
    async run(start) {
      controller = new AbortController();
      const { signal } = controller;
      const runId = clock.newId();
      const place: Place = { runId, turn: 0, attempt: 0 };
      let first: Reminder | undefined;
      if (start.origin === 'user') await startPrompt(start, place);
      else {
        first = nudgeReminder(state.prompt, start.decision, nudgeOptions());
        const { todo, strength } = start.decision;
        const continuation = state.prompt.continuations + 1;
        void recorder.record({ type: 'continuation-start', ...place, continuation, todoId: todo?.id ?? '', strength });
      }
      void recorder.record({ type: 'run-start', ...place, origin: start.origin, promptId: state.prompt.promptId });
      stopwatch.start();
      stopwatch.onLimit(
        () => settings().timeout,
        () => controller.abort(),
        signal,
      );
      const { end, detail } = await runTurns(runId, first, signal);
      stopwatch.stop();
      controller.abort('the run has ended');
      // on the disk with what follows: the next run, or the end of the prompt
      void recorder.record({ type: 'run-end', ...place, end, ...(detail === undefined ? {} : { detail }) });
      return end;
    },
  };
}
