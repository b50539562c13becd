import type { Settings } from '../config/settings.ts';
import type { Agent, RunStart } from '../core/agent.ts';
import type { Recorder } from '../core/recorder.ts';
import type { SessionState } from '../core/session-state.ts';
import { type ContinuationDecision, explainDecision } from '../follow-through/decide-continuation.ts';
import { isGoAhead } from '../follow-through/go-ahead.ts';
import { describeOutcome } from '../follow-through/outcome.ts';
import { quote } from '../follow-through/prompts.ts';
import type { Clock } from '../lib/clock.ts';
import { createStore } from '../lib/store.ts';
import type { ContinuationState } from '../types/continuation.ts';
import { type AgentEvent, nowhere } from '../types/events.ts';
import type { Reason, RunEnd } from '../types/reasons.ts';
import { countTodos } from '../types/todos.ts';
import { newCountdown, nextTickMs, reduceCountdown } from './countdown.ts';
import type { ContinuationService } from './session.ts';
import type { EngineState, PromptOutcome } from './state.ts';

export type ServiceDeps = {
  readonly agent: Agent;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly settings: () => Settings;
  readonly interactive: boolean;
};

type WaitingPrompt = { readonly text: string; readonly kind: 'prompt' | 'queue'; readonly resolve: (outcome: PromptOutcome) => void };

/** Ends after which queued texts stay where they are: the user has to look first. */
const holdsQueue: ReadonlySet<Reason> = new Set(['aborted', 'auth', 'error', 'rate-limit', 'permission']);

/** Events that end a countdown when they come from elsewhere: somebody or something is at work. */
const activity: ReadonlySet<AgentEvent['type']> = new Set(['turn-start', 'tool-start', 'tool-result', 'text-delta', 'reasoning-delta']);

/** Events that may let a wait end. */
const wakening: ReadonlySet<AgentEvent['type']> = new Set([
  'process-change',
  'compaction',
  'permission-decision',
  'question-answer',
  'settings-change',
]);

/**
 * Runs prompts to their named end. It is the only caller of `agent.run`: run, decide, count down, decide again, run. Timers only ever lead back
 * to a decision; whether work goes on is said by the gates alone.
 */
export function createContinuationService(deps: ServiceDeps): ContinuationService {
  const { agent, recorder, clock, settings } = deps;
  const state = createStore<EngineState>({ kind: 'idle' });
  const continuation = createStore<ContinuationState>({ isActive: false, attemptCount: 0 });
  const waiting = createStore<readonly { readonly kind: 'steer' | 'queue'; readonly text: string }[]>([]);
  let current: Promise<PromptOutcome> | undefined;
  let prompts: readonly WaitingPrompt[] = [];
  let lastEnd: RunEnd = 'complete';
  let wake: () => void = () => {};
  let cancelled = false;
  /** Esc since the last prompt began: what waits stays where it is, however that prompt ended. */
  let interrupted = false;
  let typed = false;
  let countdownBegan = 0;
  let lastSentAt = Number.NEGATIVE_INFINITY;

  const decide = (): ContinuationDecision => agent.decide(lastEnd);

  /** Resolves after `ms`, or earlier when something happened that a decision may depend on. */
  const pauseFor = async (ms: number): Promise<void> => {
    const woken = new AbortController();
    wake = () => woken.abort('woken');
    await clock.sleep(ms, woken.signal);
    wake = () => {};
  };

  const showWaiting = (): void => {
    const steering = waiting.get().filter(({ kind }) => kind === 'steer');
    waiting.set([...steering, ...prompts.map(({ text }) => ({ kind: 'queue' as const, text }))]);
  };

  /** True when the countdown ran out, false when something ended it. */
  const countDown = async (decision: Extract<ContinuationDecision, { kind: 'continue' }>): Promise<boolean> => {
    const seconds = deps.interactive ? settings()['continuation-countdown'] : 0;
    const interval = deps.interactive ? settings()['todo-check-interval'] : 0;
    const open = countTodos(recorder.state.todos.items).open;
    let countdown = newCountdown(Math.max(seconds * 1000, lastSentAt + interval - clock.now()), typed && seconds > 0);
    if (countdown.remainingMs <= 0) return true;
    countdownBegan = clock.now();
    cancelled = false;
    const show = (): void => {
      const { remainingMs, heldByTyping } = countdown;
      state.set({ kind: 'counting', remainingMs, open, heldByTyping });
      void recorder.record({ type: 'continuation-tick', ...nowhere, remainingMs, open });
    };
    continuation.set({ ...continuation.get(), isActive: true, taskDescription: decision.todo?.content ?? '' });
    show();
    while (countdown.remainingMs > 0) {
      const before = clock.now();
      await pauseFor(countdown.heldByTyping ? 3_600_000 : nextTickMs(countdown));
      if (cancelled || decide().kind !== 'continue') {
        const after = decide();
        void recorder.record({ type: 'continuation-end', ...nowhere, reason: after.kind === 'continue' ? 'user-input' : after.reason });
        return false;
      }
      const was = countdown;
      countdown = reduceCountdown(reduceCountdown(countdown, { kind: 'passed', ms: clock.now() - before }), {
        kind: 'typing',
        hasText: typed,
      });
      // when nothing is left it is sent: 0 s is nothing to show
      if (countdown !== was && countdown.remainingMs > 0) show();
    }
    void recorder.record({ type: 'continuation-end', ...nowhere, reason: 'sent' });
    return true;
  };

  /** Waits until the reason may have passed. A running background command is waited for only so long, then it is named and work goes on. */
  const waitFor = async (reason: Extract<ContinuationDecision, { kind: 'wait' }>['reason'], deadline: number): Promise<void> => {
    state.set({ kind: 'waiting', reason });
    // A compaction that gives nothing ends without an event: it is looked at again.
    if (reason !== 'background') return pauseFor(reason === 'recovering' ? 1000 : 3_600_000);
    const left = deadline - clock.now();
    if (left > 0) await agent.spend(left, pauseFor);
    if (clock.now() >= deadline) agent.background.markWaitedOut();
  };

  const runToEnd = async (start: RunStart): Promise<PromptOutcome> => {
    cancelled = false;
    state.set({ kind: 'running' });
    lastEnd = await agent.run(start);
    let deadline: number | undefined;
    for (;;) {
      const decision = decide();
      if (decision.kind === 'return') return finish(decision.reason);
      if (decision.kind === 'wait') {
        deadline ??= clock.now() + settings()['background-wait'] * 1000;
        await waitFor(decision.reason, deadline);
        continue;
      }
      deadline = undefined;
      if (!(await countDown(decision))) {
        const after = decide();
        if (after.kind === 'continue') return finish('user-input');
        continue;
      }
      // The world may have changed while the clock ran: the gates are asked again, immediately before sending.
      const again = decide();
      if (again.kind !== 'continue') continue;
      lastSentAt = clock.now();
      continuation.set({
        isActive: true,
        taskDescription: again.todo?.content ?? '',
        attemptCount: recorder.state.prompt.nudgesSinceClose + 1,
        lastPromptTime: new Date(clock.now()),
      });
      state.set({ kind: 'running' });
      lastEnd = await agent.run({ origin: 'continuation', decision: again });
    }
  };

  const finish = async (reason: Reason): Promise<PromptOutcome> => {
    const { prompt, todos } = recorder.state;
    const outcome = describeOutcome(reason, {
      counts: countTodos(todos.items),
      detail: detailOf(reason, recorder.state),
      nudges: reason === 'no-progress' ? prompt.nudgesWithoutProgress : prompt.nudgesSinceClose,
      limit: limitOf(reason, settings()),
      dropped: prompt.dropped.slice(0, 10).map((todo) => quote(todo.content)),
      interactive: deps.interactive,
    });
    await recorder.record({ type: 'prompt-end', ...nowhere, promptId: prompt.promptId, ...outcome }, { sync: true });
    return outcome;
  };

  const begin = (text: string, kind: 'prompt' | 'queue'): Promise<PromptOutcome> => {
    interrupted = false;
    const running = runToEnd({ origin: 'user', kind, text, resumes: isGoAhead(text) }).then((outcome) => {
      current = undefined;
      continuation.set({ isActive: false, attemptCount: 0 });
      state.set({ kind: 'idle' });
      // Steering that came too late for its run is a prompt of its own.
      const late = agent.takeSteering();
      waiting.set([]);
      prompts = [...late.map((line) => ({ text: line, kind: 'prompt' as const, resolve: () => {} })), ...prompts];
      showWaiting();
      if (!interrupted && !holdsQueue.has(outcome.reason)) next();
      return outcome;
    });
    current = running;
    return running;
  };

  const next = (): void => {
    const [first, ...rest] = prompts;
    if (first === undefined || current !== undefined) return;
    prompts = rest;
    showWaiting();
    void begin(first.text, first.kind).then(first.resolve);
  };

  const enqueue = (text: string, kind: 'prompt' | 'queue'): Promise<PromptOutcome> =>
    new Promise((resolve) => {
      prompts = kind === 'prompt' ? [{ text, kind, resolve }, ...prompts] : [...prompts, { text, kind, resolve }];
      showWaiting();
      if (kind === 'prompt') wake();
    });

  recorder.subscribe((event) => {
    if (event.type === 'user-message' && event.kind === 'steer') waiting.set(waiting.get().filter(({ kind }) => kind !== 'steer'));
    const engine = state.get().kind;
    if (wakening.has(event.type)) wake();
    if (engine !== 'counting') return;
    const echo = event.type === 'user-message' && clock.now() - countdownBegan >= settings()['continuation-grace'];
    if (!echo && !activity.has(event.type)) return;
    cancelled = true;
    wake();
  });

  const service: ContinuationService = {
    state,
    waiting,
    continuation,
    submit(text) {
      if (current === undefined) return begin(text, 'prompt');
      if (state.get().kind !== 'running') return enqueue(text, 'prompt');
      service.steer(text);
      return current;
    },
    steer(text) {
      if (state.get().kind !== 'running') return void service.submit(text);
      agent.steer(text);
      const shown = waiting.get();
      const queued = shown.findIndex(({ kind }) => kind === 'queue');
      waiting.set(shown.toSpliced(queued === -1 ? shown.length : queued, 0, { kind: 'steer', text }));
    },
    queue(text) {
      if (current === undefined) return void service.submit(text);
      void enqueue(text, 'queue');
    },
    takeWaiting() {
      const texts = [...agent.takeSteering(), ...prompts.map(({ text }) => text)];
      prompts = [];
      waiting.set([]);
      return texts;
    },
    interrupt() {
      interrupted = true;
      agent.abort();
      wake();
    },
    resume: () => service.submit('continue'),
    pause(text) {
      void recorder.record({ type: 'pause', ...nowhere, by: 'user', text });
      wake();
    },
    typing(hasText) {
      if (typed === hasText) return;
      typed = hasText;
      if (state.get().kind === 'counting') wake();
    },
    cancelCountdown() {
      cancelled = true;
      wake();
    },
    async settled() {
      while (current !== undefined) await current;
    },
    explain: () => explainDecision(agent.snapshot(lastEnd), decide()),
  };
  return service;
}

function detailOf(reason: Reason, { prompt, todos }: SessionState): string | undefined {
  if (reason === 'blocked') return todos.items.find((todo) => todo.status === 'blocked')?.note;
  if (reason === 'permission' && !prompt.denied) {
    return 'every change needs an approval, and nobody can give one here (see --approval-mode and --allowed-tools)';
  }
  return reason === 'paused' ? prompt.pause?.text : prompt.end.detail;
}

function limitOf(reason: Reason, settings: Settings): string | undefined {
  switch (reason) {
    case 'turn-limit':
      return String(settings['max-turns']);
    case 'token-limit':
      return String(settings['max-total-tokens']);
    case 'budget-limit':
      return String(settings['max-budget-usd']);
    case 'time-limit':
      return String(settings.timeout);
    default:
      return undefined;
  }
}
