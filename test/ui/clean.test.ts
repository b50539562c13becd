import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanChunk, cleanStart, cleanText, revealText } from '../../src/ui/clean.ts';

describe('cleanText', () => {
  it.each([
    ['plain text', 'a\tb\nc', 'a\tb\nc'],
    ['colours', 'a\u001b[31mb\u001b[0m', 'ab'],
    ['cursor moves and clears', '\u001b[2J\u001b[Hx\u001b[1A', 'x'],
    ['titles and clipboard writes', '\u001b]0;evil\u0007x\u001b]52;c;aGk=\u001b\\y', 'xy'],
    ['device strings', '\u001bP1$r0m\u001b\\z', 'z'],
    ['8-bit forms', '\u009b31mx\u009d0;t\u009cy', 'xy'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
    ['other control characters', 'a\u0000\u0007\u0008\u007fb', 'ab'],
    ['a lone ESC', 'a\u001b', 'a'],
  ])('%s', (_name, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('gives the same for a stream, wherever it is cut, and never an escape', () => {
    const piece = fc.constantFrom(
      'abc',
      '\u001b[31m',
      '\u001b]0;t\u0007',
      '\u001b[1;2H',
      '\r\n',
      '\u009b0m',
      'ü',
      '\u001b',
      '[x',
      '\u0007',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(80), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join('');
        const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
        let state = cleanStart;
        let streamed = '';
        for (let index = 1; index < places.length; index += 1) {
          const step = cleanChunk(state, text.slice(places[index - 1], places[index]));
          state = step.state;
          streamed += step.text;
        }
        expect(streamed + cleanText(state.held)).toBe(cleanText(text));
        expect(/[\u001b\u009b\u0007]/.test(streamed)).toBe(false);
      }),
      { numRuns: 300 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1), seed: Number(process.env.TILLDONE_SEED ?? 1) },
    );
  });

  it('spells out what would be invisible in a command', () => {
    expect(revealText('rm\u202e -rf\u200b x\u001b')).toBe('rm\\u{202e} -rf\\u{200b} x\\u{1b}');
  });
});
