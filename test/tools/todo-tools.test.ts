import { expect, it } from 'vitest';
import { todoPause } from '../../src/tools/todo-pause.ts';
import { todoRead } from '../../src/tools/todo-read.ts';
import { todoWrite } from '../../src/tools/todo-write.ts';
import { callTool, toolContext } from './tool-context.ts';

const item = (content: string, status = 'pending'): { content: string; status: string } => ({ content, status });

it('says what the list is now', async () => {
  const context = toolContext('/');
  const todos = [item('a', 'completed'), item('b', 'in_progress'), item('c')];
  expect(await callTool(todoWrite, { todos }, context)).toEqual({ output: 'List version 1: 1 of 3 completed, 2 open', isError: false });
  expect(await callTool(todoWrite, { todos }, context)).toEqual({ output: 'unchanged (version 1)', isError: false, unchanged: true });
});

it('names repairs and unfinished items that were left out', async () => {
  const context = toolContext('/');
  await callTool(todoWrite, { todos: [item('a'), item('b')] }, context);
  const outcome = await callTool(todoWrite, { todos: JSON.stringify([item('b', 'done')]) }, context);
  expect(outcome).toMatchObject({ isError: false });
  expect(outcome.output.split('\n')).toEqual([
    'List version 2: 1 of 1 completed, 0 open',
    'Repaired: the list came as a JSON string and was parsed; item 1: status "done" read as completed',
    "Left out though unfinished: 'a'. Put them back, or list them as cancelled",
  ]);
});

it.each([
  ['no list at all', { todos: 7 }, 'must be an array'],
  ['text that is no list', { todos: 'make it so' }, 'must be an array'],
  ['no todos', {}, 'needs todos'],
])('refuses %s', async (_name, args, words) => {
  expect(await callTool(todoWrite, args, toolContext('/'))).toMatchObject({ isError: true, output: expect.stringContaining(words) });
});

it('takes 10,000 items and shows a bounded list', async () => {
  const context = toolContext('/');
  const todos = Array.from({ length: 10_000 }, (_, index) => item(`step number ${index + 1}`, index < 9000 ? 'completed' : 'pending'));
  expect((await callTool(todoWrite, { todos }, context)).output).toBe('List version 1: 9000 of 10000 completed, 1000 open');
  const shown = (await callTool(todoRead, {}, context)).output;
  expect(shown.length).toBeLessThan(61_000);
  expect(shown).toContain('9001 [pending] step number 9001');
});

it('reads the list, one line an item', async () => {
  const context = toolContext('/');
  expect((await callTool(todoRead, {}, context)).output).toBe('The list is empty (version 0)');
  await callTool(todoWrite, { todos: [{ ...item('a', 'blocked'), note: 'no network', priority: 'high' }, item('b\n c')] }, context);
  expect((await callTool(todoRead, {}, context)).output).toBe(
    'List version 1: 0 of 2 completed, 2 open\n1 [blocked] (high) a (note: no network)\n2 [pending] b c',
  );
});

it.each([
  ['an empty reason', '', 'this one is empty'],
  ['white space', ' \n ', 'this one is empty'],
  ['501 characters', 'x'.repeat(501), 'this one has 501'],
])('todo_pause refuses %s', async (_name, reason, words) => {
  const context = toolContext('/');
  await callTool(todoWrite, { todos: [item('a')] }, context);
  expect(await callTool(todoPause, { reason }, context)).toMatchObject({ isError: true, output: expect.stringContaining(words) });
  expect(context.pauses).toEqual([]);
});

it('todo_pause passes on the trimmed reason, and only with active items', async () => {
  const context = toolContext('/');
  expect(await callTool(todoPause, { reason: 'why' }, context)).toMatchObject({ isError: true });
  await callTool(todoWrite, { todos: [item('a', 'blocked')] }, context);
  expect(await callTool(todoPause, { reason: 'why' }, context)).toMatchObject({ isError: true });
  await callTool(todoWrite, { todos: [item('a')] }, context);
  expect(await callTool(todoPause, { reason: `  ${'x'.repeat(500)} ` }, context)).toMatchObject({ isError: false });
  expect(context.pauses).toEqual(['x'.repeat(500)]);
});
