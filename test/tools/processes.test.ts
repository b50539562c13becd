import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createProcesses, type Processes, type ProcessesOptions } from '../../src/tools/processes.ts';
import type { BackgroundProcess } from '../../src/tools/tool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { isRunning } from './tool-context.ts';

function processesOf(options: Partial<ProcessesOptions> = {}): Processes {
  const processes = createProcesses({ env: () => ({ PATH: '/usr/bin:/bin' }), clock: systemClock, onChange: () => {}, ...options });
  onTestFinished(() => processes.killAll());
  return processes;
}
const quiet = { timeoutMs: 20_000, onOutput: () => {} };
/** The system's clock, twenty times as fast: the 3 s until SIGKILL become 150 ms. */
const fastClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() * 20,
  sleep: (delayMs, signal) => systemClock.sleep(delayMs / 20, signal),
};
const never = new AbortController().signal;

/** A process that got SIGKILL is gone soon, but not at once: a busy machine has to come to it. */
async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await systemClock.sleep(1);
}

async function pidIn(path: string): Promise<number> {
  return Number(await readFile(path, 'utf8'));
}

it('returns at once from a command that leaves another one behind, and ends that with the session', async () => {
  const cwd = await tempFolder();
  const processes = processesOf();
  const before = performance.now();
  const run = await processes.run('sleep 60 & echo $! > pid; echo hi', { cwd, signal: never, ...quiet });
  expect(run).toMatchObject({ exitCode: 0, output: 'hi\n' });
  expect(performance.now() - before).toBeLessThan(10_000); // a guard: the command itself takes milliseconds
  const pid = await pidIn(join(cwd, 'pid'));
  expect(isRunning(pid)).toBe(true);
  await processes.killAll();
  expect(isRunning(pid)).toBe(false);
});

it('gets all that was printed right before the end', async () => {
  const run = await processesOf().run('seq 1 4000', { cwd: await tempFolder(), signal: never, ...quiet });
  expect(run.output).toBe(`${Array.from({ length: 4000 }, (_, index) => index + 1).join('\n')}\n`);
});

it('an abort ends the whole group, a child that ignores SIGTERM too', async () => {
  const cwd = await tempFolder();
  const controller = new AbortController();
  const running = processesOf({ clock: fastClock }).run(`trap '' TERM; (trap '' TERM; exec sleep 60) & echo $! > pid; echo ready; wait`, {
    cwd,
    signal: controller.signal,
    timeoutMs: 60_000,
    onOutput: (text) => {
      if (text.includes('ready')) controller.abort();
    },
  });
  expect(await running).toMatchObject({ aborted: true, timedOut: false, output: 'ready\n' });
  await ended(await pidIn(join(cwd, 'pid')));
});

it('does not start what is aborted already, nor anything after the end of the session', async () => {
  const cwd = await tempFolder();
  const processes = processesOf();
  expect(await processes.run('touch made', { cwd, signal: AbortSignal.abort(), ...quiet })).toMatchObject({ aborted: true });
  await processes.killAll();
  expect(await processes.run('touch made', { cwd, signal: never, ...quiet })).toMatchObject({ aborted: true });
  expect(processes.start('touch made', { cwd })).toMatchObject({ state: 'killed' });
  expect(existsSync(join(cwd, 'made'))).toBe(false);
});

it('says when the shell cannot be started', async () => {
  const processes = processesOf({ wrapCommand: () => ({ file: '/no/such/shell', args: [] }) });
  const run = await processes.run('ls', { cwd: await tempFolder(), signal: never, ...quiet });
  expect(run).toMatchObject({ exitCode: 127, output: expect.stringMatching(/^The shell could not be started: .*ENOENT/u) });
});

it('runs the wrapped command when there is a sandbox', async () => {
  const processes = processesOf({ wrapCommand: ({ command, cwd }) => ({ file: 'printf', args: ['%s|', command, cwd] }) });
  const cwd = await tempFolder();
  expect((await processes.run('ls -l', { cwd, signal: never, ...quiet })).output).toBe(`ls -l|${cwd}|`);
});

it('inherits nothing that bash would run or define by itself', async () => {
  const env = { PATH: '/usr/bin:/bin', BASH_ENV: './evil.sh', 'BASH_FUNC_ls%%': '() { echo evil; }', ENV: './evil.sh', KEPT: 'yes' };
  const run = await processesOf({ env: () => env }).run('env | grep -c evil; echo $KEPT', {
    cwd: await tempFolder(),
    signal: never,
    ...quiet,
  });
  expect(run.output).toBe('0\nyes\n');
});

it('keeps head and tail of a flood in bounded memory and the whole of it in a private file', async () => {
  const spillDir = join(await tempFolder(), 'spill');
  const processes = processesOf({ spillDir: () => spillDir });
  const run = await processes.run('seq 1 500000', { cwd: await tempFolder(), signal: never, ...quiet });
  expect(run.output.length).toBeLessThan(31_000);
  expect(run.output).toMatch(/^1\n2\n[\s\S]*… \d+ characters left out …[\s\S]*\n500000\n$/u);
  const spillPath = run.spillPath ?? '';
  expect((await stat(spillPath)).mode & 0o777).toBe(0o600);
  expect((await stat(spillDir)).mode & 0o777).toBe(0o700);
  const spilled = await readFile(spillPath, 'utf8');
  expect(spilled.length).toBe(3_388_895);
  expect(spilled.endsWith('\n499999\n500000\n')).toBe(true);
  await processes.killAll();
  expect(existsSync(spillPath)).toBe(false);
});

it('works on when the spill folder cannot be written', async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'file'), '');
  const run = await processesOf({ spillDir: () => join(cwd, 'file/spill') }).run('seq 1 50000', { cwd, signal: never, ...quiet });
  expect(run).toMatchObject({ exitCode: 0, output: expect.stringContaining('left out') });
  expect(run.spillPath).toBeUndefined();
});

it('a background command: started, waited for, read, ended', async () => {
  const cwd = await tempFolder();
  const changes: BackgroundProcess[] = [];
  const processes = processesOf({ onChange: (process) => changes.push(process) });
  const started = processes.start('echo one; until test -e go; do sleep 0.01; done; echo two; exit 4', { cwd });
  expect(started).toEqual({ id: 'sh1', command: expect.any(String), state: 'running', exitCode: null });
  expect(await processes.wait('sh1', { timeoutMs: 1, signal: never })).toMatchObject({ state: 'running' });
  await writeFile(join(cwd, 'go'), '');
  const over = await processes.wait('sh1', { timeoutMs: 20_000, signal: never });
  expect(over).toMatchObject({ state: 'exited', exitCode: 4 });
  expect(processes.read('sh1')).toBe('one\ntwo\n');
  expect(processes.read('sh1')).toBe('');
  expect(changes.map((change) => change.state)).toEqual(['running', 'exited']);
});

it('kill ends the group of a background command and says so', async () => {
  const cwd = await tempFolder();
  const changes: string[] = [];
  const processes = processesOf({ onChange: (process) => changes.push(process.state) });
  processes.start('sleep 60 & echo $! > pid; echo up; wait', { cwd });
  const seen: string[] = [];
  while (!seen.join('').includes('up')) {
    await processes.wait('sh1', { timeoutMs: 5, signal: never });
    seen.push(processes.read('sh1'));
  }
  expect(await processes.kill('sh1')).toMatchObject({ state: 'killed' });
  expect(isRunning(await pidIn(join(cwd, 'pid')))).toBe(false);
  expect(changes).toEqual(['running', 'killed']);
  expect(await processes.kill('sh9')).toBeUndefined();
  expect(processes.list()).toMatchObject([{ id: 'sh1', state: 'killed' }]);
});

it('waiting ends with an abort', async () => {
  const processes = processesOf();
  processes.start('sleep 60', { cwd: await tempFolder() });
  expect(await processes.wait('sh1', { timeoutMs: 60_000, signal: AbortSignal.abort() })).toMatchObject({ state: 'running' });
});

it('killNow leaves no process either', async () => {
  const cwd = await tempFolder();
  const processes = processesOf();
  await processes.run('sleep 60 & echo $! > pid', { cwd, signal: never, ...quiet });
  const pid = await pidIn(join(cwd, 'pid'));
  processes.killNow();
  await ended(pid);
});
