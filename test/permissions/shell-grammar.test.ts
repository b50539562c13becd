import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/permissions/shell-grammar.ts';

function show(command: string): string {
  const parsed = parseCommand(command);
  if (parsed.kind === 'unclear') return `unclear: ${parsed.reason}`;
  return parsed.segments
    .map(({ join, words, redirects }) => [join, ...words.map(({ text }) => `<${text}>`), ...redirects].join(''))
    .join(' ');
}

describe('parseCommand understands', () => {
  it.each([
    ['words', 'npm run test:unit -- --watch', '<npm><run><test:unit><--><--watch>'],
    ['operators without spaces', 'a&&b||c;d|e', '<a> &&<b> ||<c> ;<d> |<e>'],
    ['a closing semicolon', 'ls ;', '<ls>'],
    ['single quotes around anything printable', `grep 'a*$(b)\\' f`, '<grep><a*$(b)\\><f>'],
    [
      'double quotes around what is not special in them',
      'git commit -m "fix (a) & b; c | d > e # f [g] {h} ~ * ?"',
      '<git><commit><-m><fix (a) & b; c | d > e # f [g] {h} ~ * ?>',
    ],
    ['quotes inside a word', `echo a'b c'"d e"f`, '<echo><ab cd ef>'],
    ['an empty word', "grep '' f", '<grep><><f>'],
    ['the four redirections', 'a 2>/dev/null | b >/dev/null 2>&1 && c >&2', '<a>2>/dev/null |<b>>/dev/null2>&1 &&<c>>&2'],
    ['a redirection before its word', '>/dev/null echo a', '<echo><a>>/dev/null'],
  ])('%s', (_name, command, expected) => {
    expect(show(command)).toBe(expected);
  });
});

describe('parseCommand asks at', () => {
  it.each([
    ...['$HOME', '`ls`', 'a\\b', '(ls)', '{ls}', '[a]', '*.ts', 'a?', '~/x', 'a!', 'a#b', '<f', '>f', 'x<<<y'].map((word) => [
      `unquoted ${word}`,
      `echo ${word}`,
    ]),
    ...['$HOME', '`ls`', 'a\\b', 'a!b'].map((word) => [`double quoted ${word}`, `echo "${word}"`]),
    ['a single &', 'a & b'],
    ['a closing &', 'a &'],
    ['&>', 'a &>/dev/null'],
    ['|&', 'a |& b'],
    [';;', 'a;;b'],
    ['|||', 'a ||| b'],
    ['>/dev/nullx', 'a >/dev/nullx'],
    ['a descriptor glued to a word', 'a2>/dev/null'],
    ['1>/dev/null', 'a 1>/dev/null'],
    ['> /dev/null', 'a > /dev/null'],
    ['>/dev/null"x"', 'a >/dev/null"x"'],
    ['a line break', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['a tab', 'a\tb'],
    ['a NUL', 'a\0b'],
    ['a letter outside ASCII, quoted too', "echo 'é'"],
    ['a line break in quotes', "echo 'a\nb'"],
    ['an assignment', 'A=1 b'],
    ['an appending assignment', 'A+=1 b'],
    ['a quoted assignment', "A='1' b"],
    ['an unclosed single quote', "echo 'a"],
    ['an unclosed double quote', 'echo "a'],
    ['nothing', ''],
    ['only spaces', '   '],
    ['no command before an operator', '&& a'],
    ['no command after an operator', 'a &&'],
    ['only a redirection', '>/dev/null'],
    ['a path as command', './a'],
    ['an absolute path as command', '/bin/ls'],
    ['a quoted command word', "'ls'"],
    ['a flag as command', '-x'],
    ['a dot', '. x'],
    ...'if then elif else fi for while until do done case esac select function in time coproc'
      .split(' ')
      .map((word) => [`the keyword ${word}`, `${word} a`]),
  ])('%s', (_name, command) => {
    expect(show(command)).toMatch(/^unclear: /u);
  });

  it('names what it did not understand', () => {
    expect(show('echo $A')).toBe("unclear: an unquoted '$' is not understood");
    expect(show('a\nb')).toBe('unclear: it contains a line break');
    expect(show("echo '\u202e'")).toBe('unclear: it contains the character U+202E');
  });

  it('is linear', () => {
    const command = `echo ${'"a b" '.repeat(100_000)}`;
    const start = performance.now();
    expect(parseCommand(command).kind).toBe('understood');
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
