import { chmod, readFile as read, stat, symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editFile } from '../../src/tools/edit-file.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { isOutcome } from '../../src/tools/tool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

async function fileOf(content: string | Uint8Array): Promise<{ context: ReturnType<typeof toolContext>; path: string }> {
  const context = toolContext(await tempFolder());
  const path = join(context.cwd, 'f.txt');
  await write(path, content);
  return { context, path };
}
const edit = (old_text: string, new_text: string) => ({ path: 'f.txt', edits: [{ old_text, new_text }] });

it.each([
  ['a word', 'one two three\n', [['two', '2']], 'one 2 three\n'],
  [
    'several at once, in any order',
    'a\nb\nc\n',
    [
      ['c', 'C'],
      ['a', 'A'],
    ],
    'A\nb\nC\n',
  ],
  [
    'two in one line',
    'a b c\n',
    [
      ['a', 'x'],
      ['c', 'y'],
    ],
    'x b y\n',
  ],
  [
    'new_text of one may equal old_text of another',
    'a\nb\n',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    'b\nc\n',
  ],
  ['no line end at the end', 'a\nb', [['b', 'c']], 'a\nc'],
  ['a byte order mark stays', '\ufeffa\n', [['a', 'b']], '\ufeffb\n'],
  ['CRLF is kept though the call has LF', 'a\r\nb\r\nc\r\n', [['a\nb', 'x\ny\nz']], 'x\r\ny\r\nz\r\nc\r\n'],
  ['CRLF of a single line', 'a\r\nb\r\n', [['b', 'b1\nb2']], 'a\r\nb1\r\nb2\r\n'],
  [
    'mixed line ends: those of the line',
    'a\nb\r\nc\n',
    [
      ['a', 'a1\na2'],
      ['b', 'b1\nb2'],
    ],
    'a1\na2\nb1\r\nb2\r\nc\n',
  ],
  ['a lone CR stays', 'a\rb\n', [['b', 'c']], 'a\rc\n'],
  ['a whole line away', 'a\nb\nc\n', [['b\n', '']], 'a\nc\n'],
  ['everything away', 'a\n', [['a\n', '']], ''],
  ['emoji and composed characters', 'x 👩‍👩‍👧 é e\u0301\n', [['👩‍👩‍👧', '👍']], 'x 👍 é e\u0301\n'],
  ['what looks like a pattern is text', 'a.*$& b\n', [['a.*$&', '$1 $$ $&']], '$1 $$ $& b\n'],
])('edits: %s', async (_name, before, edits, after) => {
  const { context, path } = await fileOf(before);
  await callTool(readFile, { path: 'f.txt' }, context);
  const outcome = await callTool(
    editFile,
    { path: 'f.txt', edits: edits.map(([old_text, new_text]) => ({ old_text, new_text })) },
    context,
  );
  expect(outcome.output).toMatch(/^Edited 'f.txt': \d edits?, \+\d+ −\d+ lines$/u);
  expect(await read(path, 'utf8')).toBe(after);
});

it.each([
  ['no match', 'a\n', [['x', 'y']], 'old_text was not found; read the file again'],
  ['a match but for white space', 'if (a) {\n\tb();\n', [['    b();', 'c();']], 'line 2 differs from it only in white space'],
  ['line numbers copied along', 'a\n', [['     1\ta', 'b']], 'leave out the line numbers'],
  ['several matches', 'a\nb\na\nxaa\n', [['a', 'b']], 'occurs 4 times (lines 1, 3, 4, 4); add lines around it'],
  ['matches that overlap one another', 'aaa\n', [['aa', 'b']], 'occurs 2 times'],
  [
    'edits that overlap',
    'abcd\n',
    [
      ['abc', 'x'],
      ['cd', 'y'],
    ],
    'edits 1 and 2 overlap; join them',
  ],
  ['the same text', 'a\n', [['a', 'a']], 'old_text and new_text are the same'],
  ['an empty old_text', 'a\n', [['', 'x']], 'old_text is empty; write_file'],
  [
    'one bad edit among good ones',
    'a\nb\n',
    [
      ['a', 'x'],
      ['q', 'y'],
    ],
    'edit 2: old_text was not found',
  ],
])('refuses %s and changes nothing', async (_name, before, edits, words) => {
  const { context, path } = await fileOf(before);
  await callTool(readFile, { path: 'f.txt' }, context);
  const outcome = await callTool(
    editFile,
    { path: 'f.txt', edits: edits.map(([old_text, new_text]) => ({ old_text, new_text })) },
    context,
  );
  expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining(words) });
  expect(await read(path, 'utf8')).toBe(before);
});

it('needs the file read first, and unchanged since', async () => {
  const { context, path } = await fileOf('a\n');
  expect((await callTool(editFile, edit('a', 'b'), context)).output).toContain('has not been read yet');
  await callTool(readFile, { path: 'f.txt' }, context);
  await write(path, 'a \n');
  expect((await callTool(editFile, edit('a', 'b'), context)).output).toContain('changed since it was read');
  await callTool(readFile, { path: 'f.txt' }, context);
  expect(await callTool(editFile, edit('a', 'b'), context)).toMatchObject({ isError: false });
  expect(await callTool(editFile, edit('b', 'c'), context)).toMatchObject({ isError: false });
  expect(await read(path, 'utf8')).toBe('c \n');
});

it('runs only on the content that was approved', async () => {
  const { context, path } = await fileOf('a\nb\n');
  await callTool(readFile, { path: 'f.txt' }, context);
  const prepared = await editFile.prepare(edit('a', 'x'), context);
  if (isOutcome(prepared)) throw new Error(prepared.output);
  await write(path, 'a\nother\n');
  const outcome = await prepared.run(new AbortController().signal, () => {});
  expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining('changed in the meantime') });
  expect(await read(path, 'utf8')).toBe('a\nother\n');
});

it('shows the change as a unified diff with real line numbers', async () => {
  const { context, path } = await fileOf(`${Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')}\n`);
  await callTool(readFile, { path: 'f.txt' }, context);
  const edits = [
    { old_text: 'line 5\n', new_text: 'five\nfive and a half\n' },
    { old_text: 'line 25', new_text: 'twenty-five' },
  ];
  const prepared = await editFile.prepare({ path: 'f.txt', edits }, context);
  expect(prepared).toMatchObject({ preview: { kind: 'diff', path, isNew: false } });
  expect('preview' in prepared && prepared.preview?.kind === 'diff' && prepared.preview.diff).toBe(
    [
      '--- f.txt',
      '+++ f.txt',
      '@@ -2,7 +2,8 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      '+five and a half',
      ' line 6',
      ' line 7',
      ' line 8',
      '@@ -22,7 +23,7 @@',
      ' line 22',
      ' line 23',
      ' line 24',
      '-line 25',
      '+twenty-five',
      ' line 26',
      ' line 27',
      ' line 28',
    ].join('\n'),
  );
});

it('keeps the mode and writes through a link to its target', async () => {
  const { context, path } = await fileOf('a\n');
  await chmod(path, 0o751);
  await symlink('f.txt', join(context.cwd, 'link'));
  await callTool(readFile, { path: 'link' }, context);
  await callTool(editFile, { ...edit('a', 'b'), path: 'link' }, context);
  expect(await read(path, 'utf8')).toBe('b\n');
  expect((await stat(path)).mode & 0o7777).toBe(0o751);
});

it('refuses a read-only file', async () => {
  const { context, path } = await fileOf('a\n');
  await callTool(readFile, { path: 'f.txt' }, context);
  await chmod(path, 0o444);
  expect((await callTool(editFile, edit('a', 'b'), context)).output).toContain('read-only');
});
