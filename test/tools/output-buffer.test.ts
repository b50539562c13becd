import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOutputBuffer } from '../../src/tools/output-buffer.ts';

it('keeps short output whole, however it arrives', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 8 }), (pieces) => {
      const buffer = createOutputBuffer({ headChars: 100, tailChars: 500 });
      for (const piece of pieces) buffer.push(piece);
      expect(buffer.text()).toBe(pieces.join(''));
    }),
    { numRuns: 200, seed: 1 },
  );
});

it('keeps head and tail of long output, counts the rest, and splits no character', () => {
  const buffer = createOutputBuffer({ headChars: 5, tailChars: 5 });
  for (let index = 0; index < 1000; index += 1) buffer.push('😀b');
  const text = buffer.text();
  expect(text).toBe('😀b😀\n… 2991 characters left out …\nb😀b');
  expect(text.isWellFormed()).toBe(true);
});

it('starts anew after clear', () => {
  const buffer = createOutputBuffer({ headChars: 2, tailChars: 2 });
  buffer.push('abcdefgh');
  buffer.clear();
  buffer.push('xy');
  expect(buffer.text()).toBe('xy');
  expect(buffer.length()).toBe(2);
});
