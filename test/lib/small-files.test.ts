import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { editText } from '../../src/lib/edit-text.ts';
import { createHistoryFile } from '../../src/lib/history-file.ts';
import { listPaths } from '../../src/lib/list-paths.ts';
import { createThrowawayFolder, throwawayFolderOnDemand } from '../../src/lib/throwaway-folder.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tilldone-lib-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('history file', () => {
  it('keeps lines in order, those with line feeds whole, and nobody else can read them', async () => {
    const path = join(root, 'deep', 'history.jsonl');
    const history = createHistoryFile(path);
    history.append('one');
    history.append('two\nlines');
    await expect.poll(() => createHistoryFile(path).load()).toEqual(['one', 'two\nlines']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('skips what it cannot read', async () => {
    const path = join(root, 'history.jsonl');
    writeFileSync(path, '"good"\n{"a": 1}\nbroken"\n"also good"\n"torn');
    expect(await createHistoryFile(path).load()).toEqual(['good', 'also good']);
  });

  it('a place that cannot be written costs nothing else', async () => {
    writeFileSync(join(root, 'file'), '');
    const history = createHistoryFile(join(root, 'file', 'history.jsonl'));
    history.append('x');
    expect(await history.load()).toEqual([]);
  });
});

describe('listPaths', () => {
  beforeEach(() => {
    for (const folder of ['src', 'scripts', 'node_modules', '.git', '.ci']) mkdirSync(join(root, folder));
    for (const file of ['settings.json', 'README.md', 'src/main.ts', 'src/Map.ts']) writeFileSync(join(root, file), '');
  });
  it.each<[string, string[]]>([
    ['s', ['scripts/', 'src/', 'settings.json']],
    ['src/ma', ['src/main.ts', 'src/Map.ts']],
    ['read', ['README.md']],
    ['.', ['.ci/']],
    ['node', []],
    ['gone/x', []],
  ])('%s', async (fragment, expected) => {
    expect(await listPaths(root, fragment)).toEqual(expected);
  });
});

describe('editText', () => {
  it('gives back what the editor saved', async () => {
    const editor = join(root, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nprintf " and more\\n" >> "$1"\n', { mode: 0o755 });
    expect(await editText('text', { editor, env: process.env })).toEqual({ text: 'text and more' });
  });
  it('an editor with arguments is a command line', async () => {
    expect(await editText('text', { editor: 'sed -i s/t/T/g', env: process.env })).toEqual({ text: 'TexT' });
  });
  it('says how it failed', async () => {
    expect(await editText('text', { editor: 'false', env: process.env })).toEqual({ error: "The editor 'false' ended with 1" });
  });
});

describe('a throwaway folder', () => {
  afterEach(() => vi.unstubAllEnvs());
  it('is there, then gone', async () => {
    const folder = createThrowawayFolder('tilldone-test');
    writeFileSync(join(folder.path, 'x'), 'y');
    expect(readFileSync(join(folder.path, 'x'), 'utf8')).toBe('y');
    await folder.remove();
    expect(statSync(folder.path, { throwIfNoEntry: false })).toBeUndefined();
  });
  it('on demand is made by the first who asks, and none when nobody does', async () => {
    vi.stubEnv('TMPDIR', root);
    const folder = throwawayFolderOnDemand('tilldone-test');
    await folder.remove();
    expect(readdirSync(root)).toEqual([]);
    const path = folder.path();
    expect(readdirSync(root).map((name) => join(realpathSync(root), name))).toEqual([path]);
    expect(folder.path()).toBe(path);
    await folder.remove();
    expect(readdirSync(root)).toEqual([]);
  });
  it('cannot be made everywhere: said in words, and on demand there is none', async () => {
    const missing = join(root, 'missing');
    vi.stubEnv('TMPDIR', missing);
    expect(() => createThrowawayFolder('tilldone-test')).toThrow(
      `There can be no temporary folder in '${missing}': no such file or folder. Set TMPDIR to a folder that can be written.`,
    );
    const folder = throwawayFolderOnDemand('tilldone-test');
    expect(folder.path()).toBeUndefined();
    await folder.remove();
  });
});
