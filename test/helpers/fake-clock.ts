import { type Clock, sleepBy } from '../../src/lib/clock.ts';

/** A clock that stands still until it is told to move; ids and random numbers are the same in every run. */
export type FakeClock = Clock & {
  /** Moves time on by `ms`, waking due sleepers in order of their time; what they do next is let settle before the next one wakes. */
  advance(ms: number): Promise<void>;
  /** Advances to the next sleeper, again and again, until `done()` or until nobody sleeps. */
  advanceUntil(done: () => boolean, limitMs?: number): Promise<void>;
  /** How many sleeps and timers are open. */
  pending(): number;
  /** Lets everything run that needs no time: microtasks and callbacks that are already queued. */
  settle(): Promise<void>;
};

type Sleeper = { readonly dueMs: number; readonly order: number; wake(): void };

/** A fake clock that starts at `start` ms since the epoch; `seed` sets its random numbers. */
export function createFakeClock(start = 1_700_000_000_000, seed = 1): FakeClock {
  let nowMs = start;
  let order = 0;
  let ids = 0;
  let state = seed >>> 0;
  const sleepers = new Set<Sleeper>();

  const earliest = (): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (first === undefined || sleeper.dueMs < first.dueMs || (sleeper.dueMs === first.dueMs && sleeper.order < first.order)) {
        first = sleeper;
      }
    }
    return first;
  };
  // One immediate lets the whole microtask queue run dry; the second catches what those queued behind I/O callbacks.
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 2; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const advance = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms;
    await settle();
    for (let next = earliest(); next !== undefined && next.dueMs <= untilMs; next = earliest()) {
      nowMs = Math.max(nowMs, next.dueMs);
      next.wake();
      await settle();
    }
    nowMs = untilMs;
  };

  const after: Clock['after'] = (delayMs, act) => {
    const wake = (): void => {
      sleepers.delete(sleeper);
      act();
    };
    order += 1;
    const sleeper: Sleeper = { dueMs: nowMs + Math.max(0, delayMs), order, wake };
    sleepers.add(sleeper);
    return () => sleepers.delete(sleeper);
  };

  return {
    now: () => nowMs,
    after,
    sleep: sleepBy(after),
    random() {
      // mulberry32
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    },
    newId() {
      ids += 1;
      return `id-${String(ids).padStart(4, '0')}`;
    },
    advance,
    async advanceUntil(done, limitMs = 3_600_000) {
      const untilMs = nowMs + limitMs;
      await settle();
      for (let next = earliest(); !done() && next !== undefined && next.dueMs <= untilMs; next = earliest()) {
        await advance(Math.max(0, next.dueMs - nowMs));
      }
    },
    pending: () => sleepers.size,
    settle,
  };
}
