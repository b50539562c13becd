import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnv, createSandbox, type Sandbox } from './helpers/home.ts';
import { run } from './helpers/run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

let sandbox: Sandbox;
let prefix = '';
let files: readonly string[] = [];
beforeAll(() => {
  sandbox = createSandbox();
  prefix = join(sandbox.root, 'prefix');
  mkdirSync(prefix);
  // dist is built by now; the prepack script would build it again
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', sandbox.root], {
    cwd: root,
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(packed);
  files = tarball.files.map((file: { path: string }) => file.path);
  const install = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(sandbox.root, tarball.filename),
  ];
  execFileSync('npm', install, { cwd: sandbox.root, stdio: 'pipe' });
}, 180_000);
afterAll(() => sandbox.remove());

describe('the packed tarball, installed elsewhere', () => {
  it('holds the command, its bundle and the licences, and nothing of the sources', () => {
    expect(files).toEqual(
      expect.arrayContaining(['bin/tilldone.js', 'dist/cli.cjs', 'dist/THIRD_PARTY_LICENSES', 'LICENSE', 'README.md', 'package.json']),
    );
    expect(files.filter((file) => /^dist\/main-[0-9a-f]{12}\.js$/u.test(file))).not.toEqual([]);
    expect(files.filter((file) => /^(?:src|test|integration-tests|scripts|\.ci)\//u.test(file))).toEqual([]);
  });

  it('runs by the link that npm made, from another folder', async () => {
    const bin = join(prefix, 'bin', 'tilldone');
    const version = execFileSync(bin, ['--version'], { cwd: sandbox.cwd, env: childEnv(sandbox.home), encoding: 'utf8' });
    expect(version).toBe(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`);
    const { code, stdout } = await run(['demo'], { bin, cwd: sandbox.cwd, home: sandbox.home });
    expect(stdout).toContain('All 5 todos done');
    expect(code).toBe(0);
  });

  it('runs through a link of the user’s own', async () => {
    const link = join(sandbox.root, 'td');
    symlinkSync(join(prefix, 'bin', 'tilldone'), link);
    const { code, stdout } = await run(['-p', 'hi'], { bin: link, cwd: sandbox.cwd, home: sandbox.home });
    expect(stdout).toContain('checklist');
    expect(code).toBe(0);
  });

  it('brings the search binary as its only dependency', () => {
    expect(existsSync(join(prefix, 'lib', 'node_modules', 'tilldone', 'node_modules', '@vscode', 'ripgrep'))).toBe(true);
    expect(existsSync(join(prefix, 'lib', 'node_modules', 'tilldone', 'node_modules', 'react'))).toBe(false);
  });
});
