import { describe, expect, it } from 'vitest';
import { diffCounts, diffLines } from '../../src/ui/diff-lines.ts';
import { createHighlight } from '../../src/ui/highlight.ts';
import { lexMarkdown, renderBlocks } from '../../src/ui/markdown.ts';
import { colorLevelOf, createPaint, plainPaint, themeOf } from '../../src/ui/theme.ts';

describe('theme', () => {
  it.each([
    [{ TERM: 'xterm-256color' }, 'ansi256'],
    [{ TERM: 'xterm' }, 'ansi16'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'truecolor'],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'plain'],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'attributes'],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, 'ansi256'],
    [{ TERM: 'dumb', NO_COLOR: '1', FORCE_COLOR: '3' }, 'truecolor'],
    [{ TERM: 'xterm', FORCE_COLOR: '0' }, 'attributes'],
  ] as const)('colorLevelOf(%j) is %s', (environment, level) => {
    expect(colorLevelOf(environment)).toBe(level);
  });

  it.each([
    ['light', {}, 'light'],
    ['auto', { COLORFGBG: '0;15' }, 'light'],
    ['auto', { COLORFGBG: '15;0' }, 'dark'],
    ['auto', {}, 'dark'],
    ['nonsense', {}, 'dark'],
  ] as const)('themeOf(%j, %j) is %s', (wanted, environment, theme) => {
    expect(themeOf(wanted, environment)).toBe(theme);
  });

  it('never colours without colour, and keeps attributes', () => {
    const paint = createPaint('dark', 'attributes');
    expect(paint('success', 'x')).toBe('x');
    expect(paint('error', 'x')).toBe('\u001b[1mx\u001b[22m');
    expect(createPaint('dark', 'plain')('bold', 'x')).toBe('x');
  });

  it('goes on after an inner style ends', () => {
    const paint = createPaint('ansi', 'truecolor');
    expect(paint('error', `a${paint('link', 'b')}c`)).toBe('\u001b[31ma\u001b[34mb\u001b[39m\u001b[31mc\u001b[39m');
  });
});

describe('diffLines', () => {
  const diff = [
    '--- a/x',
    '+++ b/x',
    '@@ -1,3 +1,3 @@',
    ' first',
    '-const a = 1;',
    '+const a = 2;',
    ' last',
    '@@ -90,1 +90,2 @@',
    ' ninety',
    '+added',
    '',
  ].join('\n');

  it('numbers the lines and parts the hunks', () => {
    expect(diffLines(diff, { width: 40, paint: plainPaint })).toEqual([
      '  1   first',
      '  2 - const a = 1;',
      '  2 + const a = 2;',
      '  3   last',
      '    …',
      ' 90   ninety',
      ' 91 + added',
    ]);
    expect(diffCounts(diff)).toEqual({ added: 2, removed: 1 });
  });

  it('marks the words that changed', () => {
    const paint = createPaint('ansi', 'ansi16');
    expect(diffLines(diff, { width: 40, paint }).join('\n')).toContain('const a = \u001b[30;42m2\u001b[39;49m');
  });

  it('folds what is too long', () => {
    expect(diffLines(diff, { width: 40, paint: plainPaint, maxRows: 3 }).at(-1)).toBe('… 5 more rows (Ctrl+O)');
  });
});

describe('createHighlight', () => {
  it('leaves code as it is until it is loaded, then colours it line by line', async () => {
    const { highlight, load } = createHighlight(createPaint('ansi', 'ansi16'));
    expect(highlight('const a = "x";', 'js')).toBe('const a = "x";');
    await load();
    expect(highlight('const a = "<&>";', 'js')).toBe('\u001b[35mconst\u001b[39m a = \u001b[32m"<&>"\u001b[39m;');
    expect(highlight('/* a\nb */', 'js')).toBe('\u001b[90m/* a\u001b[39m\n\u001b[90mb */\u001b[39m');
    expect(highlight('x', 'no-such-language')).toBe('x');
  });
});

describe('Markdown', () => {
  const render = (text: string, width = 30): string =>
    renderBlocks(lexMarkdown(text), { width, paint: plainPaint, highlight: (code) => code }).join('\n');

  it.each([
    ['nested lists', '- a\n  - b\n    1. c\n- d', '- a\n  - b\n    1. c\n- d'],
    ['task lists', '- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
    ['a link shows where it leads', '[text](https://x.dev)', 'text (https://x.dev)'],
    ['a bare address once', '<https://x.dev>', 'https://x.dev'],
    ['quotes in quotes', '> a\n>\n> > b', '> a\n>\n> > b'],
    ['entities and HTML as they are', 'a < b <b>c</b>', 'a < b <b>c</b>'],
    ['code keeps its spaces', '```\n  a\n\n b\n```', '  a\n\n b'],
    ['a table', '| a | bb |\n|--:|---|\n| 1 | x |\n| 100 | y |', '  a  bb\n───  ──\n  1  x\n100  y'],
    ['a table in wide characters', '| 漢字 | b |\n|---|---|\n| a | c |', '漢字  b\n────  ─\na     c'],
  ])('%s', (_name, text, shown) => {
    expect(render(text)).toBe(shown);
  });

  it('wraps the cells of a table, and lists them where it is too narrow', () => {
    const table = '| name | what it does |\n|---|---|\n| alpha | a long description of it |';
    expect(render(table, 24)).toBe('name   what it does\n─────  ─────────────────\nalpha  a long\n       description of it');
    expect(render(table, 10)).toBe('name:\n  alpha\nwhat it\n  does: a\n  long\n  descript\n  ion of\n  it');
  });
});
