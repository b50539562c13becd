import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGlob, maxGlobPaths } from '../../src/tools/glob.ts';
import { createGrep } from '../../src/tools/grep.ts';
import { findRipgrep } from '../../src/tools/ripgrep.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, type TestContext, toolContext } from './tool-context.ts';

const noRipgrep = async () => undefined;
const engines = [
  ['ripgrep', findRipgrep],
  ['our own walk', noRipgrep],
] as const;

async function fill(root: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function tree(files: Readonly<Record<string, string | Buffer>>, below = ''): Promise<TestContext> {
  const root = await tempFolder();
  await fill(root, files);
  return toolContext(join(root, below));
}

const project = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n/only-root.txt\n# a comment\ngen/*.ts\n\\#odd\n',
  '.git/config': 'needle',
  '.github/ci.yml': 'needle',
  '.env': 'needle=1\n',
  'deploy/id_rsa': 'needle',
  'src/a.ts': 'one\nneedle here\nthree\nfour\nfive\nsix\nneedle there\n',
  'src/b.tsx': 'Needle\nno\n',
  'src/sub/c.ts': 'no\nneedle\n',
  'src/sub/.gitignore': '!back.log\nc.py\n',
  'src/sub/back.log': 'needle',
  'src/sub/c.py': 'needle',
  'src/sub/.ignore': '!c.py\nd.md\n',
  'src/sub/d.md': 'needle',
  'dist/out.js': 'needle',
  'x.log': 'needle',
  'keep.log': 'needle',
  'only-root.txt': 'needle',
  'src/only-root.txt': 'needle',
  'gen/x.ts': 'needle',
  'gen/x.js': 'needle',
  '#odd': 'needle',
  'crlf.txt': 'a\r\nneedle\r\nb\r\n',
  'bin.dat': Buffer.from('needle\0\n'),
  'utf16.txt': Buffer.from('\ufeffa\nneedle ü\n', 'utf16le'),
  'latin1.txt': Buffer.from('caf\xe9 needle\n', 'latin1'),
  'ünï.md': 'needle',
};

let projectFolder = '';
beforeAll(async () => {
  projectFolder = await realpath(await mkdtemp(join(tmpdir(), 'tilldone-search-')));
  await fill(projectFolder, project);
  await symlink('/etc', join(projectFolder, 'link'));
});
afterAll(() => rm(projectFolder, { recursive: true }));

it.each(engines)('glob with %s: ignore files honoured, links not followed, secrets kept back', async (_name, find) => {
  const context = toolContext(projectFolder);
  const outcome = await callTool(createGlob(find), { pattern: '**/*' }, context);
  const lines = outcome.output.split('\n');
  expect(lines.pop()).toBe('(2 files that may hold secrets were left out)');
  expect(lines.sort()).toEqual(
    [
      '.github/ci.yml',
      '.gitignore',
      'bin.dat',
      'crlf.txt',
      'gen/x.js',
      'keep.log',
      'latin1.txt',
      'src/a.ts',
      'src/b.tsx',
      'src/only-root.txt',
      'src/sub/.gitignore',
      'src/sub/.ignore',
      'src/sub/back.log',
      'src/sub/c.py',
      'src/sub/c.ts',
      'utf16.txt',
      'ünï.md',
    ].sort(),
  );
});

it.each(engines)('glob with %s: newest first, and how many more there are', async (_name, find) => {
  const context = await tree(Object.fromEntries(Array.from({ length: maxGlobPaths + 5 }, (_, index) => [`f${index}.txt`, ''])));
  await Promise.all(
    Array.from({ length: maxGlobPaths + 5 }, (_, index) => utimes(join(context.cwd, `f${index}.txt`), index + 1, index + 1)),
  );
  const lines = (await callTool(createGlob(find), { pattern: '*.txt' }, context)).output.split('\n');
  expect(lines.slice(0, 3)).toEqual(['f304.txt', 'f303.txt', 'f302.txt']);
  expect(lines.at(-1)).toBe('(the newest 300 of 305; narrow the pattern for others)');
});

it.each([
  ['**/*.ts', ['src/a.ts', 'src/sub/c.ts']],
  ['*.ts', ['src/a.ts', 'src/sub/c.ts']],
  ['src/*.ts', ['src/a.ts']],
  ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/b.tsx', 'src/sub/c.ts']],
  ['src/a.ts', ['src/a.ts']],
  ['dist/**', ['dist/out.js']],
  ['*.none', ['No file matches']],
  ['**/.gitignore', ['.gitignore', 'src/sub/.gitignore']],
])('glob %s finds the same with and without ripgrep', async (pattern, expected) => {
  const context = toolContext(projectFolder);
  for (const [, find] of engines) {
    const outcome = await callTool(createGlob(find), { pattern }, context);
    expect(outcome.output.split('\n').sort()).toEqual(expected);
  }
});

it.each([
  ['a pattern above the workspace', { pattern: '../outside/*.txt' }, '../outside'],
  ['an absolute path', { pattern: '**', path: '/etc' }, '/etc'],
])('glob declares %s', async (_name, args, place) => {
  const context = await tree({ 'ws/a': '', 'outside/b.txt': '' }, 'ws');
  const prepared = await createGlob(noRipgrep).prepare(args, context);
  expect(prepared).toMatchObject({ effects: [{ kind: 'read', path: join(place.startsWith('/') ? '' : context.cwd, place) }] });
});

const nested = { 'sub/a.ts': '', 'sub/b.ts': '', 'sub/c.ts': '', 'sub/d.ts': '', 'sub/deep/a.ts': '' };
it.each([
  ['up to the top of a repository', { 'repo/.git/HEAD': '' }, ['a.ts', 'd.ts', 'deep/a.ts']],
  ['all the way where there is none', {}, ['d.ts']],
  ['past repositories further down', { 'repo/sub/deep/.git/HEAD': '' }, ['d.ts']],
])('ignore files of folders above count: %s', async (_name, more, expected) => {
  const files = { '.ignore': 'b.ts\n', '.gitignore': 'a.ts\n', 'repo/.gitignore': 'sub/c.ts\n', ...more };
  const inRepo = Object.fromEntries(Object.entries(nested).map(([path, content]) => [`repo/${path}`, content]));
  const context = await tree({ ...files, ...inRepo }, 'repo/sub');
  for (const [, find] of engines) {
    expect((await callTool(createGlob(find), { pattern: '*' }, context)).output.split('\n').sort()).toEqual(expected);
  }
});

it('shows matching lines by file, with context', async () => {
  const context = toolContext(projectFolder);
  for (const [, find] of engines) {
    const outcome = await callTool(createGrep(find), { pattern: 'needle', glob: 'src/**/*.ts', context: 1 }, context);
    expect(outcome.output.split('\n')).toEqual([
      'src/a.ts',
      '1- one',
      '2: needle here',
      '3- three',
      '--',
      '6- six',
      '7: needle there',
      'src/sub/c.ts',
      '1- no',
      '2: needle',
    ]);
  }
});

it.each([
  ['content', { pattern: 'needle' }],
  ['files', { pattern: 'needle', mode: 'files' }],
  ['count', { pattern: 'needle', mode: 'count' }],
  ['ignoring case', { pattern: 'NEEDLE', ignore_case: true }],
  ['flag in the pattern', { pattern: '(?i)NEEDLE' }],
  ['a type', { pattern: 'needle', type: 'ts' }],
  ['a glob of names', { pattern: 'needle', glob: '*.{py,log}' }],
  ['a glob of paths', { pattern: 'needle', glob: 'src/**' }],
  ['type and glob', { pattern: 'needle', type: 'ts', glob: '[ab]*' }],
  ['an ignored file by glob stays out', { pattern: 'needle', glob: '**/*.js' }],
  ['a folder that is ignored, named', { pattern: 'needle', path: 'dist' }],
  ['one file', { pattern: 'needle', path: 'src/a.ts', context: 1 }],
  ['one file in UTF-16', { pattern: 'needle', path: 'utf16.txt' }],
  ['one binary file', { pattern: 'needle', path: 'bin.dat' }],
  ['one file with secrets, named', { pattern: 'needle', path: '.env' }],
  ['the end of a line with CRLF', { pattern: 'needle$', path: 'crlf.txt' }],
  ['alternatives and classes', { pattern: '^(one|f\\w+|[[:digit:]]+)$' }],
  ['Unicode classes', { pattern: '\\w+ ü' }],
  ['punctuation, escaped', { pattern: 'needle\\=\\d' }],
  ['look-ahead', { pattern: 'needle(?= th)' }],
  ['a back reference', { pattern: '(e)\\1' }],
  ['a named group', { pattern: '(?P<n>nee)dle h' }],
  ['a dash at the start', { pattern: '-needle' }],
  ['nothing', { pattern: 'no such text' }],
  ['many matches, cut', { pattern: 'e', limit: 3 }],
])('grep finds the same with and without ripgrep: %s', async (_name, args) => {
  const context = toolContext(projectFolder);
  const [first, second] = await Promise.all(engines.map(([, find]) => callTool(createGrep(find), args, context)));
  expect(second).toEqual(first);
  expect(first?.isError).toBe(false);
  expect(first?.output).not.toMatch(/deploy|\.git\/|dist\/.*\n.*src/u);
  expect(first?.output).toMatchSnapshot();
});

it.each(engines)('grep with %s says what it left out', async (_name, find) => {
  const context = await tree({ 'a.txt': 'x\n'.repeat(500), 'b.txt': `${'long '.repeat(1000)}\n`, '.env': 'x' });
  expect((await callTool(createGrep(find), { pattern: 'x' }, context)).output.split('\n').slice(-2)).toEqual([
    '(100 of 500 matching lines in 1 file; narrow the search or raise limit)',
    '(1 file that may hold secrets was left out)',
  ]);
  const long = (await callTool(createGrep(find), { pattern: 'long' }, context)).output;
  expect(long).toMatch(/^b\.txt\n1: (?:long )+…$/u);
  expect(long.length).toBeLessThan(450);
});

it.each(engines)('grep with %s refuses what is no pattern', async (_name, find) => {
  const context = await tree({ a: 'x' });
  for (const pattern of ['(', '[a', 'a{2,1}', '*']) {
    const outcome = await callTool(createGrep(find), { pattern }, context);
    expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining('The pattern is not accepted') });
  }
  expect(await callTool(createGrep(find), { pattern: 'a\nb' }, context)).toMatchObject({ isError: true });
  expect((await callTool(createGrep(find), { pattern: 'a', type: 'cobol' }, context)).output).toContain(
    "Unknown type 'cobol'. Accepted: c, cpp",
  );
  expect((await callTool(createGrep(find), { pattern: 'a', path: 'none' }, context)).output).toContain('does not exist');
});

it.each(engines)('an unreadable folder does not end the search with %s', async (_name, find) => {
  const context = await tree({ 'a.txt': 'x', 'closed/b.txt': 'x' });
  await chmod(join(context.cwd, 'closed'), 0o000);
  const outcome = await callTool(createGrep(find), { pattern: 'x', mode: 'files' }, context);
  await chmod(join(context.cwd, 'closed'), 0o700);
  expect(outcome).toMatchObject({ isError: false, output: expect.stringContaining('a.txt') });
});
