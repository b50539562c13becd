import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appFolders } from '../../src/config/folders.ts';
import { loadSources, readTextOption } from '../../src/config/load.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tilldone-config-'));
  mkdirSync(join(root, 'work', '.tilldone'), { recursive: true });
  mkdirSync(join(root, 'home'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function load(trusted: boolean) {
  const folders = { config: join(root, 'home'), state: join(root, 'home', 'state') };
  return loadSources({ folders, cwd: join(root, 'work'), env: {}, trusted });
}

describe('loadSources', () => {
  it('nothing there is nothing', async () => {
    expect(await load(true)).toEqual({ files: [], env: {}, untrusted: [] });
  });

  it('reads the three files in their order', async () => {
    writeFileSync(join(root, 'home', 'settings.json'), '1');
    writeFileSync(join(root, 'work', '.tilldone', 'settings.json'), '2');
    writeFileSync(join(root, 'work', '.tilldone', 'settings.local.json'), '3');
    const { files } = await load(true);
    expect(files.map((file) => [file.layer, 'text' in file && file.text])).toEqual([
      ['user', '1'],
      ['project', '2'],
      ['project-local', '3'],
    ]);
  });

  it('names but does not read those of a folder that is not trusted', async () => {
    const path = join(root, 'work', '.tilldone', 'settings.json');
    writeFileSync(path, '{"todo-continuation": false}');
    expect(await load(false)).toEqual({ files: [], env: {}, untrusted: [path] });
  });

  it('a folder, a pipe and a huge file are problems, not hangs', async () => {
    mkdirSync(join(root, 'home', 'settings.json'));
    execFileSync('mkfifo', [join(root, 'work', '.tilldone', 'settings.json')]);
    writeFileSync(join(root, 'work', '.tilldone', 'settings.local.json'), ' '.repeat(1_100_000));
    const { files } = await load(true);
    expect(files.map((file) => 'problem' in file && file.problem)).toEqual([
      'it is no regular file',
      'it is no regular file',
      'it is larger than 1024 KiB',
    ]);
  });
});

describe('readTextOption', () => {
  it('text is itself, @file is its content', async () => {
    writeFileSync(join(root, 'prompt.md'), 'be brief');
    expect(await readTextOption('be kind', root)).toBe('be kind');
    expect(await readTextOption('@prompt.md', root)).toBe('be brief');
    await expect(readTextOption('@gone.md', root)).rejects.toMatchObject({ exitCode: 42, message: /^Cannot read 'gone\.md': ENOENT/u });
  });
});

it.each<[string, Record<string, string>, string, string, string]>([
  ['one folder of our own', { TILLDONE_HOME: '/x' }, 'linux', '/x', '/x/state'],
  ['the usual places', {}, 'linux', '/home/me/.config/tilldone', '/home/me/.local/state/tilldone'],
  ['XDG', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, 'linux', '/c/tilldone', '/s/tilldone'],
  ['a relative XDG path does not count', { XDG_CONFIG_HOME: 'c' }, 'darwin', '/home/me/.config/tilldone', '/home/me/.local/state/tilldone'],
])('appFolders: %s', (_name, env, platform, config, state) => {
  expect(appFolders({ env, home: '/home/me', platform })).toEqual({ config, state });
});
