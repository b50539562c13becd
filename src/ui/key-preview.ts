import { emptyInput, reduceInput } from './input-state.ts';
import { editActionOf } from './key-bindings.ts';
import type { Key } from './keys.ts';
import type { UiStore } from './ui-store.ts';

/** The keys of the moment between the first frame and the session: the input shows what they write, and the chat gets all of them. */
export type KeyPreview = {
  key(key: Key): void;
  /** Gives every key to `onKey`, in order, those to come too. */
  handOver(onKey: (key: Key) => void): void;
};

export function createKeyPreview(store: UiStore): KeyPreview {
  const keys: Key[] = [];
  let next: ((key: Key) => void) | undefined;
  /** A key that does more than edit ends the preview: what follows it may go elsewhere. */
  let onlyEdits = true;
  return {
    key(key) {
      if (next !== undefined) {
        next(key);
        return;
      }
      keys.push(key);
      if (key.kind === 'focus' || key.kind === 'reply') return;
      const action = editActionOf(key);
      onlyEdits &&= action !== undefined;
      if (onlyEdits && action !== undefined) store.update((state) => ({ ...state, input: reduceInput(state.input, action) }), 'now');
    },
    handOver(onKey) {
      next = onKey;
      store.update((state) => ({ ...state, input: { ...emptyInput, history: state.input.history } }));
      for (const key of keys.splice(0)) onKey(key);
    },
  };
}
