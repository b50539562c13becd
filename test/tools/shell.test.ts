import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { shell } from '../../src/tools/shell.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, isRunning, toolContext } from './tool-context.ts';

it.each([
  ['output and code 0', 'echo hi; echo err >&2', 'exit code 0\nhi\nerr', false],
  ['a failing command', 'echo no; exit 3', 'exit code 3\nno', true],
  ['no output', 'true', 'exit code 0', false],
  ['an unknown command', 'no-such-command-here 2>/dev/null', 'exit code 127', true],
  ['a signal', 'kill -9 $$', 'killed by SIGKILL', true],
  ['empty stdin', 'cat; read -r line || echo end', 'exit code 0\nend', false],
  ['no terminal, no pager, no editor', 'test -t 0 || echo "$PAGER $EDITOR $GIT_TERMINAL_PROMPT"', 'exit code 0\ncat false 0', false],
])('reports %s', async (_name, command, output, isError) => {
  const context = toolContext(await tempFolder());
  expect(await callTool(shell, { command }, context)).toEqual({ output, isError });
});

it('declares the command and its folder as effect and preview', async () => {
  const context = toolContext(await tempFolder());
  const prepared = await shell.prepare({ command: 'ls' }, context);
  expect(prepared).toMatchObject({
    effects: [{ kind: 'command', command: 'ls', cwd: context.cwd }],
    preview: { kind: 'command', command: 'ls', cwd: context.cwd },
  });
});

it.each([
  [{ command: '  ' }, 'The command is empty'],
  [{ command: 'a\0b' }, 'NUL'],
  [{ command: 'ls', timeout_ms: 1e9 }, 'too long'],
  [{}, 'command'],
])('refuses %j', async (args, words) => {
  const outcome = await callTool(shell, args, toolContext(await tempFolder()));
  expect(outcome.isError).toBe(true);
  expect(outcome.output).toContain(words);
});

it('times out, says so first, and ends the whole group', async () => {
  const cwd = await tempFolder();
  // the time is over once the command has begun, however long this machine takes to start a shell
  const begun = async (): Promise<void> => {
    while (!existsSync(join(cwd, 'begun'))) await systemClock.sleep(1);
  };
  const clock: Clock = { ...systemClock, sleep: (delayMs, signal) => (delayMs === 300 ? begun() : systemClock.sleep(delayMs, signal)) };
  const command = 'sleep 300 & echo $! > pid; echo begun; touch begun; wait';
  const outcome = await callTool(shell, { command, timeout_ms: 300 }, toolContext(cwd, { clock }));
  expect(outcome.output).toMatch(/^timed out after 0.3 s\nbegun/u);
  expect(outcome.isError).toBe(true);
  const pid = Number(await readFile(join(cwd, 'pid'), 'utf8'));
  expect(isRunning(pid)).toBe(false);
});
