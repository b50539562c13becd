import { constants } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExactly, openFolder, openFolderCreating, replaceFile, writeFileAtomically } from '../../src/lib/atomic-file.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

it('replaces a file in one step, with the mode asked for at any umask', async () => {
  const folder = await tempFolder();
  const path = join(folder, 'deep/state.json');
  await writeFileAtomically(path, 'one', { tempName: '.t1', mode: 0o600 });
  await writeFileAtomically(path, 'two', { tempName: '.t2', mode: 0o666 });
  expect(await readFile(path, 'utf8')).toBe('two');
  expect((await stat(path)).mode & 0o777).toBe(0o666);
  expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, 'deep'))).toEqual(['state.json']);
});

it('leaves the old file and no rest of its own when it is aborted or fails', async () => {
  const path = await tempFolder();
  await writeFile(join(path, 'f'), 'old');
  await mkdir(join(path, 'folder/full'), { recursive: true });
  const folder = await openFolder(path);
  await expect(replaceFile(folder, 'f', 'new', { tempName: '.t', signal: AbortSignal.abort() })).rejects.toThrow(/abort/u);
  await expect(replaceFile(folder, 'folder', 'new', { tempName: '.t' })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/u);
  await folder.handle.close();
  expect(await readFile(join(path, 'f'), 'utf8')).toBe('old');
  expect((await readdir(path)).sort()).toEqual(['f', 'folder']);
});

it('never writes over a temp file that is there already', async () => {
  const path = await tempFolder();
  await symlink('/etc/should-not-be-made', join(path, '.t'));
  await expect(writeFileAtomically(join(path, 'f'), 'x', { tempName: '.t' })).rejects.toThrow(/EEXIST/u);
});

it.each([
  ['a link to a folder', 'link'],
  ['a folder reached through a link', 'link/sub'],
  ['a file', 'file'],
])('openFolder refuses %s', async (_name, wanted) => {
  const path = await tempFolder();
  await mkdir(join(path, 'real/sub'), { recursive: true });
  await symlink('real', join(path, 'link'));
  await writeFile(join(path, 'file'), '');
  await expect(openFolder(join(path, wanted))).rejects.toThrow();
});

it('an open folder stays itself when its path is exchanged', async () => {
  const path = await tempFolder();
  await mkdir(join(path, 'dir'));
  await mkdir(join(path, 'other'));
  const folder = await openFolder(join(path, 'dir'));
  await rename(join(path, 'dir'), join(path, 'moved'));
  await symlink('other', join(path, 'dir'));
  await replaceFile(folder, 'f', 'x', { tempName: '.t' });
  await folder.handle.close();
  expect(await readdir(join(path, 'moved'))).toEqual(['f']);
  expect(await readdir(join(path, 'other'))).toEqual([]);
});

it('makes missing folders one by one and follows no link among them', async () => {
  const path = await tempFolder();
  const made = await openFolderCreating(path, ['a', 'b']);
  expect(made.path).toBe(join(path, 'a/b'));
  await made.handle.close();
  await symlink('/tmp', join(path, 'link'));
  await expect(openFolderCreating(path, ['link', 'x'])).rejects.toThrow(/ENOTDIR|ELOOP/u);
});

it('openExactly does not wait for the other end of a pipe and opens no link', async () => {
  const path = await tempFolder();
  await symlink('/etc/hostname', join(path, 'link'));
  await expect(openExactly(join(path, 'link'), constants.O_RDONLY)).rejects.toThrow(/ELOOP/u);
  await chmod(path, 0o700);
});
