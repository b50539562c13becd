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
};

export function createStopwatch(clock: Clock, waitedForPersonMs: () => number): Stopwatch {
  let used = 0;
  let startedAt: number | undefined;
  let waitedBefore = 0;
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
      const watch = async (): Promise<void> => {
        while (!signal.aborted) {
          const seconds = limit();
          if (seconds === null) return;
          const left = seconds * 1000 - elapsedMs();
          if (left <= 0) return onReached();
          await clock.sleep(left, signal);
        }
      };
      void watch();
    },
  };
}
