import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { binPath, childEnv, createSandbox, type Sandbox } from './helpers/home.ts';
import { startTerminal } from './helpers/pty.ts';
import { run } from './helpers/run.ts';

/** Loaded before the command: throws where nobody catches, once a file named `now` is there. */
const fault =
  "import { existsSync } from 'node:fs';\nsetInterval(() => { if (existsSync('now')) throw new Error('planted fault'); }, 20).unref();\n";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.root, 'fault.mjs'), fault);
});
afterEach(() => sandbox.remove());

function crashFile(): string {
  const folder = join(sandbox.home, '.tilldone', 'state', 'crashes');
  const [name = ''] = readdirSync(folder);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  return readFileSync(join(folder, name), 'utf8');
}

it('one-shot: exit 70, a crash file, one result, and no command left behind', async () => {
  const args = ['--import', join(sandbox.root, 'fault.mjs'), binPath, '-y', '--json', '-p', '1. run `touch now; sleep 300; touch late`'];
  const child = spawn(process.execPath, args, { cwd: sandbox.cwd, env: childEnv(sandbox.home), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(70);
  expect(stderr).toContain('tilldone: internal error: planted fault. Details: ');
  expect(crashFile()).toContain('Error: planted fault');
  const results = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((record) => record.type === 'result');
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ is_error: true, exit_code: 70 });
  expect(existsSync(join(sandbox.cwd, 'late'))).toBe(false);
});

it('chat: the terminal is given back, and what happened is said below', async () => {
  await run(['trust'], { cwd: sandbox.cwd, home: sandbox.home });
  const args = ['--import', join(sandbox.root, 'fault.mjs'), binPath];
  const terminal = startTerminal(args, { cwd: sandbox.cwd, home: sandbox.home, program: process.execPath });
  try {
    await terminal.waitFor('Ask for something');
    await terminal.waitForQuiet();
    const before = terminal.raw().length;
    writeFileSync(join(sandbox.cwd, 'now'), '');
    expect((await terminal.exited).exitCode).toBe(70);
    const after = terminal.raw().slice(before);
    expect(after).toContain('\u001b[?2004l');
    expect(after).toContain('\u001b[?25h');
    expect(terminal.scrollback()).toContain('internal error: planted fault');
    expect(crashFile()).toContain('Error: planted fault');
  } finally {
    await terminal.close();
  }
});
