import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type Key } from '../../src/ui/keys.ts';

function press(name: string, modifiers: Partial<{ ctrl: boolean; alt: boolean; shift: boolean }> = {}): Key {
  return { kind: 'press', name, ctrl: false, alt: false, shift: false, ...modifiers };
}

const table: readonly (readonly [name: string, input: string, keys: readonly Key[]])[] = [
  ['text in one piece', 'héllo 👋🏽', [{ kind: 'text', text: 'héllo 👋🏽' }]],
  ['Enter between text', 'a\rb', [{ kind: 'text', text: 'a' }, press('enter'), { kind: 'text', text: 'b' }]],
  ['Ctrl+J is not Enter', '\n', [press('j', { ctrl: true })]],
  ['control letters', '\u0001\u0005\u0019', [press('a', { ctrl: true }), press('e', { ctrl: true }), press('y', { ctrl: true })]],
  ['both backspaces', '\u007f\u0008', [press('backspace'), press('backspace')]],
  ['undo on Ctrl+_', '\u001f', [press('_', { ctrl: true })]],
  ['arrows, both forms', '\u001b[A\u001bOB', [press('up'), press('down')]],
  [
    'modified arrows',
    '\u001b[1;5C\u001b[1;3D\u001b[1;2A',
    [press('right', { ctrl: true }), press('left', { alt: true }), press('up', { shift: true })],
  ],
  [
    'navigation keys',
    '\u001b[3~\u001b[5~\u001b[6~\u001b[H\u001b[4~',
    [press('delete'), press('pageup'), press('pagedown'), press('home'), press('end')],
  ],
  ['Shift+Tab', '\u001b[Z', [press('tab', { shift: true })]],
  ['Alt+letter and Alt+Enter', '\u001bb\u001b\r', [press('b', { alt: true }), press('enter', { alt: true })]],
  ['Shift+Enter, kitty', '\u001b[13;2u', [press('enter', { shift: true })]],
  ['Shift+Enter, xterm', '\u001b[27;2;13~', [press('enter', { shift: true })]],
  ['Ctrl+letter, kitty', '\u001b[97;5u', [press('a', { ctrl: true })]],
  ['Esc, kitty', '\u001b[27u', [press('escape')]],
  ['a letter with text, kitty', '\u001b[97;2;65u', [{ kind: 'text', text: 'A' }]],
  ['key releases are nothing', '\u001b[97;1:3u', []],
  ['media keys are nothing', '\u001b[57428u', []],
  [
    'focus reports',
    '\u001b[I\u001b[O',
    [
      { kind: 'focus', focused: true },
      { kind: 'focus', focused: false },
    ],
  ],
  [
    'answers are not keys',
    '\u001b[?1u\u001b[24;80R',
    [
      { kind: 'reply', sequence: '\u001b[?1u' },
      { kind: 'reply', sequence: '\u001b[24;80R' },
    ],
  ],
  [
    'an OSC answer',
    '\u001b]11;rgb:0000/0000/0000\u0007x',
    [
      { kind: 'reply', sequence: '\u001b]11;rgb:0000/0000/0000' },
      { kind: 'text', text: 'x' },
    ],
  ],
  [
    'a paste',
    '\u001b[200~a\r\nb\u001b[A\u001b[201~c',
    [
      { kind: 'paste', text: 'a\r\nb\u001b[A' },
      { kind: 'text', text: 'c' },
    ],
  ],
  ['Linux console function keys', '\u001b[[Ax', [{ kind: 'text', text: 'x' }]],
];

/** Neighbouring texts as one: where a chunk ends is no matter. */
function joined(keys: readonly Key[]): readonly Key[] {
  return keys.reduce<Key[]>((all, key) => {
    const last = all.at(-1);
    if (key.kind === 'text' && last?.kind === 'text') all[all.length - 1] = { kind: 'text', text: last.text + key.text };
    else all.push(key);
    return all;
  }, []);
}

describe('createKeyDecoder', () => {
  it.each(table)('%s', (_name, input, keys) => {
    expect(createKeyDecoder().push(input)).toEqual(keys);
  });

  it.each(table)('%s, split at every place', (_name, input, keys) => {
    for (let at = 1; at < input.length; at += 1) {
      const decoder = createKeyDecoder();
      expect(joined([...decoder.push(input.slice(0, at)), ...decoder.push(input.slice(at)), ...decoder.flush()])).toEqual(keys);
    }
  });

  it('takes a lone ESC for the Esc key only when nothing follows', () => {
    const decoder = createKeyDecoder();
    expect(decoder.push('\u001b')).toEqual([]);
    expect(decoder.waiting).toBe(true);
    expect(decoder.flush()).toEqual([press('escape')]);
    expect(decoder.waiting).toBe(false);
  });

  it('collects a long paste in pieces, without waiting for a flush', () => {
    const decoder = createKeyDecoder();
    const line = 'x'.repeat(1000);
    decoder.push('\u001b[200~');
    for (let index = 0; index < 1000; index += 1) expect(decoder.push(line)).toEqual([]);
    expect(decoder.waiting).toBe(false);
    const [paste] = decoder.push('\u001b[201~');
    expect(paste?.kind === 'paste' && paste.text.length).toBe(1_000_000);
  });
});
