import type { Clock } from '../lib/clock.ts';
import { tailOf } from '../lib/text.ts';

/** Live output at a pace that a screen can follow: at most one piece per `intervalMs`, at most `maxChars` of it, the newest. */
export type Pacer = { push(text: string): void; flush(): void };

/** Wraps a listener; the first piece goes through at once. `flush` hands over what waits. */
export function createPacer(clock: Clock, listener: (text: string) => void, limits = { intervalMs: 50, maxChars: 8192 }): Pacer {
  let waiting: string[] = [];
  let waitingLength = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let scheduled = false;

  const flush = (): void => {
    if (waitingLength === 0) return;
    const text = tailOf(waiting.join(''), limits.maxChars);
    waiting = [];
    waitingLength = 0;
    lastAt = clock.now();
    listener(text);
  };

  return {
    flush,
    push(text) {
      waiting.push(text);
      waitingLength += text.length;
      if (waitingLength > 4 * limits.maxChars) {
        waiting = [tailOf(waiting.join(''), limits.maxChars)];
        waitingLength = limits.maxChars;
      }
      if (clock.now() - lastAt >= limits.intervalMs) return flush();
      if (scheduled) return;
      scheduled = true;
      void clock.sleep(limits.intervalMs).then(() => {
        scheduled = false;
        flush();
      });
    },
  };
}
