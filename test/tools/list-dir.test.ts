import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listDir, maxEntries } from '../../src/tools/list-dir.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

it('lists folders first, then files with size and links with target', async () => {
  const context = toolContext(await tempFolder());
  await mkdir(join(context.cwd, 'src'));
  await writeFile(join(context.cwd, '.hidden'), '');
  await writeFile(join(context.cwd, 'a.txt'), 'x'.repeat(1536));
  await symlink('/etc', join(context.cwd, 'link'));
  expect(await callTool(listDir, {}, context)).toEqual({
    output: 'src/\n.hidden (0 bytes)\na.txt (1.5 KiB)\nlink -> /etc',
    isError: false,
  });
  expect(await callTool(listDir, { path: 'src' }, context)).toEqual({ output: "'src' is empty", isError: false });
});

it('shows so many entries and says how many more there are', async () => {
  const context = toolContext(await tempFolder());
  await Promise.all(Array.from({ length: maxEntries + 3 }, (_, index) => writeFile(join(context.cwd, `f${index}`), '')));
  const lines = (await callTool(listDir, { path: '.' }, context)).output.split('\n');
  expect(lines).toHaveLength(maxEntries + 1);
  expect(lines.at(-1)).toBe('(3 more of 503; glob finds them by pattern)');
});

it.each([
  ['a missing folder', 'nothing', 'does not exist'],
  ['a file', 'file', 'read_file'],
])('refuses %s', async (_name, path, words) => {
  const context = toolContext(await tempFolder());
  await writeFile(join(context.cwd, 'file'), '');
  expect(await callTool(listDir, { path }, context)).toMatchObject({ isError: true, output: expect.stringContaining(words) });
});
