import type { Clock } from '../lib/clock.ts';
import type { CallOutcome } from './result.ts';

/** Something from outside that ends the call: a signal, a crash elsewhere, a closed output. */
export type Stop = {
  /** Only the first one counts. */
  request(outcome: CallOutcome): void;
  requested(): CallOutcome | undefined;
  /** Resolves with the first request. */
  readonly asked: Promise<void>;
  /** Resolves when work had `stopWithinMs` to end after a request. */
  readonly late: Promise<void>;
  /** Ends the time that work has to stop, once it was asked to. */
  hurry(): void;
  /** Ends the waiting. */
  dispose(): void;
};

/** How long work may take to stop before the result is written without it, in ms; the whole exit must fit into 5 s. */
export const stopWithinMs = 3000;

export function createStop(clock: Clock, onRequest: () => void): Stop {
  const late = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const waiting = new AbortController();
  let requested: CallOutcome | undefined;
  return {
    request(outcome) {
      if (requested !== undefined) return;
      requested = outcome;
      asked.resolve();
      onRequest();
      void clock.sleep(stopWithinMs, waiting.signal).then(late.resolve);
    },
    requested: () => requested,
    hurry() {
      if (requested !== undefined) late.resolve();
    },
    asked: asked.promise,
    late: late.promise,
    dispose: () => waiting.abort(),
  };
}

/** The outcome of a process signal, or of a crash (70), by exit code. */
export function outcomeOfSignal(exitCode: number): CallOutcome {
  switch (exitCode) {
    case 70:
      return { reason: 'internal', exitCode, sentence: 'Stopped by an internal error; the session is saved' };
    case 143:
      return { reason: 'aborted', exitCode, sentence: 'Stopped by SIGTERM; the session is saved' };
    default:
      return { reason: 'aborted', exitCode, sentence: 'Stopped by a signal; the session is saved' };
  }
}

export const outputClosed: CallOutcome = {
  reason: 'output-closed',
  exitCode: 1,
  sentence: 'Stopped: the output was closed before the work ended',
};
