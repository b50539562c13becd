import { expect, it } from 'vitest';
import { countOf, formatBytes, headOf, tailOf } from '../../src/lib/text.ts';

it.each([
  ['short text whole', 'ab', 5, 'ab', 'ab'],
  ['the exact length', 'abcde', 5, 'abcde', 'abcde'],
  ['long text', 'abcdef', 3, 'abc', 'def'],
  ['no half of a pair at the cut', 'a😀😀b', 4, 'a😀', '😀b'],
])('cuts: %s', (_name, text, length, head, tail) => {
  expect(headOf(text, length)).toBe(head);
  expect(tailOf(text, length)).toBe(tail);
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [20 * 1024 ** 2, '20 MiB'],
  [3 * 1024 ** 5, '3072 TiB'],
])('formatBytes(%d) is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('countOf knows one from many', () => {
  expect([countOf(0, 'line'), countOf(1, 'line'), countOf(2, 'match', 'matches')]).toEqual(['0 lines', '1 line', '2 matches']);
});
