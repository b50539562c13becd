import { describe, expect, it } from 'vitest';
import { createSanitizer, revealText, sanitizeChunk, sanitizeStart, sanitizeText, toDisplayLine } from '../../src/lib/sanitize.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const factor = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
const seed = Number(process.env.TILLDONE_SEED ?? 1);

describe('sanitizeText', () => {
  it.each([
    ['plain text', 'grün 漢字 👩‍👩‍👧 a\tb\n', 'grün 漢字 👩‍👩‍👧 a\tb\n'],
    ['colour', '\x1b[31mred\x1b[0m', 'red'],
    ['a long CSI', '\x1b[38;2;1;2;3mx', 'x'],
    ['private CSI', '\x1b[?1049hx', 'x'],
    ['cursor movement', 'a\x1b[2J\x1b[Hb', 'ab'],
    ['a title', '\x1b]0;title\x07x', 'x'],
    ['a link', '\x1b]8;;http://a\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['the clipboard', '\x1b]52;c;aGk=\x07x', 'x'],
    ['DCS', '\x1bP1$r0m\x1b\\x', 'x'],
    ['APC, PM, SOS', '\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\d', 'd'],
    ['C1 CSI', 'a\x9b31mb', 'ab'],
    ['C1 OSC', 'a\x9d0;t\x9cb', 'ab'],
    ['C1 DCS ended by BEL', 'a\x90q\x07b', 'ab'],
    ['other C1', 'a\x85b\x84c', 'abc'],
    ['two-character escapes', 'a\x1bcb\x1b7c\x1b(Bd', 'abcd'],
    ['bell, backspace, NUL, DEL', 'a\x07b\x08c\0d\x7fe', 'abcde'],
    ['CRLF', 'a\r\nb', 'a\nb'],
    ['a lone return', '10%\r20%\r', '10%\n20%\n'],
    ['an escape at the end', 'a\x1b', 'a'],
    ['a CSI cut off', 'a\x1b[31', 'a'],
    ['a CSI broken by text', 'a\x1b[31\u00e4b', 'a\u00e4b'],
    ['an escape before a letter that ends none', 'a\x1b\u00e4b', 'a\u00e4b'],
    ['a string without end stops at the line', '\x1b]0;title\nnext', '\nnext'],
    ['a string that another escape ends', '\x1b]0;t\x1b[31mx', 'x'],
    ['CAN ends a sequence', 'a\x1b[3\x18b', 'ab'],
    ['SUB ends a sequence', 'a\x1b]0;t\x1ab', 'ab'],
    ['an escape inside an escape', 'a\x1b\x1b[31mb', 'ab'],
  ])('%s', (_name, text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
  });

  it('gives text back after a sequence that is too long', () => {
    expect(sanitizeText(`\x1b]0;${'a'.repeat(10_000)}`).length).toBeGreaterThan(5000);
  });
});

const pieces = [
  '\x1b',
  '\x1b[',
  '\x1b]',
  '\x1bP',
  '\x1b\\',
  '\x07',
  '\x9b',
  '\x9d',
  '\x9c',
  '\x90',
  '\r',
  '\n',
  '\t',
  '\0',
  '\x7f',
  '\x85',
  '\x18',
  '31',
  'm',
  ';',
  'a',
  'é',
  '漢',
  '\ud83d\ude00',
  '\ud800',
  '\u202e',
  '\ufeff',
  ' ',
];

/** Text from random bytes and from telling pieces, in random chunks. */
function randomChunks(random: () => number): string[] {
  const length = Math.floor(random() * 24);
  const text = Array.from({ length }, () =>
    random() < 0.5 ? (pieces[Math.floor(random() * pieces.length)] ?? '') : String.fromCharCode(Math.floor(random() * 256)),
  ).join('');
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * 5);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

describe('streams', () => {
  const count = Math.round(50_000 * factor);

  it(`lets only allowed characters out of ${count} random texts, chunked anywhere as in one piece`, () => {
    const { random } = createFakeClock(0, seed);
    for (let round = 0; round < count; round += 1) {
      const chunks = randomChunks(random);
      const sanitize = createSanitizer();
      const text = chunks.map(sanitize).join('');
      if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u.test(text) || text !== sanitizeText(chunks.join(''))) {
        expect.fail(`${JSON.stringify(chunks)} gave ${JSON.stringify(text)}`);
      }
      if (sanitizeText(text) !== text) expect.fail(`${JSON.stringify(text)} is not the same when sanitised again`);
    }
  });

  it('keeps the state of plain text and gives plain chunks back as they are', () => {
    expect(sanitizeChunk(sanitizeStart, 'plain')).toEqual({ text: 'plain', state: sanitizeStart });
    expect(sanitizeChunk(sanitizeStart, 'plain').state).toBe(sanitizeStart);
  });

  it.each(['a', '\x1b', '\x1b[', '\x1b]', '\x1b]0;', '\r', '\x9b1', '\x1b[31mred', '\x1bP\x1b', '\x1b]a\n'])(
    'is linear in repeats of %j',
    (piece) => {
      const time = (repeats: number): number => {
        const text = piece.repeat(repeats);
        const start = performance.now();
        sanitizeText(text);
        return performance.now() - start;
      };
      time(10_000);
      // quadratic work would take minutes
      expect(time(300_000)).toBeLessThan(5000);
    },
  );
});

describe('revealText', () => {
  it.each([
    ['right-to-left override', 'rm \u202etxt.exe', 'rm \\u{202e}txt.exe'],
    ['zero width space', 'r\u200bm', 'r\\u{200b}m'],
    ['no-break space', 'rm\u00a0-rf', 'rm\\u{a0}-rf'],
    ['soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['tag characters', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['braille blank', 'a\u2800b', 'a\\u{2800}b'],
    ['variation selector', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['escape', 'a\x1b[31m', 'a\\u{1b}[31m'],
    ['carriage return', 'safe\rrm', 'safe\\u{d}rm'],
    ['half a pair', 'a\ud800b', 'a\\u{d800}b'],
    ['line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['line breaks, tabs and letters stay', 'a\n\tb é 漢 😀', 'a\n\tb é 漢 😀'],
  ])('%s', (_name, text, expected) => {
    expect(revealText(text)).toBe(expected);
  });
});

it('puts text on one line for display', () => {
  expect(toDisplayLine('  a\n\n b\t\x1b[31mc\x1b[0m \u202ed ')).toBe('a b c \\u{202e}d');
});
