import { describe, expect, it } from 'vitest';
import { linkCall, linkedTodo } from '../../src/follow-through/auto-close.ts';
import type { Todo, TodoStatus } from '../../src/types/todos.ts';

function item(content: string, status: TodoStatus = 'in_progress'): Todo {
  return { id: content, content, status, priority: 'medium' };
}

describe('linkCall', () => {
  it.each<[string, readonly Todo[], Readonly<Record<string, unknown>>, string | undefined]>([
    ['the exact path', [item('create src/a.ts')], { path: 'src/a.ts' }, 'create src/a.ts'],
    ['the path at the end of a sentence', [item('Create notes.txt.')], { path: 'notes.txt' }, 'Create notes.txt.'],
    ['the path in quotes', [item('Create `notes.txt`, then look')], { path: ' notes.txt ' }, 'Create `notes.txt`, then look'],
    ['the command word', [item('Run cargo clippy')], { command: 'cargo  clippy --all' }, 'Run cargo clippy'],
    ['part of a path', [item('create src/a.ts')], { path: 'a.ts' }, undefined],
    ['a longer path', [item('create a.ts')], { path: 'a.tsx' }, undefined],
    ['a path with more behind', [item('create a.ts.bak')], { path: 'a.ts' }, undefined],
    ['part of a word', [item('Run cargo-deny')], { command: 'cargo build' }, undefined],
    ['another case', [item('Run Cargo')], { command: 'cargo build' }, undefined],
    ['a pending item', [item('create a.ts', 'pending')], { path: 'a.ts' }, undefined],
    ['two candidates', [item('create a.ts'), item('test a.ts', 'pending')], { path: 'a.ts' }, undefined],
    ['a closed one beside it', [item('create a.ts'), item('read a.ts', 'completed')], { path: 'a.ts' }, 'create a.ts'],
    ['no path and no command', [item('look at x')], { at: 'x' }, undefined],
    ['an empty path', [item('look')], { path: ' ' }, undefined],
    ['an empty command', [item('look')], { command: '' }, undefined],
    ['a path that is no text', [item('look at 5')], { path: 5 }, undefined],
  ])('%s', (_name, todos, args, content) => {
    expect(linkCall(todos, { arguments: args })?.content).toBe(content);
  });
});

describe('linkedTodo', () => {
  const hour = 3_600_000;
  it.each([
    ['at once', 'c', 0, 't'],
    ['after an hour', 'c', hour, 't'],
    ['after more than an hour', 'c', hour + 1, undefined],
    ['of another call', 'd', 0, undefined],
  ])('%s', (_name, callId, now, expected) => {
    expect(linkedTodo([{ callId: 'c', todoId: 't', linkedAt: 0 }], callId, now)).toBe(expected);
  });
});
