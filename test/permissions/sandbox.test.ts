import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathExists } from '../../src/lib/paths.ts';
import { runProgram } from '../../src/lib/process.ts';
import { planSandbox, probeSandbox, type RunProbe, type SandboxPlan, wrapInSandbox } from '../../src/permissions/sandbox.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const plan: SandboxPlan = {
  workspace: '/w',
  extraDirs: ['/lib2'],
  hiddenFolders: ['/home/u/.ssh'],
  hiddenFiles: ['/home/u/.netrc'],
  network: false,
};

/** What follows a flag, for each time it is there. */
function valuesOf(args: readonly string[], flag: string, count: number): string[] {
  return args.flatMap((arg, at) => (arg === flag ? [args.slice(at + 1, at + 1 + count).join(' ')] : []));
}

const run: RunProbe = async (file, args) => {
  const result = await runProgram({ file, args, cwd: '/', env: { PATH: process.env.PATH, HOME: homedir() } }, { maxBytes: 10_000 });
  return { code: result.failure === undefined ? result.code : null, output: result.stdout.toString() + result.stderr };
};

describe('the bubblewrap call', () => {
  it('binds the root read-only, then the writable folders, then what is protected or hidden in them', () => {
    const { file, args } = wrapInSandbox(plan, { command: 'npm test', cwd: '/w/a' });
    expect(file).toBe('bwrap');
    expect(valuesOf(args, '--ro-bind', 2)).toEqual(['/ /', '/dev/null /home/u/.netrc']);
    expect(valuesOf(args, '--bind', 2)).toEqual(['/w /w', '/lib2 /lib2']);
    expect(valuesOf(args, '--ro-bind-try', 2)).toEqual(
      expect.arrayContaining(['/w/.git /w/.git', '/w/.tilldone /w/.tilldone', '/lib2/.mcp.json /lib2/.mcp.json']),
    );
    expect(valuesOf(args, '--tmpfs', 1)).toEqual(['/run', '/tmp', '/home/u/.ssh']);
    expect(args.indexOf('--bind')).toBeGreaterThan(args.indexOf('--ro-bind'));
    expect(args.indexOf('--ro-bind-try')).toBeGreaterThan(args.lastIndexOf('--bind'));
    expect(args).toContain('--unshare-net');
    expect(args.slice(args.indexOf('--chdir'))).toEqual(['--chdir', '/w/a', '--', 'bash', '--noprofile', '--norc', '-c', 'npm test']);
  });

  it('lets git write its data, but neither hooks nor configuration', () => {
    const { args } = wrapInSandbox(plan, { command: 'npm test && git commit -m x', cwd: '/w' });
    expect(valuesOf(args, '--ro-bind-try', 2)).toEqual(
      expect.arrayContaining(['/w/.git/hooks /w/.git/hooks', '/w/.git/config /w/.git/config']),
    );
    expect(valuesOf(args, '--ro-bind-try', 2)).not.toContain('/w/.git /w/.git');
  });

  it('keeps the network when it is granted, and shares a folder for /tmp', () => {
    const { args } = wrapInSandbox({ ...plan, network: true, tempDir: '/s/tmp' }, { command: 'true', cwd: '/w' });
    expect(args).not.toContain('--unshare-net');
    expect(valuesOf(args, '--bind', 2)).toContain('/s/tmp /tmp');
  });

  it('hides of the home folder what is there, but nothing that holds the workspace', async () => {
    const there = new Set(['/home/u/.ssh', '/home/u/.netrc', '/home/u/.config/tilldone', '/home/u/.aws']);
    const place = { workspace: '/home/u/.aws/w', extraDirs: [], home: '/home/u', ownFolders: ['/home/u/.config/tilldone'], network: false };
    const made = await planSandbox(place, async (path) => there.has(path));
    expect(made).toMatchObject({ hiddenFolders: ['/home/u/.ssh', '/home/u/.config/tilldone'], hiddenFiles: ['/home/u/.netrc'] });
  });
});

describe('the probe', () => {
  it.each([
    [
      { code: 0, output: '' },
      { kind: 'on', label: 'sandbox, no network' },
    ],
    [
      { code: null, output: '' },
      { kind: 'off', label: 'NO SANDBOX', reason: 'bubblewrap (bwrap) is not installed' },
    ],
    [
      { code: 1, output: 'bwrap: No permissions\nmore' },
      { kind: 'off', label: 'NO SANDBOX', reason: 'bubblewrap does not work here: bwrap: No permissions' },
    ],
  ])('%j: %j', async (result, state) => {
    expect(await probeSandbox(plan, async () => result)).toEqual(state);
  });
});

describe('the real thing', () => {
  it('writes the workspace and nothing else, reaches no network and sees no secret, where bubblewrap works', async (context) => {
    const folder = await tempFolder();
    const [workspace, home] = [join(folder, 'w'), join(folder, 'home')];
    await mkdir(join(workspace, '.git', 'hooks'), { recursive: true });
    await mkdir(join(home, '.ssh'), { recursive: true });
    await writeFile(join(home, '.ssh', 'id_rsa'), 'hunter2');
    await writeFile(join(home, '.netrc'), 'hunter2');
    const real = await planSandbox({ workspace, extraDirs: [], home, ownFolders: [], network: false }, pathExists);
    const state = await probeSandbox(real, run);
    if (state.kind === 'off') return context.skip(`no sandbox: ${state.reason}`);

    const inside = async (command: string): Promise<{ code: number | null; output: string }> => {
      const { file, args } = wrapInSandbox(real, { command, cwd: workspace });
      return run(file, args);
    };
    expect(await inside('echo a > a.txt && cat a.txt')).toEqual({ code: 0, output: 'a\n' });
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('a\n');
    expect((await inside('echo a > /etc/b.txt')).output).toContain('Read-only file system');
    await inside(`mkdir -p ${home}; echo a > ${home}/b.txt`);
    expect(await pathExists(join(home, 'b.txt'))).toBe(false);
    expect((await inside('echo a > .git/hooks/pre-commit')).code).not.toBe(0);
    expect((await inside('git --version >/dev/null; echo a > .git/hooks/pre-commit')).code).not.toBe(0);
    expect((await inside(`cat ${home}/.ssh/id_rsa ${home}/.netrc`)).output).not.toContain('hunter2');
    expect((await inside('exec 3<>/dev/tcp/127.0.0.1/1')).output).toMatch(/refused|unreachable/u);
    expect((await inside('sleep 60 & echo hi')).output).toBe('hi\n');
  });
});
