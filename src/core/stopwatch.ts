import type { Clock } from '../lib/clock.ts';

/** Active time of a prompt: runs count, time waiting for a person does not. */
export type Stopwatch = {
  /** Ms so far. */
  elapsedMs(): number;
  start(): void;
  stop(): void;
  /** Begins anew with what a resumed prompt had used. */
  reset(elapsedMs: number): void;
  /** Calls `onReached` once the limit in seconds is used up; ends with the signal. */
  onLimit(limit: () => number | null, onReached: () => void, signal: AbortSignal): void;
  /** The limit may have changed: it is looked at again. */
  limitChanged(): void;
};

/** Timers of more than some 24 days would fire at once. */
const longestWaitMs = 86_400_000;

export function createStopwatch(clock: Clock, waitedForPersonMs: () => number): Stopwatch {
  let used = 0;
  let startedAt: number | undefined;
  let waitedBefore = 0;
  const watching = new Set<() => void>();
  const elapsedMs = (): number => (startedAt === undefined ? used : used + clock.now() - startedAt - (waitedForPersonMs() - waitedBefore));
  return {
    elapsedMs,
    start() {
      startedAt = clock.now();
      waitedBefore = waitedForPersonMs();
    },
    stop() {
      used = elapsedMs();
      startedAt = undefined;
    },
    reset(elapsed) {
      used = elapsed;
      if (startedAt !== undefined) startedAt = clock.now();
    },
    onLimit(limit, onReached, signal) {
      if (signal.aborted) return;
      let cancel = (): void => {};
      const look = (): void => {
        cancel();
        const seconds = limit();
        if (seconds === null) return;
        const left = seconds * 1000 - elapsedMs();
        if (left > 0) cancel = clock.after(Math.min(left, longestWaitMs), look);
        else {
          end();
          onReached();
        }
      };
      const end = (): void => {
        cancel();
        watching.delete(look);
        signal.removeEventListener('abort', end);
      };
      watching.add(look);
      signal.addEventListener('abort', end, { once: true });
      look();
    },
    limitChanged() {
      for (const look of watching) look();
    },
  };
}
