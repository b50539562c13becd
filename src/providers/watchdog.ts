import type { Clock } from '../lib/clock.ts';

/** What a request is waiting for. `after-finish`: the model is done, but the usage or the end of the stream is still out. */
export type WaitPhase = 'connect' | 'first-byte' | 'idle' | 'after-finish';

export type Watchdog = {
  /** Starts this wait anew; entering is cheap, for it happens with every event. */
  enter(phase: WaitPhase, limitMs: number): void;
  stop(): void;
};

/** Calls `onExpire` once, when a wait lasted longer than its limit on the clock. One timer is open at a time, whatever arrives. */
export function startWatchdog(clock: Clock, onExpire: (phase: WaitPhase) => void): Watchdog {
  let phase: WaitPhase = 'connect';
  let deadlineMs = Number.POSITIVE_INFINITY;
  let timer: { readonly wakesAtMs: number; readonly cancel: () => void } | undefined;
  let stopped = false;

  const set = (now: number): void => {
    timer?.cancel();
    timer = { wakesAtMs: deadlineMs, cancel: clock.after(deadlineMs - now, look) };
  };
  const look = (): void => {
    const now = clock.now();
    if (now < deadlineMs) set(now);
    else {
      stopped = true;
      onExpire(phase);
    }
  };

  return {
    enter(next, limitMs) {
      if (stopped) return;
      const now = clock.now();
      phase = next;
      deadlineMs = now + limitMs;
      // a timer that wakes too early looks again
      if (timer === undefined || deadlineMs < timer.wakesAtMs) set(now);
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
