import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { binPath, childEnv, createSandbox } from '../helpers/home.ts';
import { startTerminal } from '../helpers/pty.ts';
import { hostileFolders } from './hostile-folders.ts';

const traced = 'execve,execveat,fork,vfork,clone,clone3,socket,connect,bind,open,openat,openat2,creat';
const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

type Trace = {
  readonly started: number;
  readonly children: readonly string[];
  readonly sockets: readonly string[];
  readonly opened: readonly string[];
};

/** What a trace holds that must not be there: processes beside the first, sockets, and files of the folder that were opened. */
function readTrace(text: string, folder: string): Trace {
  const lines = text.split('\n').map((line) => line.replace(/^\d+\s+/u, ''));
  const programs = lines.filter((line) => /^execve(?:at)?\(/u.test(line));
  const forks = lines.filter((line) => /^(?:v?fork|clone3?)\(/u.test(line) && !line.includes('CLONE_THREAD'));
  return {
    started: programs.length,
    children: [...programs.slice(1), ...forks],
    sockets: lines.filter((line) => /^(?:socket|connect|bind)\(/u.test(line)),
    opened: lines.filter((line) => {
      const path = /^(?:open|openat|openat2|creat)\((?:AT_FDCWD, )?"((?:[^"\\]|\\.)*)"/u.exec(line)?.[1];
      return path !== undefined && (path.startsWith(`${folder}/`) || !path.startsWith('/'));
    }),
  };
}

it('are at least 25 folders', () => {
  expect(hostileFolders.length).toBeGreaterThanOrEqual(25);
});

it.skipIf(!works).for(hostileFolders)(
  '$name: nothing is run, contacted or read before the folder is trusted',
  { timeout: 60_000 },
  async ({ make }) => {
    const sandbox = createSandbox();
    const cwd = join(sandbox.root, 'project');
    mkdirSync(cwd);
    make(cwd);
    const log = join(sandbox.root, 'trace.txt');
    const terminal = startTerminal(['-f', '-s', '4096', '-e', `trace=${traced}`, '-o', log, process.execPath, binPath], {
      program: 'strace',
      cwd,
      home: sandbox.home,
      env: { PATH: `.:${cwd}/node_modules/.bin:${process.env.PATH}` },
    });
    try {
      await terminal.waitFor('Do you trust the files in', 40_000);
      await terminal.waitForQuiet(400);
      // keys that came too early do not answer; these do
      terminal.send('3');
      await terminal.exited;
      expect(terminal.raw()).not.toContain('\x1b]0;owned');
      expect(readTrace(readFileSync(log, 'utf8'), cwd)).toEqual({ started: 1, children: [], sockets: [], opened: [] });
      expect(existsSync(join(cwd, 'PWNED'))).toBe(false);
    } finally {
      await terminal.close();
      sandbox.remove();
    }
  },
);

if (!works) it('the starts in hostile folders', (context) => context.skip('strace is not there, or may not trace here'));

it.each(['text', 'json'])('a one-shot call without trust leaves project settings alone and says so (%s)', (format) => {
  const sandbox = createSandbox();
  try {
    for (const { name, make } of hostileFolders) {
      if (name !== 'project settings with hooks and a yolo mode') continue;
      make(sandbox.cwd);
    }
    const result = spawnSync(process.execPath, [binPath, '-p', 'hello', '-o', format], {
      cwd: sandbox.cwd,
      env: childEnv(sandbox.home),
      encoding: 'utf8',
      input: '',
    });
    expect(result.stderr).toContain('is not trusted');
    expect(result.stderr).toContain('.tilldone/settings.json');
    expect(existsSync(join(sandbox.cwd, 'PWNED'))).toBe(false);
  } finally {
    sandbox.remove();
  }
});
