import { mkdir, readFile as read, readdir, stat, symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFile } from '../../src/tools/read-file.ts';
import { isOutcome } from '../../src/tools/tool.ts';
import { writeFile } from '../../src/tools/write-file.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

it('makes a file and its folders and leaves nothing else behind', async () => {
  const context = toolContext(await tempFolder());
  const outcome = await callTool(writeFile, { path: 'a/b/c.txt', content: 'one\ntwo' }, context);
  expect(outcome).toEqual({
    output: "Created 'a/b/c.txt': 2 lines, 7 bytes",
    isError: false,
    display: '--- /dev/null\n+++ a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file',
  });
  expect(await read(join(context.cwd, 'a/b/c.txt'), 'utf8')).toBe('one\ntwo');
  expect(await readdir(join(context.cwd, 'a/b'))).toEqual(['c.txt']);
});

it('replaces a file, keeps its mode, and shows what changed', async () => {
  const context = toolContext(await tempFolder());
  const path = join(context.cwd, 'f');
  await write(path, 'a\nb\nc\n', { mode: 0o600 });
  const outcome = await callTool(writeFile, { path: 'f', content: 'a\nB\nc\n' }, context);
  expect(outcome).toMatchObject({ output: "Replaced 'f': +1 −1 lines, 6 bytes", display: '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c' });
  expect((await stat(path)).mode & 0o7777).toBe(0o600);
});

it('an edit may follow a write at once, and a write the user has since overwritten is refused', async () => {
  const context = toolContext(await tempFolder());
  await callTool(writeFile, { path: 'f', content: 'a\n' }, context);
  expect(await callTool(writeFile, { path: 'f', content: 'b\n' }, context)).toMatchObject({ isError: false });
  await write(join(context.cwd, 'f'), 'by the user\n');
  expect((await callTool(writeFile, { path: 'f', content: 'c\n' }, context)).output).toContain('changed since you read it');
  await callTool(readFile, { path: 'f' }, context);
  expect(await callTool(writeFile, { path: 'f', content: 'c\n' }, context)).toMatchObject({ isError: false });
});

it.each([
  ['a folder', 'folder', 'is a folder'],
  ['a path through a file', 'file/x', 'a part of the path is a file'],
  ['a device', '/dev/null', 'no regular file'],
])('refuses %s', async (_name, path, words) => {
  const context = toolContext(await tempFolder());
  await mkdir(join(context.cwd, 'folder'));
  await write(join(context.cwd, 'file'), '');
  expect(await callTool(writeFile, { path, content: '' }, context)).toMatchObject({
    isError: true,
    output: expect.stringContaining(words),
  });
});

it('declares where a dangling link would lead', async () => {
  const context = toolContext(await tempFolder());
  const outside = await tempFolder();
  await symlink(join(outside, 'made-by-link'), join(context.cwd, 'link'));
  const prepared = await writeFile.prepare({ path: 'link', content: 'x' }, context);
  expect(prepared).toMatchObject({ effects: [{ kind: 'write', path: join(outside, 'made-by-link'), wanted: 'link' }] });
});

it('does not replace what came into being while it waited, and writes nothing once cancelled', async () => {
  const context = toolContext(await tempFolder());
  const prepared = await writeFile.prepare({ path: 'f', content: 'mine' }, context);
  if (isOutcome(prepared)) throw new Error(prepared.output);
  expect(await prepared.run(AbortSignal.abort(), () => {})).toMatchObject({ isError: true, output: expect.stringContaining('Cancelled') });
  expect(await readdir(context.cwd)).toEqual([]);
  await write(join(context.cwd, 'f'), 'theirs');
  const outcome = await prepared.run(new AbortController().signal, () => {});
  expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining('was made in the meantime') });
  expect(await read(join(context.cwd, 'f'), 'utf8')).toBe('theirs');
});
