import type { Clock } from '../lib/clock.ts';

/** What a request is waiting for. `after-finish`: the model is done, but the usage or the end of the stream is still out. */
export type WaitPhase = 'connect' | 'first-byte' | 'idle' | 'after-finish';

/** A reason of our own: without one each abort makes an error with its stack. */
const woken = 'woken';

export type Watchdog = {
  /** Starts this wait anew; entering is cheap, for it happens with every event. */
  enter(phase: WaitPhase, limitMs: number): void;
  stop(): void;
};

/** Calls `onExpire` once, when a wait lasted longer than its limit on the clock. One sleep is open at a time, whatever arrives. */
export function startWatchdog(clock: Clock, onExpire: (phase: WaitPhase) => void): Watchdog {
  let phase: WaitPhase = 'connect';
  let deadlineMs = Number.POSITIVE_INFINITY;
  let wakesAtMs = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let sleep: AbortController | undefined;

  const run = async (): Promise<void> => {
    while (!stopped) {
      const now = clock.now();
      if (now >= deadlineMs) {
        stopped = true;
        onExpire(phase);
        return;
      }
      wakesAtMs = deadlineMs;
      sleep = new AbortController();
      await clock.sleep(deadlineMs - now, sleep.signal);
    }
  };

  return {
    enter(next, limitMs) {
      phase = next;
      deadlineMs = clock.now() + limitMs;
      if (wakesAtMs === Number.NEGATIVE_INFINITY) void run();
      else if (deadlineMs < wakesAtMs) sleep?.abort(woken);
    },
    stop() {
      stopped = true;
      sleep?.abort(woken);
    },
  };
}
