import { expect, it } from 'vitest';
import { tools } from '../../src/tools/index.ts';

it('keeps all schemas together small enough for a first request of 8,000 bytes', () => {
  const schemas = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  expect(JSON.stringify(schemas).length).toBeLessThanOrEqual(5500);
});

it('has a fixed order and no name twice', () => {
  expect(tools.map((tool) => tool.name)).toEqual([
    'read_file',
    'write_file',
    'edit_file',
    'list_dir',
    'glob',
    'grep',
    'shell',
    'shell_output',
    'shell_kill',
    'web_fetch',
    'ask_user',
    'todo_write',
    'todo_read',
    'todo_pause',
  ]);
});

it.each(tools.map((tool) => [tool.name, tool] as const))('%s has an object schema without what endpoints reject', (_name, tool) => {
  expect(tool.parameters.type).toBe('object');
  expect(JSON.stringify(tool.parameters)).not.toMatch(/\$schema|additionalProperties|9007199254740991/u);
});
