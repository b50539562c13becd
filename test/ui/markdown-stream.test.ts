import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { lexMarkdown, type RenderOptions, renderBlocks } from '../../src/ui/markdown.ts';
import { advanceMarkdown, type MarkdownTail } from '../../src/ui/markdown-stream.ts';
import { createPaint, plainPaint } from '../../src/ui/theme.ts';

const plain: RenderOptions = { width: 40, paint: plainPaint, highlight: (code) => code };

function whole(text: string, options = plain): string {
  return renderBlocks(lexMarkdown(text), options).join('\n');
}

/** The rows that a text leaves when it arrives in the given pieces, and the most that was ever held back. */
function stream(pieces: readonly string[], options = plain): { readonly text: string; readonly heldChars: number } {
  let tail: MarkdownTail = { text: '', carry: '', join: 'start' };
  const rows: string[] = [];
  let heldChars = 0;
  for (const piece of pieces) {
    const step = advanceMarkdown({ ...tail, text: tail.text + piece }, options, false);
    rows.push(...step.done);
    tail = step.tail;
    heldChars = Math.max(heldChars, tail.text.length);
  }
  rows.push(...advanceMarkdown(tail, options, true).done);
  return { text: rows.join('\n'), heldChars };
}

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

const document = `# Title

A paragraph with **bold**, *italic*, \`code\` and a [link](https://example.com/a/long/address), long enough to be wrapped over several rows of the window, so that rows leave early.

1. first
2. second with **bold text that goes on** for more than a row of forty columns
   - nested
3. third

> quoted text
> over two lines

| a | b |
|---|--:|
| x | 1 |
| long cell | 22 |

\`\`\`js
const a = 1;
if (a) { run(); }
\`\`\`

- [x] done
- [ ] open

The end.`;

describe('advanceMarkdown', () => {
  it.each([1, 3, 7, 50, 10_000])('gives the same rows as the whole text, in pieces of %d', (size) => {
    expect(stream(cut(document, size)).text).toBe(whole(document));
  });

  it('gives the same rows for any mixture of blocks', () => {
    const block = fc.constantFrom(
      '# Head',
      'one short line',
      'a longer paragraph that **has marks** and `code` and goes on and on until it needs more than two rows, *surely*',
      '- a\n- b\n  - c\n- d',
      '1. x\n2. y\n3. z',
      '```\ncode\n\nmore\n```',
      '> q\n> r',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '---',
      '- not * closed',
      'snake_case and 2*3*4 and a * b, with text to fill the rows of the window, so that they leave',
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), fc.integer({ min: 1, max: 30 }), (blocks, size) => {
        const text = blocks.join('\n\n');
        expect(stream(cut(text, size)).text).toBe(whole(text));
      }),
      { numRuns: 150 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1), seed: Number(process.env.TILLDONE_SEED ?? 1) },
    );
  });

  it('lets the rows of one endless paragraph go', () => {
    const text = 'word '.repeat(4000).trim();
    const { text: rows, heldChars } = stream(cut(text, 33));
    expect(rows).toBe(whole(text));
    expect(heldChars).toBeLessThan(400);
  });

  it.each([
    ['code', `\`\`\`\n${'line of code\n'.repeat(4000)}\`\`\``],
    ['a list', '- item of a list\n'.repeat(3000)],
    ['a word without spaces', 'x'.repeat(60_000)],
    ['a quotation', '> quoted line\n'.repeat(4000)],
    ['unclosed marks', `**${'bold without an end '.repeat(3000)}`],
  ])('holds back no more than a little of a long block: %s', (_name, text) => {
    const { text: rows, heldChars } = stream(cut(text, 500));
    expect(heldChars).toBeLessThan(20_000);
    const letters = (shown: string): string => shown.replace(/[\s>]/g, '');
    expect(letters(rows)).toBe(letters(whole(text)));
  });

  it('shows the head of a long table again with every part', () => {
    const text = `| name | value |\n|---|---|\n${Array.from({ length: 400 }, (_, index) => `| row ${index} | ${index} |`).join('\n')}`;
    const { text: rows } = stream(cut(text, 200));
    expect(rows.match(/^name/gm)?.length).toBeGreaterThan(1);
    for (let index = 0; index < 400; index += 1) expect(rows).toContain(`row ${index} `);
  });

  it('never makes a row wider than the window', () => {
    const paint = createPaint('dark', 'truecolor');
    for (const width of [1, 5, 20, 60]) {
      for (const row of renderBlocks(lexMarkdown(document), { ...plain, paint, width })) {
        if (width >= 20) expect(stringWidth(row)).toBeLessThanOrEqual(width);
      }
    }
  });
});
