import { describe, expect, it } from 'vitest';
import { linesOf, linesOfStream, toJsonLine } from '../../src/lib/jsonl.ts';

describe('linesOf', () => {
  it.each<[string, readonly [string, boolean][]]>([
    ['', []],
    ['a\n', [['a', true]]],
    [
      'a\n\nb',
      [
        ['a', true],
        ['', true],
        ['b', false],
      ],
    ],
    ['\n', [['', true]]],
  ])('%j', (text, expected) => {
    const lines = [...linesOf(Buffer.from(text))];
    expect(lines.map(({ bytes, terminated }) => [bytes.toString(), terminated])).toEqual(expected);
    expect(lines.at(-1)?.end ?? 0).toBe(text.length);
  });
});

describe('linesOfStream', () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ['a\nb', 'c\n'],
      ['a', 'bc'],
    ],
    [['a', '', 'b'], ['ab']],
    [['a\r\n\n'], ['a\r', '']],
    [[], []],
  ])('%j', async (pieces, expected) => {
    async function* stream(): AsyncGenerator<string> {
      yield* pieces;
    }
    const lines: string[] = [];
    for await (const line of linesOfStream(stream())) lines.push(line);
    expect(lines).toEqual(expected);
  });
});

describe('toJsonLine', () => {
  it.each(['\u001b[31m', '\u009b31m', '\u202eevil', '\u200b', '\u2028', '\ufeff', '\ud83d\ude00 emoji', '漢字'])(
    '%j is harmless and unchanged',
    (text) => {
      const line = toJsonLine({ text });
      expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/u);
      expect(line.endsWith('\n')).toBe(true);
      expect(JSON.parse(line)).toEqual({ text });
    },
  );
});
