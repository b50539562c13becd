import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numberLines, readFile, readLimits } from '../../src/tools/read-file.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

it.each([
  ['numbers lines from 1', 'a\nb\n', 1, 10, '     1\ta\n     2\tb'],
  ['a last line without its end', 'a\nb', 1, 10, '     1\ta\n     2\tb'],
  ['CRLF and BOM are not shown', '\ufeffa\r\nb\r\n', 1, 10, '     1\ta\n     2\tb'],
  ['an empty file', '', 1, 10, '(the file is empty)'],
  ['a range in the middle', numbers(9), 4, 2, '     4\tline 4\n     5\tline 5\n(lines 4-5 of 9; go on with offset 6)'],
  ['an offset behind the end', 'a\n', 5, 1, '(the file has only 1 line; offset 5 is behind its end)'],
])('%s', (_name, text, offset, limit, expected) => {
  expect(numberLines(text, offset, limit)).toBe(expected);
});

it('cuts long lines and says so', () => {
  const shown = numberLines(`${'x'.repeat(5000)}\nb\n`, 1, 10);
  expect(shown.length).toBeLessThan(readLimits.lineChars + 100);
  expect(shown).toMatch(/…\n {5}2\tb\n\(1 line cut after 2000 characters\)$/u);
});

it('shows at most so many characters in all and says how to go on', () => {
  const shown = numberLines(`${'y'.repeat(1000)}\n`.repeat(200), 1, 2000);
  expect(shown.length).toBeLessThan(readLimits.chars + 1000);
  expect(shown).toMatch(/\(lines 1-\d+ of 200; go on with offset \d+\)$/u);
});

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0', 'latin1'), Buffer.alloc(20)]);
const gif = Buffer.from('GIF89a\x0a\0\x14\0\0\0\0;', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x64\0\xc8\x03\x01\x22', 'latin1');
it.each([
  ['a PNG by its header, whatever its name', png, "'f': PNG image, 640×480 pixels, 44 bytes; its content is not shown as text"],
  ['a GIF', gif, "'f': GIF image, 10×20 pixels, 14 bytes; its content is not shown as text"],
  ['a JPEG', jpeg, "'f': JPEG image, 200×100 pixels, 20 bytes; its content is not shown as text"],
  ['a PDF', Buffer.from('%PDF-1.7 and more'), "'f': PDF document, 17 bytes; its content is not shown as text"],
  ['binary', Buffer.from('ab\0cd'), "'f': binary file, 5 bytes; its content is not shown as text"],
  ['UTF-16', Buffer.from('\ufeffhi\n', 'utf16le'), '     1\thi\n(UTF-16LE: shown converted; edit_file refuses such files)'],
  [
    'bytes that are no UTF-8',
    Buffer.from('caf\xe9\n', 'latin1'),
    '     1\tcaf\ufffd\n(unknown encoding (not UTF-8): shown converted; edit_file refuses such files)',
  ],
])('shows %s', async (_name, bytes, expected) => {
  const context = toolContext(await tempFolder());
  await writeFile(join(context.cwd, 'f'), bytes);
  expect(await callTool(readFile, { path: 'f' }, context)).toEqual({ output: expected, isError: false });
});

it.each([
  ['a missing file', 'nothing.txt', 'does not exist'],
  ['a folder', 'folder', 'list_dir'],
  ['a pipe, without waiting for a writer', 'pipe', 'no regular file'],
  ['a device', '/dev/zero', 'no regular file'],
  ['memory of processes', '/proc/self/environ', 'not opened'],
  ['a file that is too large', 'large', 'files up to 32 MiB'],
  ['a link in a circle', 'circle', 'circle'],
  ['an empty path', '', 'empty'],
])('refuses %s', async (_name, path, words) => {
  const context = toolContext(await tempFolder());
  await mkdir(join(context.cwd, 'folder'));
  execFileSync('mkfifo', [join(context.cwd, 'pipe')]);
  await writeFile(join(context.cwd, 'large'), '');
  await truncate(join(context.cwd, 'large'), 64 * 1024 * 1024);
  await symlink('circle', join(context.cwd, 'circle'));
  const outcome = await callTool(readFile, { path }, context);
  expect(outcome.isError).toBe(true);
  expect(outcome.output).toContain(words);
});

it('declares the real path of a link and what was asked for', async () => {
  const context = toolContext(await tempFolder());
  const outside = await tempFolder();
  await writeFile(join(outside, 'a.txt'), 'secret');
  await symlink(outside, join(context.cwd, 'out'));
  expect(await readFile.prepare({ path: 'out/a.txt' }, context)).toMatchObject({
    effects: [{ kind: 'read', path: join(outside, 'a.txt'), wanted: 'out/a.txt' }],
  });
});

it('names what is wrong with the arguments', async () => {
  const context = toolContext(await tempFolder());
  expect(await callTool(readFile, { path: 7, offset: 0 }, context)).toMatchObject({
    isError: true,
    output: expect.stringMatching(/^Invalid arguments for read_file: path: .*offset: /u),
  });
});
