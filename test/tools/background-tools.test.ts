import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { askUser } from '../../src/tools/ask-user.ts';
import { shell } from '../../src/tools/shell.ts';
import { shellKill } from '../../src/tools/shell-kill.ts';
import { shellOutput } from '../../src/tools/shell-output.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

it('starts a command in the background, shows what it prints, and waits for its end', async () => {
  const context = toolContext(await tempFolder());
  const started = await callTool(shell, { command: 'until test -e go; do sleep 0.01; done; echo done; exit 2', background: true }, context);
  expect(started).toEqual({
    output: 'Started in the background as sh1. shell_output shows what it prints, shell_kill ends it',
    isError: false,
  });
  expect(await callTool(shellOutput, { id: 'sh1' }, context)).toEqual({
    output: 'sh1 is running\n(no new output)',
    isError: false,
    waiting: true,
  });
  await writeFile(join(context.cwd, 'go'), '');
  expect(await callTool(shellOutput, { id: 'sh1', wait_ms: 20_000 }, context)).toEqual({
    output: 'sh1 exited with code 2\ndone',
    isError: false,
  });
});

it('ends a background command', async () => {
  const context = toolContext(await tempFolder());
  await callTool(shell, { command: 'sleep 60', background: true }, context);
  expect(await callTool(shellKill, { id: 'sh1' }, context)).toEqual({ output: 'sh1 was killed', isError: false });
  expect(await callTool(shellKill, { id: 'sh1' }, context)).toEqual({ output: 'sh1 had ended before', isError: false });
  expect((await callTool(shellOutput, { id: 'sh1' }, context)).output).toBe('sh1 was killed\n(no new output)');
});

it('names the ids there are', async () => {
  const context = toolContext(await tempFolder());
  expect((await callTool(shellOutput, { id: 'x' }, context)).output).toBe("No background command 'x'. None was started");
  await callTool(shell, { command: 'true', background: true }, context);
  expect(await callTool(shellKill, { id: 'x' }, context)).toEqual({ output: "No background command 'x'. There are: sh1", isError: true });
});

it.each([
  ['an answer', { kind: 'answer', text: 'blue' }, { output: 'The user answers: blue', isError: false }],
  ['nobody there', { kind: 'nobody' }, { output: expect.stringContaining('Nobody can answer'), isError: true, needsPerson: true }],
  ['an abort', { kind: 'aborted' }, { output: 'Cancelled before the user answered', isError: true }],
] as const)('ask_user: %s', async (_name, answer, expected) => {
  const context = toolContext('/', { answer });
  expect(await callTool(askUser, { question: ' Which colour? ', options: ['red', 'blue'] }, context)).toEqual(expected);
  expect(context.questions).toEqual(['Which colour?']);
  expect(await callTool(askUser, { question: ' ' }, context)).toMatchObject({ isError: true });
});
