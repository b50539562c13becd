import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openFolder } from '../../src/lib/atomic-file.ts';
import { listFiles } from '../../src/tools/list-files.ts';
import { findRipgrep, type Ripgrep } from '../../src/tools/ripgrep.ts';

const soak = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
const seed = Number(process.env.TILLDONE_SEED ?? 1);

const paths = [
  'a',
  'b.x',
  'd/a',
  'd/b.x',
  'd/e/a',
  'd/e/c.y',
  'd/e/f/b.x',
  'e/a',
  'e/d/c.y',
  'ab/c.y',
  '.h/a',
  'd/.h',
  'f g',
  '[a]',
  'a!',
  '#a',
];
const pattern = fc.constantFrom(
  ...[
    'a',
    'b.x',
    '*.x',
    '*.y',
    'd',
    'd/',
    '/d',
    '/a',
    'e/',
    'd/e',
    '/d/e/',
    '**/e',
    'd/**',
    '**/a',
    'd/**/a',
    '*',
    '/*',
    'a*',
    '?',
    '[ab]',
    '[!a]*',
    '.h',
  ],
  ...['.*', 'f g', 'f\\ g', '\\#a', '#a', 'a\\!', '\\[a\\]', 'e/*', '*/a', '**', 'd/*/', 'a ', 'a/', '**/f/**', '{a,b.x}', '*.{x,y}'],
);
const ignoreFile = fc
  .array(fc.tuple(fc.boolean(), pattern), { maxLength: 4 })
  .map((rules) => rules.map(([keeps, rule]) => `${keeps ? '!' : ''}${rule}\n`).join(''));
const place = fc.constantFrom('', 'd/', 'd/e/', 'e/', '../');
const name = fc.constantFrom('.gitignore', '.ignore', '.rgignore');

it('ignore files mean to our own walk what they mean to ripgrep', { timeout: 300_000 }, async () => {
  const ripgrep = await findRipgrep();
  expect(ripgrep).toBeDefined();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tilldone-ignore-')));
  let tree = 0;
  const check = async (files: readonly (readonly [string, string, string])[], repository: string): Promise<void> => {
    tree += 1;
    const workspace = join(root, `${tree}/ws`);
    const all: [string, string][] = [
      ...paths.map((path): [string, string] => [path, '']),
      ...files.map(([folder, file, content]): [string, string] => [folder + file, content]),
    ];
    for (const [path, content] of all) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), content);
    }
    if (repository !== '') await mkdir(join(workspace, repository), { recursive: true });
    const folder = await openFolder(workspace);
    const list = async (engine: Ripgrep | undefined): Promise<string[]> => {
      const wants = (): boolean => true;
      const listing = await listFiles(folder, { names: [], wants }, { ripgrep: engine, signal: new AbortController().signal });
      return [...listing.paths].sort();
    };
    try {
      expect(await list(undefined)).toEqual(await list(ripgrep));
    } finally {
      await folder.handle.close();
      await rm(join(root, String(tree)), { recursive: true });
    }
  };
  const files = fc.array(fc.tuple(place, name, ignoreFile), { maxLength: 3 });
  try {
    await fc.assert(fc.asyncProperty(files, fc.constantFrom('', '.git', 'd/.git', '../.git'), check), { numRuns: 20 * soak, seed });
  } finally {
    await rm(root, { recursive: true });
  }
});
