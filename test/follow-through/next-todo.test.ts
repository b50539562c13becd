import { describe, expect, it } from 'vitest';
import { type NamedTodos, nameTodo, nextTodo, nothingNamed } from '../../src/follow-through/next-todo.ts';
import type { Todo, TodoPriority, TodoStatus } from '../../src/types/todos.ts';

function item(id: string, status: TodoStatus = 'pending', priority: TodoPriority = 'medium'): Todo {
  return { id, content: id, status, priority };
}

describe('nextTodo', () => {
  it.each<[string, readonly Todo[], string | undefined]>([
    ['none of an empty list', [], undefined],
    ['none when nothing is active', [item('a', 'completed'), item('b', 'blocked'), item('c', 'cancelled')], undefined],
    ['in list order', [item('a'), item('b')], 'a'],
    ['high before medium before low', [item('a', 'pending', 'low'), item('b'), item('c', 'pending', 'high')], 'c'],
    ['medium before low', [item('a', 'pending', 'low'), item('b')], 'b'],
    ['in_progress before any priority', [item('a', 'pending', 'high'), item('b', 'in_progress', 'low')], 'b'],
    ['skips what is closed', [item('a', 'completed'), item('b')], 'b'],
  ])('%s', (_name, todos, id) => {
    expect(nextTodo(todos, nothingNamed)?.todo.id).toBe(id);
  });

  /** Which item each continuation names, `!` when the one before was passed over. */
  function namings(todos: readonly Todo[], count: number): readonly string[] {
    let named: NamedTodos = nothingNamed;
    return Array.from({ length: count }, () => {
      const next = nextTodo(todos, named);
      if (next === undefined) return '-';
      named = nameTodo(named, next.todo.id, next.passedOver !== undefined);
      return `${next.todo.id}${next.passedOver === undefined ? '' : `!${next.passedOver.id}`}`;
    });
  }

  it.each<[string, readonly Todo[], readonly string[]]>([
    ['one item: twice, then told to finish or block it', [item('a')], ['a', 'a', 'a!a', 'a', 'a!a', 'a', 'a!a']],
    ['two items: each twice, then from the start again', [item('a'), item('b')], ['a', 'a', 'b!a', 'b', 'a!b', 'a', 'b!a']],
    ['three items', [item('a'), item('b'), item('c')], ['a', 'a', 'b!a', 'b', 'c!b', 'c', 'a!c', 'a', 'b!a']],
    ['the one in progress first', [item('a'), item('b', 'in_progress')], ['b', 'b', 'a!b', 'a', 'b!a']],
  ])('skips: %s', (_name, todos, expected) => {
    expect(namings(todos, expected.length)).toEqual(expected);
  });

  it('an item that was skipped comes back when a new one is named instead', () => {
    const named = nameTodo(nameTodo(nameTodo(nothingNamed, 'a', false), 'a', false), 'b', true);
    expect(named).toEqual({ lastId: 'b', times: 1, skipped: ['a'] });
    expect(nextTodo([item('a'), item('c')], named)?.todo.id).toBe('c');
    expect(nextTodo([item('a')], named)?.todo.id).toBe('a');
  });
});
