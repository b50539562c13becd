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
const longestSleepMs = 86_400_000;

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
      const watch = async (): Promise<void> => {
        while (!signal.aborted) {
          const seconds = limit();
          const left = seconds === null ? Number.POSITIVE_INFINITY : seconds * 1000 - elapsedMs();
          if (left <= 0) return onReached();
          await untilNextLook(left);
        }
      };
      /** Ends after `ms`, with the signal, or when the limit may have changed. */
      const untilNextLook = async (ms: number): Promise<void> => {
        const woken = new AbortController();
        const wake = (): void => woken.abort();
        watching.add(wake);
        signal.addEventListener('abort', wake, { once: true });
        if (ms < Number.POSITIVE_INFINITY) await clock.sleep(Math.min(ms, longestSleepMs), woken.signal);
        else await new Promise<void>((resolve) => woken.signal.addEventListener('abort', () => resolve(), { once: true }));
        signal.removeEventListener('abort', wake);
        watching.delete(wake);
      };
      void watch();
    },
    limitChanged() {
      for (const wake of watching) wake();
    },
  };
}
