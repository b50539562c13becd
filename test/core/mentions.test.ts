import { describe, expect, it } from 'vitest';
import { attachMentions, findMentions } from '../../src/core/mentions.ts';

describe('findMentions', () => {
  it.each<[string, readonly string[]]>([
    ['look at @src/main.ts please', ['src/main.ts']],
    ['@a.txt and @b.txt and @a.txt', ['a.txt', 'b.txt']],
    ['a path with spaces: @"my notes.md"', ['my notes.md']],
    ['(@a.txt)', ['a.txt)']],
    ['write to me@example.com', []],
    ['@ alone, @@twice', []],
    ['a line\n@b.txt', ['b.txt']],
  ])('%j', (text, paths) => {
    expect(findMentions(text)).toEqual(paths);
  });
});

describe('attachMentions', () => {
  const files: Readonly<Record<string, string>> = {
    'a.txt': 'alpha',
    'b.txt': 'beta',
    'big.txt': 'x'.repeat(150_000),
    'big2.txt': 'y'.repeat(150_000),
  };
  const read = async (path: string): Promise<string | undefined> => files[path];

  it('gives the content of each file that is there', async () => {
    expect(await attachMentions('compare @a.txt with @b.txt and @missing.txt', read)).toBe(
      '[Content of a.txt]\nalpha\n\n[Content of b.txt]\nbeta',
    );
  });
  it('tries a name without the punctuation of the sentence', async () => {
    expect(await attachMentions('what is in @a.txt?', read)).toBe('[Content of a.txt]\nalpha');
  });
  it('attaches nothing when no file is named', async () => {
    expect(await attachMentions('hello', read)).toBeUndefined();
  });
  it('names what is too long together', async () => {
    expect(await attachMentions('@big.txt @big2.txt @a.txt', read)).toMatch(
      /^\[Content of big\.txt\]\nx+\n\n\[big2\.txt was left out: [^\n]*\]\n\n\[Content of a\.txt\]\nalpha$/u,
    );
  });
});
