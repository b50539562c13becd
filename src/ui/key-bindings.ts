import type { InputAction } from './input-state.ts';
import type { Key } from './keys.ts';

type Simple = Exclude<InputAction, { text: string } | { line: string } | { lines: readonly string[] }>['type'];

const plainKeys: Readonly<Record<string, Simple>> = {
  backspace: 'backspace',
  delete: 'delete',
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'line-start',
  end: 'line-end',
};

const controlKeys: Readonly<Record<string, Simple>> = {
  a: 'line-start',
  b: 'left',
  d: 'delete',
  e: 'line-end',
  f: 'right',
  h: 'backspace',
  k: 'kill-to-end',
  n: 'history-next',
  p: 'history-previous',
  t: 'transpose',
  u: 'kill-to-start',
  w: 'kill-space-word-left',
  y: 'yank',
  _: 'undo',
  '/': 'undo',
  '-': 'undo',
  left: 'word-left',
  right: 'word-right',
  home: 'start',
  end: 'end',
  delete: 'kill-word-right',
  backspace: 'kill-word-left',
};

const altKeys: Readonly<Record<string, Simple>> = {
  b: 'word-left',
  f: 'word-right',
  d: 'kill-word-right',
  y: 'yank-pop',
  left: 'word-left',
  right: 'word-right',
  backspace: 'kill-word-left',
  '<': 'start',
  '>': 'end',
};

/** What a key does to the line, if it edits at all. Keys with a meaning for the whole screen are taken out before. */
export function editActionOf(key: Key): InputAction | undefined {
  if (key.kind === 'text') return { type: 'insert', text: key.text };
  if (key.kind === 'paste') return { type: 'paste', text: key.text };
  if (key.kind !== 'press') return undefined;
  if (isNewline(key)) return { type: 'insert', text: '\n' };
  const table = key.ctrl ? controlKeys : key.alt ? altKeys : plainKeys;
  if (key.alt && key.ctrl && key.name === '_') return { type: 'redo' };
  const type = Object.hasOwn(table, key.name) ? table[key.name] : undefined;
  return type === undefined ? undefined : { type };
}

/** Shift+Enter and Ctrl+J put a line break in. */
export function isNewline(key: Key): boolean {
  return key.kind === 'press' && ((key.name === 'enter' && (key.shift || key.ctrl)) || (key.ctrl && key.name === 'j'));
}

/** A named key, without modifiers unless they are given. */
export function isPress(key: Key, name: string, modifier?: 'ctrl' | 'alt' | 'shift'): boolean {
  if (key.kind !== 'press' || key.name !== name) return false;
  return key.ctrl === (modifier === 'ctrl') && key.alt === (modifier === 'alt') && key.shift === (modifier === 'shift');
}
