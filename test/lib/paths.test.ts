import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { displayPath, isInside, isProtectedPath, isSecretLike, resolveRealPath } from '../../src/lib/paths.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

it.each([
  ['the same folder', '/ws', '/ws', true],
  ['below', '/ws/a/b', '/ws', true],
  ['a longer name with the same beginning', '/ws-other/a', '/ws', false],
  ['the parent', '/', '/ws', false],
  ['below the root', '/etc', '/', true],
])('isInside: %s', (_name, path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});

it.each([
  ['/ws/.git/config', true],
  ['/home/u/.config/tilldone/settings.json', true],
  ['/home/u/.local/state/tilldone/code/main', true],
  ['/home/u/.config/other/tilldone', false],
  ['/ws/.git', true],
  ['/ws/deep/inside/.git/hooks/pre-commit', true],
  ['/ws/.GIT/config', true],
  ['/ws/.g\u200cit/config', true],
  ['/ws/\uff0egit/config', true],
  ['/ws/.ɢit/config', false],
  ['/ws/.git./config', true],
  ['/ws/.git /config', true],
  ['/ws/git~1/config', true],
  ['/ws/.git::$INDEX_ALLOCATION/config', true],
  ['/ws/.git\\config', true],
  ['/ws/.tilldone/settings.json', true],
  ['/ws/.mcp.json', true],
  ['/ws/.MCP.json', true],
  ['/ws/.vscode/tasks.json', true],
  ['/ws/.envrc', true],
  ['/home/u/.bashrc', true],
  ['/home/u/.zshenv', true],
  ['/home/u/.profile', true],
  ['/ws/.gitignore', false],
  ['/ws/.github/workflows/ci.yml', false],
  ['/ws/git/config', false],
  ['/ws/src/.mcp.json.md', false],
])('isProtectedPath(%j) is %s', (path, expected) => {
  expect(isProtectedPath(path)).toBe(expected);
});

it.each([
  ['/ws/.env', true],
  ['/ws/.env.local', true],
  ['/ws/.ENV', true],
  ['/ws/id_rsa', true],
  ['/ws/id_ed25519.pub', true],
  ['/ws/server.pem', true],
  ['/ws/server.key', true],
  ['/home/u/.npmrc', true],
  ['/home/u/.netrc', true],
  ['/home/u/.aws/credentials', true],
  ['/home/u/.aws/config', true],
  ['/home/u/.ssh/known_hosts', true],
  ['/ws/credentials.json', true],
  ['/ws/.git-credentials', true],
  ['/ws/environment.ts', false],
  ['/ws/identity.ts', false],
  ['/ws/pem.md', false],
  ['/ws/src/credentials-form.tsx', false],
])('isSecretLike(%j) is %s', (path, expected) => {
  expect(isSecretLike(path)).toBe(expected);
});

it('does not count segments above the folder that is named', () => {
  expect(isProtectedPath('/home/u/.tilldone/demo/a.txt', '/home/u/.tilldone/demo')).toBe(false);
  expect(isProtectedPath('/home/u/.tilldone/demo/.git/config', '/home/u/.tilldone/demo')).toBe(true);
  expect(isSecretLike('/home/u/.ssh/project/a.txt', '/home/u/.ssh/project')).toBe(false);
});

it.each([
  ['', 'empty'],
  ['a\0b', 'NUL'],
  ['file.txt/below', 'a file, not a folder'],
  ['circle', 'circle'],
  ['x'.repeat(300), 'too long'],
])('refuses %j', async (wanted, words) => {
  const folder = await tempFolder();
  await writeFile(join(folder, 'file.txt'), '');
  await symlink('circle', join(folder, 'circle'));
  const result = await resolveRealPath(wanted, folder);
  expect(result).toHaveProperty('error');
  expect('error' in result && result.error).toContain(words);
});

it('reads ~ as the home folder, and only that', async () => {
  const folder = await tempFolder();
  expect(await resolveRealPath('~/no-such-name', folder)).toMatchObject({ missing: ['no-such-name'] });
  expect(JSON.stringify(await resolveRealPath('~/no-such-name', folder))).toContain(homedir().split('/').at(-1));
  expect(await resolveRealPath('~other/x', folder)).toEqual({ path: join(folder, '~other/x'), missing: ['~other', 'x'] });
});

it('shows paths relative inside the workspace only', () => {
  expect(displayPath('/ws/src/a.ts', '/ws')).toBe('src/a.ts');
  expect(displayPath('/ws', '/ws')).toBe('.');
  expect(displayPath('/etc/passwd', '/ws')).toBe('/etc/passwd');
});

/** Folders, files and links in every combination that leads in or out: 20 beginnings times 16 endings. */
const beginnings = [
  '',
  './',
  'src/',
  'src/../',
  'src/../../ws/',
  '../',
  '../outside/',
  '../../../../../../../../../../../etc/',
  'to-outside/',
  'to-src/',
  'chain/',
  'to-parent/',
  'to-root/',
  'dangling/',
  'src/deep-out/',
  'nowhere/at/all/',
  'nowhere/../to-outside/',
  'to-outside/../',
  '/WS/',
  '/WS/to-outside/',
];
const endings = [
  'a.txt',
  'new.txt',
  '.',
  '..',
  'src',
  'to-file',
  'to-out-file',
  'gone-link',
  'x/y/z',
  '../ws/a.txt',
  '../ws-twin/a.txt',
  'sub//a.txt',
  'ä.txt',
  'a\u0308.txt',
  'x~',
  '.git/config',
];

it(`resolves ${beginnings.length * endings.length} paths as the system does`, async () => {
  const root = await tempFolder();
  const workspace = join(root, 'ws');
  for (const folder of ['ws/src/sub', 'outside/sub', 'ws-twin']) await mkdir(join(root, folder), { recursive: true });
  for (const file of ['ws/a.txt', 'ws/src/a.txt', 'outside/a.txt', 'ws-twin/a.txt', 'ws/ä.txt']) await writeFile(join(root, file), file);
  for (const [link, target] of [
    ['ws/to-outside', '../outside'],
    ['ws/to-src', 'src'],
    ['ws/chain', 'to-outside'],
    ['ws/to-parent', '..'],
    ['ws/to-root', '/'],
    ['ws/dangling', '../outside/not-there'],
    ['ws/src/deep-out', '../../outside/sub'],
    ['ws/to-file', 'a.txt'],
    ['ws/to-out-file', '../outside/a.txt'],
    ['ws/src/to-out-file', '../../outside/secret'],
    ['ws/gone-link', '../outside/gone/further'],
  ] as const) {
    await symlink(target, join(root, link));
  }
  const wanted = beginnings.flatMap((beginning) => endings.map((ending) => `${beginning.replace('/WS', workspace)}${ending}`));
  // coreutils: -L takes `..` away before it follows links, -m lets any part be missing
  const printed = execFileSync('realpath', ['-L', '-m', '-z', '--', ...wanted], { cwd: workspace, encoding: 'utf8' });
  const expected = printed.split('\0').slice(0, -1);
  const resolved = await Promise.all(wanted.map((path) => resolveRealPath(path, workspace)));
  const wrong = wanted.flatMap((path, index) => {
    const result = resolved[index];
    if (result === undefined) return [path];
    // a file in the middle of a path is refused; realpath -m goes on
    if ('error' in result) return result.error.includes('a file, not a folder') ? [] : [`${path}: ${result.error}`];
    return result.path === expected[index] ? [] : [`${path}: ${result.path} instead of ${expected[index]}`];
  });
  expect(wrong).toEqual([]);
  const inside = resolved.filter((result) => !('error' in result) && isInside(result.path, workspace)).length;
  expect(inside).toBeGreaterThan(60);
  expect(wanted.length - inside).toBeGreaterThan(60);
});
