import { type Clock, sleepBy } from '../../src/lib/clock.ts';
import type { FakeClock } from '../helpers/fake-clock.ts';

/** Sleeps up to this long, in ms, take no real time at all: time just moves on. Longer ones wait for `advance`. */
const shortMs = 5000;

/** A fake clock for many thousand runs: it needs no turn of the event loop. */
export function createQuickClock(): FakeClock {
  let nowMs = 1_700_000_000_000;
  let ids = 0;
  const sleepers = new Set<{ readonly dueMs: number; wake(): void }>();
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 100; round += 1) await undefined;
  };
  const after: Clock['after'] = (delayMs, act) => {
    const wake = (): void => {
      sleepers.delete(sleeper);
      act();
    };
    const sleeper = { dueMs: nowMs + delayMs, wake };
    sleepers.add(sleeper);
    return () => sleepers.delete(sleeper);
  };
  return {
    now: () => nowMs,
    after,
    sleep: (delayMs, signal) => {
      if (signal?.aborted) return Promise.resolve();
      if (delayMs <= shortMs) {
        nowMs += delayMs;
        return Promise.resolve();
      }
      return sleepBy(after)(delayMs, signal);
    },
    random: () => 0.5,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    async advance(ms) {
      nowMs += ms;
      for (const sleeper of [...sleepers]) if (sleeper.dueMs <= nowMs) sleeper.wake();
      await settle();
    },
    advanceUntil: async () => {},
    pending: () => sleepers.size,
    settle,
  };
}
