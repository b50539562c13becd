import type { Settings } from '../config/settings.ts';
import type { ContinuationDecision } from '../follow-through/decide-continuation.ts';
import type { ToolSchema } from '../providers/provider.ts';
import type { Place } from '../types/events.ts';
import type { RunEnd } from '../types/reasons.ts';
import type { ActiveModel } from './active-model.ts';
import type { AutoClose } from './auto-close.ts';
import { type Reminder, streamTurn, type TurnResult } from './client.ts';
import type { Compactor } from './compactor.ts';
import type { Recorder } from './recorder.ts';
import type { ReminderQueue } from './reminder-queue.ts';
import { type NudgeOptions, retryReminder } from './reminders.ts';
import { buildRequest } from './request.ts';
import { type EndedRun, endAfterCalls, runEndOfError, usableCalls } from './run-end.ts';
import { nudgesSpent, reachedCap } from './snapshot.ts';
import type { Steering } from './steering.ts';
import type { ToolRunner } from './tool-runner.ts';

export type RunLoopDeps = {
  readonly recorder: Recorder;
  readonly settings: () => Settings;
  readonly model: () => ActiveModel;
  readonly systemPrompt: () => string;
  readonly schemas: readonly ToolSchema[];
  readonly runner: ToolRunner;
  readonly compactor: Compactor;
  readonly autoClose: AutoClose;
  readonly reminders: ReminderQueue;
  readonly steering: Steering;
  /** Active ms of the prompt so far. */
  readonly elapsedMs: () => number;
  /** What would happen if the run ended here. */
  readonly decide: () => ContinuationDecision;
  readonly nudgeOptions: () => NudgeOptions;
  /** Who aborted the signal: the user, or the time limit. */
  readonly endOfAbort: () => RunEnd;
};

/** From the first request of a run until the model makes no more calls, or something ends it. Never rejects. */
export type RunLoop = (runId: string, first: Reminder | undefined, signal: AbortSignal) => Promise<EndedRun>;

export function createRunLoop(deps: RunLoopDeps): RunLoop {
  const { recorder, settings, compactor, elapsedMs, decide, endOfAbort } = deps;
  const { state } = recorder;

  const oneTurn = async (place: Place, reminder: Reminder | undefined, signal: AbortSignal): Promise<TurnResult> => {
    const { provider, model, maxOutputTokens, reasoningEffort, costOf } = deps.model();
    return streamTurn(
      {
        recorder,
        settings,
        decide,
        capReached: () => reachedCap(state.prompt, settings(), elapsedMs()) !== undefined || nudgesSpent(state.prompt, settings()),
        elapsedMs,
        retryReminder: (cause) => retryReminder(state.prompt, cause, decide(), deps.nudgeOptions()),
        costOf,
      },
      {
        runId: place.runId,
        turn: place.turn,
        provider,
        origin: { provider: provider.id, model },
        reminder,
        request: (text) =>
          buildRequest({
            model,
            system: deps.systemPrompt(),
            history: state.history,
            tools: deps.schemas,
            reminder: text,
            maxOutputTokens,
            reasoningEffort,
          }),
        signal,
      },
    );
  };

  /** Every return is one end, with what there is to say about it. */
  return async (runId, first, signal) => {
    let reminder = first;
    let unusable = 0;
    let contextRetried = false;
    for (let turn = 1; ; turn += 1) {
      const place: Place = { runId, turn, attempt: 1 };
      if (signal.aborted) return { end: endOfAbort() };
      const cap = reachedCap(state.prompt, settings(), elapsedMs());
      if (cap !== undefined) return { end: cap };
      if (!(await compactor.makeRoom(place, signal))) return { end: signal.aborted ? endOfAbort() : 'context-limit' };
      const result = await oneTurn(place, deps.reminders.next(reminder, state.prompt, settings()), signal);
      reminder = undefined;
      if (result.finish === 'aborted') return { end: endOfAbort() };
      if (result.error !== undefined) {
        if (result.error.kind !== 'context-length') return { end: runEndOfError[result.error.kind], detail: result.error.message };
        if (contextRetried || !(await compactor.compact('context-error', { place, signal, focus: undefined }))) {
          return { end: signal.aborted ? endOfAbort() : 'context-limit' };
        }
        contextRetried = true;
        continue;
      }
      contextRetried = false;
      if (result.finish === 'loop') return { end: 'loop', detail: 'the same stretch of text over and over' };
      if (result.finish === 'safety') return { end: 'safety' };
      const calls = usableCalls(result);
      unusable = calls.some((call) => call.invalid !== undefined) ? unusable + 1 : 0;
      if (calls.length > 0) {
        deps.autoClose.beforeCalls(calls);
        const { loop } = await deps.runner.run(calls, result.place, signal);
        if (signal.aborted) return { end: endOfAbort() };
        const ended = endAfterCalls(state.prompt, settings(), { unusable, loop });
        if (ended !== undefined) return ended;
        if (loop !== undefined) deps.reminders.loop(loop.detail);
        deps.steering.deliver(result.place);
        continue;
      }
      if (result.finish === 'length') return { end: 'output-limit' };
      if (result.isEmpty) return { end: 'empty' };
      if (!deps.steering.deliver(result.place)) return { end: 'complete' };
    }
  };
}
