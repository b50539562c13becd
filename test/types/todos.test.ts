import { describe, expect, it } from 'vitest';
import {
  countTodos,
  diffTodos,
  emptyTodoList,
  normalizeContent,
  repairTodos,
  sameTodos,
  type Todo,
  type TodoList,
  type TodoStatus,
  todoPauseInputSchema,
  todoSchema,
} from '../../src/types/todos.ts';

function item(id: string, content: string, status: TodoStatus = 'pending', rest: Partial<Todo> = {}): Todo {
  return { id, content, status, priority: 'medium', ...rest };
}

function listOf(...items: Todo[]): TodoList {
  return { items, version: 1, lastId: items.length };
}

/** `id content status` of each item, or the error. */
function repaired(raw: unknown, previous: TodoList = emptyTodoList): readonly string[] | string {
  const result = repairTodos(raw, previous);
  return 'error' in result ? result.error : result.items.map((todo) => `${todo.id} ${todo.content} ${todo.status}`);
}

function repairsOf(raw: unknown, previous: TodoList = emptyTodoList): readonly string[] {
  const result = repairTodos(raw, previous);
  return 'error' in result ? [result.error] : result.repairs;
}

describe('repairTodos', () => {
  it.each<[string, unknown, readonly string[], readonly string[]]>([
    ['a list as it should be', [{ id: '1', content: 'a', status: 'pending', priority: 'high' }], ['1 a pending'], []],
    ['no id, status or priority', [{ content: 'a' }, { content: 'b' }], ['1 a pending', '2 b pending'], []],
    ['plain texts', ['a', 'b'], ['1 a pending', '2 b pending'], []],
    ['numeric ids', [{ id: 7, content: 'a' }, { content: 'b' }], ['7 a pending', '8 b pending'], ['1 id was a number and is text now']],
    [
      'ids 1, 2, 2, null',
      [
        { id: 1, content: 'a' },
        { id: 2, content: 'b' },
        { id: 2, content: 'c' },
        { id: null, content: 'd' },
      ],
      ['1 a pending', '2 b pending', '3 c pending', '4 d pending'],
      ['3 ids were numbers and are text now', 'item 3: id 2 was taken, now 3', 'item 4: id null was replaced by 4'],
    ],
    [
      'doubled names as ids',
      [
        { id: 'x', content: 'a' },
        { id: 'x', content: 'b' },
      ],
      ['x a pending', '1 b pending'],
      ['item 2: id x was taken, now 1'],
    ],
    ['an id that is an object', [{ id: {}, content: 'a' }], ['1 a pending'], ['item 1: id {} was replaced by 1']],
    ['an id of white space', [{ id: ' ', content: 'a' }], ['1 a pending'], ['item 1: id " " was replaced by 1']],
    ['status "done"', [{ content: 'a', status: 'done' }], ['1 a completed'], ['item 1: status "done" read as completed']],
    [
      'status "In Progress"',
      [{ content: 'a', status: 'In Progress' }],
      ['1 a in_progress'],
      ['item 1: status "In Progress" read as in_progress'],
    ],
    ['an unknown status', [{ content: 'a', status: 'perhaps' }], ['1 a pending'], ['item 1: status "perhaps" read as pending']],
    [
      'a status named like a property of objects',
      [{ content: 'a', status: 'constructor' }],
      ['1 a pending'],
      ['item 1: status "constructor" read as pending'],
    ],
    ['null as status', [{ content: 'a', status: null }], ['1 a pending'], []],
    ['an unknown priority', [{ content: 'a', priority: 'urgent' }], ['1 a pending'], ['item 1: priority "urgent" read as medium']],
    [
      'two in_progress: the last stays',
      [
        { content: 'a', status: 'in_progress' },
        { content: 'b', status: 'in_progress' },
      ],
      ['1 a pending', '2 b in_progress'],
      ['2 items were in_progress; only the last stays so'],
    ],
    [
      'empty content',
      [{ content: '  ' }, {}, null, 5, { content: 'a' }],
      ['1 a pending'],
      [1, 2, 3, 4].map((at) => `item ${at} has no content and was skipped`),
    ],
    ['content around white space', [{ content: ' a\n' }], ['1 a pending'], []],
    ['a JSON string', '["a"]', ['1 a pending'], ['the list came as a JSON string and was parsed']],
    ['an empty list', [], [], []],
  ])('%s', (_name, raw, items, repairs) => {
    expect(repaired(raw)).toEqual(items);
    expect(repairsOf(raw)).toEqual(repairs);
  });

  it.each([
    ['text', 'buy milk', 'todos must be an array of items, got "buy milk"'],
    ['JSON that is no list', '{"a":1}', 'todos must be an array of items, got "{\\"a\\":1}"'],
    ['null', null, 'todos must be an array of items, got null'],
    ['an object', { a: 1 }, 'todos must be an array of items, got object'],
    ['a number', 3, 'todos must be an array of items, got number'],
  ])('%s is an error that says what is accepted', (_name, raw, error) => {
    expect(repaired(raw)).toBe(error);
  });

  it('takes a missing id over from the item of equal content', () => {
    const previous = listOf(item('4', 'Fix the bug.'), item('9', 'b'));
    expect(repaired([{ content: 'b' }, { content: 'fix  the BUG' }, { content: 'c' }], previous)).toEqual([
      '9 b pending',
      '4 fix  the BUG pending',
      '10 c pending',
    ]);
  });

  it('gives the ids of equal contents out one by one', () => {
    const previous = listOf(item('1', 'same'), item('2', 'same'));
    expect(repaired([{ content: 'same' }, { content: 'same' }], previous)).toEqual(['1 same pending', '2 same pending']);
    expect(repaired([{ id: '1', content: 'other' }, { content: 'same' }], previous)).toEqual(['1 other pending', '2 same pending']);
  });

  it('never uses an id again, even one whose item is gone', () => {
    expect(repaired([{ content: 'new' }], { items: [], version: 3, lastId: 12 })).toEqual(['13 new pending']);
  });

  it('keeps notes, checks and active forms, and drops what is no text', () => {
    const result = repairTodos([{ content: 'a', activeForm: 'doing a', note: 'n', check: 'npm test', evidence: 4 }], emptyTodoList);
    expect('items' in result && result.items).toEqual([item('1', 'a', 'pending', { activeForm: 'doing a', note: 'n', check: 'npm test' })]);
  });

  it('is stable: what it made passes unchanged and matches the schema', () => {
    const first = repairTodos([{ id: 2, content: 'a', status: 'done' }, 'b', { id: 2, content: 'c', status: 'doing' }], emptyTodoList);
    if ('error' in first) throw new Error(first.error);
    const again = repairTodos(first.items, { ...first, version: 1 });
    expect(again).toEqual({ ...first, repairs: [] });
    for (const todo of first.items) expect(todoSchema().parse(todo)).toEqual(todo);
  });

  it('reads 10,000 items, with and without ids, and compares them', () => {
    const raw = Array.from({ length: 10_000 }, (_, at) => ({ content: `item ${at}`, status: at % 3 === 0 ? 'done' : 'pending' }));
    const first = repairTodos(raw, emptyTodoList);
    if ('error' in first) throw new Error(first.error);
    expect(first.items).toHaveLength(10_000);
    const again = repairTodos(raw.toReversed(), { ...first, version: 1 });
    if ('error' in again) throw new Error(again.error);
    expect(again.items.at(-1)?.id).toBe('1');
    expect(diffTodos(first.items, again.items)).toEqual({ closed: [], dropped: [] });
    expect(diffTodos(first.items, []).dropped).toHaveLength(6666);
  });
});

describe('diffTodos', () => {
  const a = item('1', 'a');
  const b = item('2', 'b');
  it.each<[string, readonly Todo[], readonly Todo[], readonly string[], readonly string[]]>([
    ['nothing changed', [a, b], [a, b], [], []],
    ['completed', [a, b], [item('1', 'a', 'completed'), b], ['a'], []],
    ['cancelled', [a], [item('1', 'a', 'cancelled')], ['a'], []],
    ['blocked', [a], [item('1', 'a', 'blocked')], ['a'], []],
    ['blocked, then completed', [item('1', 'a', 'blocked')], [item('1', 'a', 'completed')], ['a'], []],
    ['blocked as before', [item('1', 'a', 'blocked')], [item('1', 'a', 'blocked')], [], []],
    ['re-opened', [item('1', 'a', 'completed')], [a], [], []],
    ['closed under other words, same id', [a], [item('1', 'a and more', 'completed')], ['a and more'], []],
    ['closed under another id, same words', [a], [item('7', 'A.', 'completed')], ['A.'], []],
    ['arrived closed', [a], [a, item('2', 'new', 'completed')], [], []],
    ['left out while open', [a, b], [a], [], ['b']],
    ['left out while blocked', [item('1', 'a', 'blocked')], [], [], ['a']],
    ['left out when done', [item('1', 'a', 'completed')], [], [], []],
    ['renumbered without the first', [a, b], [item('1', 'b', 'completed')], ['b'], ['a']],
    ['two swapped ids', [a, b], [item('2', 'a', 'completed'), item('1', 'b')], ['a'], []],
    ['equal contents, one closed', [item('1', 'x'), item('2', 'x')], [item('1', 'x', 'completed'), item('2', 'x')], ['x'], []],
    ['equal contents, one left out', [item('1', 'x'), item('2', 'x')], [item('1', 'x', 'completed')], ['x'], ['x']],
    ['reworded and renumbered counts as left out', [a], [item('9', 'something else')], [], ['a']],
  ])('%s', (_name, previous, next, closed, dropped) => {
    const diff = diffTodos(previous, next);
    expect(diff.closed.map((todo) => todo.content)).toEqual(closed);
    expect(diff.dropped.map((todo) => todo.content)).toEqual(dropped);
  });
});

describe('comparing', () => {
  it.each<[string, Partial<Todo>, boolean]>([
    ['nothing', {}, true],
    ['another id', { id: '2' }, false],
    ['other words', { content: 'b' }, false],
    ['another status', { status: 'in_progress' }, false],
    ['another priority', { priority: 'high' }, false],
    ['a note', { note: 'n' }, false],
    ['an active form only', { activeForm: 'doing a' }, true],
  ])('sameTodos with %s: %s', (_name, change, same) => {
    expect(sameTodos([item('1', 'a')], [{ ...item('1', 'a'), ...change }])).toBe(same);
  });

  it('the order is part of it', () => {
    expect(sameTodos([item('1', 'a'), item('2', 'b')], [item('2', 'b'), item('1', 'a')])).toBe(false);
    expect(sameTodos([item('1', 'a')], [])).toBe(false);
  });

  it.each([
    ['Fix the Bug', 'fix the bug'],
    ['  fix\t the \n bug ', 'fix the bug'],
    ['Fix the bug!', 'fix the bug'],
    ['Fix the bug…', 'fix the bug'],
    ['Cafe\u0301', 'café'],
  ])('normalizeContent %j', (content, normal) => {
    expect(normalizeContent(content)).toBe(normal);
  });

  it('counts by status', () => {
    const items = [
      item('1', 'a'),
      item('2', 'b', 'in_progress'),
      item('3', 'c', 'blocked'),
      item('4', 'd', 'completed'),
      item('5', 'e', 'cancelled'),
    ];
    expect(countTodos(items)).toEqual({ pending: 1, in_progress: 1, completed: 1, cancelled: 1, blocked: 1, total: 5, active: 2, open: 3 });
  });
});

describe('the input of todo_pause', () => {
  it.each([
    ['', false],
    [' \n', false],
    ['x', true],
    [` ${'x'.repeat(500)} `, true],
    ['x'.repeat(501), false],
  ])('%#', (reason, valid) => {
    expect(todoPauseInputSchema().safeParse({ reason }).success).toBe(valid);
  });
});
