import { describe, expect, it } from 'vitest';
import { isWarning, progressLine } from '../../src/headless/progress.ts';
import { type AgentEvent, nowhere } from '../../src/types/events.ts';
import type { TodoStatus } from '../../src/types/todos.ts';

const start = (name: string, effects: Extract<AgentEvent, { type: 'tool-start' }>['effects']): AgentEvent => ({
  type: 'tool-start',
  ...nowhere,
  callId: 'c',
  name,
  effects,
  acting: true,
});
const todos = (...statuses: readonly TodoStatus[]): AgentEvent => ({
  type: 'todos-change',
  ...nowhere,
  by: 'model',
  list: {
    items: statuses.map((status, index) => ({ id: String(index), content: `Item ${index}`, status, priority: 'medium' })),
    version: 1,
    lastId: 9,
  },
});
const result = (isError: boolean, output: string): AgentEvent => ({
  type: 'tool-result',
  ...nowhere,
  callId: 'c',
  name: 'shell',
  arguments: {},
  output,
  isError,
  acting: true,
  working: true,
});

describe('progressLine', () => {
  it.each<[string, AgentEvent, string | undefined]>([
    ['a command', start('shell', [{ kind: 'command', command: 'npm test', cwd: '/' }]), 'shell npm test'],
    ['a file, as the model wrote it', start('write_file', [{ kind: 'write', path: '/w/a.txt', wanted: 'a.txt' }]), 'write_file a.txt'],
    [
      'several effects',
      start('move', [
        { kind: 'read', path: '/w/a' },
        { kind: 'write', path: '/w/b' },
      ]),
      'move /w/a and 1 more',
    ],
    [
      'a host',
      start('web_fetch', [{ kind: 'host', url: 'https://example.com/x', host: 'example.com' }]),
      'web_fetch https://example.com/x',
    ],
    ['the list speaks for itself', start('todo_write', []), undefined],
    ['a list with an item in progress', todos('completed', 'in_progress', 'pending'), '1/3 Item 1'],
    ['cancelled counts as closed', todos('completed', 'cancelled', 'blocked'), '2/3'],
    ['a result that is well', result(false, 'fine'), undefined],
    ['a result that is not, on one line', result(true, 'no\nsuch\tfile'), 'shell failed: no such file'],
    ['no escape sequence', result(true, '\u001b[31mred\u0007'), 'shell failed: red'],
    ['long lines are cut', result(true, 'x'.repeat(500)), `shell failed: ${'x'.repeat(185)}…`],
    [
      'a wait, in whole seconds',
      { type: 'retry-wait', ...nowhere, delayMs: 2100, cause: 'rate limit', voids: false },
      'Trying again in 3 s: rate limit',
    ],
    ['a notice', { type: 'notice', ...nowhere, level: 'info', text: 'hello' }, 'hello'],
    ['text is no progress', { type: 'text-delta', ...nowhere, text: 'hi' }, undefined],
  ])('%s', (_name, event, expected) => {
    expect(progressLine(event)).toBe(expected);
  });
  it.each<[AgentEvent, boolean]>([
    [{ type: 'notice', ...nowhere, level: 'info', text: 'x' }, false],
    [{ type: 'notice', ...nowhere, level: 'warning', text: 'x' }, true],
    [{ type: 'error', ...nowhere, error: { kind: 'auth', message: 'x', retryable: false } }, true],
    [todos('pending'), false],
  ])('%j as a warning: %s', (event, expected) => {
    expect(isWarning(event)).toBe(expected);
  });
});
