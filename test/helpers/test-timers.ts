import type { Timers } from '../../src/ui/ui-store.ts';

/** Timers that run when the test says so. */
export function createTestTimers(): Timers & { advance(ms: number): void; readonly pending: number } {
  let now = 1_000;
  let due: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, run) {
      const entry = { at: now + delayMs, run };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = due.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0];
        if (next === undefined) break;
        due = due.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    get pending() {
      return due.length;
    },
  };
}
