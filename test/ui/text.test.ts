import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { graphemesOf, truncateLine, truncateStart, widthOf, wrapLine, wrapText } from '../../src/ui/text.ts';

describe('wrapLine', () => {
  it.each<[name: string, line: string, width: number, rows: readonly string[]]>([
    ['short lines stay', 'abc', 5, ['abc']],
    ['breaks at spaces', 'one two three', 7, ['one two', 'three']],
    ['breaks inside a long word', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['keeps indentation', '  one two', 6, ['  one', 'two']],
    ['no trailing spaces', 'one two   ', 20, ['one two']],
    ['wide characters break anywhere', '漢字漢字漢', 4, ['漢字', '漢字', '漢']],
    ['wide characters do not overflow', '漢字漢', 5, ['漢字', '漢']],
    ['styles go on in the next row', '\u001b[1mone two\u001b[22m', 3, ['\u001b[1mone\u001b[0m', '\u001b[1mtwo\u001b[22m']],
    ['a width of nothing is one', 'ab', 0, ['a', 'b']],
  ])('%s', (_name, line, width, rows) => {
    expect(wrapLine(line, width)).toEqual(rows);
  });

  it('loses nothing but spaces at breaks, and no row is too wide', () => {
    const piece = fc.constantFrom(
      'word',
      ' ',
      'a',
      '漢',
      '👨‍👩‍👧',
      'e\u0301',
      '\u001b[1mbold\u001b[22m',
      '\u001b[31mred\u001b[39m',
      '   ',
      'longlonglongword',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 2, max: 20 }), (pieces, width) => {
        const line = pieces.join('');
        const rows = wrapLine(line, width);
        for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width);
        const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '').replace(/ /g, '');
        expect(plain(rows.join(''))).toBe(plain(line));
      }),
      { numRuns: 300 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1), seed: Number(process.env.TILLDONE_SEED ?? 1) },
    );
  });
});

describe('text helpers', () => {
  it('indents the first row otherwise than the rest', () => {
    expect(wrapText('one two\nthree', 7, { first: '- ', rest: '  ' })).toEqual(['- one', '  two', '  three']);
  });
  it('cuts at the end or the beginning', () => {
    expect(truncateLine('abcdef', 4)).toBe('abc…');
    expect(truncateLine('漢字漢字', 5)).toBe('漢字…');
    expect(truncateStart('/a/long/path', 6)).toBe('…/path');
    expect(truncateLine('abc', 0)).toBe('');
  });
  it('counts columns as the full measure does', () => {
    for (let code = 0x20; code < 0x3000; code += 1) {
      const character = String.fromCharCode(code);
      if (/\p{L}|\p{N}|\p{P}|\p{S}/u.test(character))
        expect(`${character} ${widthOf(character)}`).toBe(`${character} ${stringWidth(character)}`);
    }
    expect(widthOf('\u001b[1mab\u001b[22m…')).toBe(3);
  });

  it('counts columns and graphemes', () => {
    expect(widthOf('漢a')).toBe(3);
    expect(graphemesOf('e\u0301👨‍👩‍👧x')).toEqual(['e\u0301', '👨‍👩‍👧', 'x']);
  });
});
