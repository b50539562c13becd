import { expect, it } from 'vitest';
import { createInputPump } from '../../src/ui/input-pump.ts';
import { reduceInput } from '../../src/ui/input-state.ts';
import { createKeyPreview } from '../../src/ui/key-preview.ts';
import type { Key } from '../../src/ui/keys.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

function createTyped(typed: string) {
  const timers = createTestTimers();
  const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
  const preview = createKeyPreview(store);
  const pump = createInputPump(timers, typed);
  pump.start(preview.key);
  return { store, preview, pump, shown: () => store.get().input.text };
}

it.each([
  ['text', 'hello', 'hello'],
  ['what is taken back', 'hellx\u007fo', 'hello'],
  ['a paste', '\u001b[200~two\nlines\u001b[201~', 'two\nlines'],
  ['nothing after Enter', 'first\rsecond', 'first'],
  ['nothing after Ctrl+R', 'one\u0012two', 'one'],
  ['text around a report of the terminal', 'a\u001b[Ib', 'ab'],
])('shows %s', (_name, typed, expected) => {
  expect(createTyped(typed).shown()).toBe(expected);
});

it('hands every key over, in order, those to come too, and clears the line that they will write again', () => {
  const { store, preview, pump, shown } = createTyped('ab\r');
  store.update((state) => ({ ...state, input: reduceInput(state.input, { type: 'load-history', lines: ['earlier'] }) }));
  const keys: Key[] = [];
  preview.handOver((key) => keys.push(key));
  expect(shown()).toBe('');
  expect(store.get().input.history).toEqual(['earlier']);
  pump.push('c');
  expect(keys.map((key) => (key.kind === 'text' ? key.text : key.kind === 'press' ? key.name : key.kind))).toEqual(['ab', 'enter', 'c']);
  expect(shown()).toBe('');
});
