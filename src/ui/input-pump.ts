import { createKeyDecoder, type Key } from './keys.ts';
import type { Timers } from './ui-store.ts';

/** Turns raw input into keys, one after the other. What comes before `start` waits for it, so that no key is lost. */
export type InputPump = { push(text: string): void; start(onKey: (key: Key) => void): void };

/** A lone ESC is the Esc key when nothing follows for so long, ms. */
const escapeWaitMs = 25;

export function createInputPump(timers: Timers, early: string): InputPump {
  const decoder = createKeyDecoder();
  let waiting = early;
  let onKey: ((key: Key) => void) | undefined;
  let cancelEscape: (() => void) | undefined;

  const route = (keys: readonly Key[]): void => {
    for (const key of keys) onKey?.(key);
  };
  /** A busy program sees its timers before the input that is there already: one more turn lets that in. */
  const lastChance = (): void => {
    cancelEscape = timers.after(0, () => route(decoder.flush()));
  };
  const push = (text: string): void => {
    if (onKey === undefined) {
      waiting += text;
      return;
    }
    cancelEscape?.();
    route(decoder.push(text));
    if (decoder.waiting) cancelEscape = timers.after(escapeWaitMs, lastChance);
  };

  return {
    push,
    start(listener) {
      onKey = listener;
      if (waiting !== '') push(waiting);
    },
  };
}
