import type { Settings } from '../config/settings.ts';
import type { ContinuationDecision } from '../follow-through/decide-continuation.ts';
import { decideRetry } from '../follow-through/decide-retry.ts';
import { noTextYet, stepTextLoop } from '../follow-through/text-loop.ts';
import type { Provider, ProviderRequest } from '../providers/provider.ts';
import type { ErrorInfo } from '../types/errors.ts';
import type { FinishReason, Place } from '../types/events.ts';
import type { AssistantMessage, Origin, Usage } from '../types/messages.ts';
import { type AttemptState, flush, newAttempt, stepAttempt } from './attempt.ts';
import type { Recorder } from './recorder.ts';

/** A text of the engine's for the tail of one request, and the marks to record when it goes out. */
export type Reminder = {
  readonly text: string;
  /** The item that it names, for observers. */
  readonly todoId?: string;
  readonly marks: readonly ('complexity' | 'update' | 'closed' | 'idle' | 'loop' | 'dropped' | 'unchanged')[];
};

export type ClientDeps = {
  readonly recorder: Recorder;
  readonly settings: () => Settings;
  /** What would happen if the run ended here. */
  readonly decide: () => ContinuationDecision;
  readonly capReached: () => boolean;
  /** Active ms of the prompt so far. */
  readonly elapsedMs: () => number;
  readonly retryReminder: (cause: 'open-todos' | 'empty') => Reminder;
  readonly costOf: (usage: Usage) => number | undefined;
};

export type Turn = {
  readonly runId: string;
  readonly turn: number;
  readonly provider: Provider;
  readonly origin: Origin;
  readonly reminder: Reminder | undefined;
  readonly request: (reminder: string | undefined) => ProviderRequest;
  readonly signal: AbortSignal;
};

/** The accepted attempt of a turn. */
export type TurnResult = {
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  readonly isEmpty: boolean;
  readonly error: ErrorInfo | undefined;
  readonly place: Place;
};

/**
 * Streams a turn: one attempt, and another with a reminder while the model stops with work left. A dropped attempt leaves nothing behind
 * but its usage, its request and its draft on screen. Every path ends in the same acceptance: held text, citations, turn-end, one finish.
 */
export async function streamTurn(deps: ClientDeps, turn: Turn): Promise<TurnResult> {
  const { recorder } = deps;
  let reminder = turn.reminder;
  let emptyRetried = false;
  for (let attempt = 1; ; attempt += 1) {
    const place: Place = { runId: turn.runId, turn: turn.turn, attempt };
    const maxAttempts = deps.settings()['max-attempts'];
    const deferring = attempt < maxAttempts && deps.decide().kind === 'continue';
    void recorder.record({ type: 'turn-start', ...place, reminded: reminder !== undefined, elapsedMs: deps.elapsedMs() });
    for (const mark of reminder?.marks ?? []) void recorder.record({ type: 'reminder-sent', ...place, reminder: mark });
    const state = await streamAttempt(deps, turn, place, { reminder: reminder?.text, deferring });
    const usage = state.usage === undefined ? undefined : withCost(state.usage, deps.costOf(state.usage));
    if (usage !== undefined) void recorder.record({ type: 'usage', ...place, usage });
    const finish = state.finish ?? 'error';
    const decision = decideRetry({
      finish,
      toolCalls: state.toolCalls,
      textChars: state.text.trim().length,
      attempt,
      maxAttempts,
      emptyRetried,
      capReached: deps.capReached(),
      decision: deps.decide(),
    });
    if (decision.kind === 'accept') return accept(recorder, { place, state, finish, usage });
    // The text is built before the retry counts: the first nudge is the gentle one.
    reminder = deps.retryReminder(decision.cause);
    emptyRetried ||= decision.cause === 'empty';
    const { todoId } = reminder;
    const named = todoId === undefined ? {} : { todoId };
    void recorder.record({ type: 'attempt-retry', ...place, cause: decision.cause, draft: state.text, ...named });
  }
}

async function streamAttempt(
  deps: ClientDeps,
  turn: Turn,
  place: Place,
  options: { readonly reminder: string | undefined; readonly deferring: boolean },
): Promise<AttemptState> {
  const state = newAttempt(options.deferring);
  // Whoever heard of the start may have said no to it: after an abort nothing is sent.
  if (turn.signal.aborted) return { ...state, finish: 'aborted' };
  // Not AbortSignal.any: on Node 20 its weak references cost more than all the rest of a short attempt.
  const stop = new AbortController();
  const follow = (): void => stop.abort(turn.signal.reason);
  turn.signal.addEventListener('abort', follow, { once: true });
  try {
    return await readStream(deps, turn, { place, state, stop, request: turn.request(options.reminder) });
  } finally {
    turn.signal.removeEventListener('abort', follow);
  }
}

async function readStream(
  { recorder, settings }: ClientDeps,
  turn: Turn,
  attempt: { readonly place: Place; readonly state: AttemptState; readonly stop: AbortController; readonly request: ProviderRequest },
): Promise<AttemptState> {
  const { place, stop, request } = attempt;
  const context = { place, origin: turn.origin };
  const loopLimit = settings()['loop-text'];
  let { state } = attempt;
  let prose = noTextYet;
  for await (const event of turn.provider.stream(request, stop.signal)) {
    if (turn.signal.aborted) break;
    const step = stepAttempt(state, event, context);
    state = step.state;
    for (const emitted of step.emit) void recorder.record(emitted);
    if (event.type === 'retry-wait' && event.voids) prose = noTextYet;
    if (event.type !== 'text-delta') continue;
    const looked = stepTextLoop(prose, event.text, loopLimit);
    prose = looked.state;
    if (!looked.repeats) continue;
    stop.abort();
    void recorder.record({ type: 'loop-detected', ...place, detail: 'the same stretch of text over and over', strike: 2 });
    return { ...state, parts: [], finish: 'loop' };
  }
  if (turn.signal.aborted) return { ...state, finish: 'aborted', error: undefined };
  if (state.finish !== undefined) return state;
  return { ...state, finish: 'error', error: { kind: 'protocol', message: 'The stream ended without a finish.', retryable: false } };
}

/** The one exit of a turn. */
function accept(
  recorder: Recorder,
  accepted: { readonly place: Place; readonly state: AttemptState; readonly finish: FinishReason; readonly usage: Usage | undefined },
): TurnResult {
  const { place, state, finish, usage } = accepted;
  const cut = finish === 'aborted' || finish === 'error' || finish === 'loop';
  // A call of a stream that was cut never runs, so it does not enter the history.
  const parts = cut ? state.parts.filter((part) => part.type !== 'tool-call') : state.parts;
  const message: AssistantMessage = { role: 'assistant', parts, ...(cut ? { cut } : {}) };
  for (const event of flush(state, cut)) void recorder.record(event);
  if (state.error !== undefined) void recorder.record({ type: 'error', ...place, error: state.error });
  const ended = { type: 'turn-end' as const, ...place, message, finish, ...(usage === undefined ? {} : { usage }) };
  // Calls that follow put the log on the disk before they change anything; a turn without calls does it here. What follows it in the log waits.
  void recorder.record(ended, { sync: state.toolCalls === 0 });
  void recorder.record({ type: 'finish', ...place, finish });
  return { message, finish, isEmpty: state.text.trim() === '' && state.toolCalls === 0, error: state.error, place };
}

function withCost(usage: Usage, costUsd: number | undefined): Usage {
  return costUsd === undefined ? usage : { ...usage, costUsd };
}
