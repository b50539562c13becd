import { describe, expect, it } from 'vitest';
import { createTodoStore, type TodoEdit } from '../../src/todos/store.ts';
import { emptyTodoList, type TodoList } from '../../src/types/todos.ts';

function storeOf(...contents: string[]) {
  const changes: { list: TodoList; by: string }[] = [];
  const store = createTodoStore(emptyTodoList, (list, by) => changes.push({ list, by }));
  if (contents.length > 0) store.write(contents);
  const lines = () => store.list().items.map((item) => `${item.id} ${item.content} ${item.status}`);
  return { store, changes, lines };
}

describe('write', () => {
  it('makes a new version for each real change and reports it once', () => {
    const { store, changes } = storeOf('a', 'b');
    expect(store.list().version).toBe(1);
    expect(
      store.write([
        { id: '1', content: 'a' },
        { id: '2', content: 'b' },
      ]),
    ).toEqual({ kind: 'unchanged', list: store.list() });
    expect(store.write(['b', 'a'])).toMatchObject({ kind: 'changed', list: { version: 2 } });
    expect(changes.map(({ by, list }) => `${by} ${list.version}`)).toEqual(['model 1', 'model 2']);
  });

  it('is unchanged when it is the same after repair', () => {
    const { store } = storeOf('a');
    expect(store.write([{ id: 1, content: ' a ', status: 'todo' }]).kind).toBe('unchanged');
    expect(store.write('["a"]').kind).toBe('unchanged');
    expect(store.list().version).toBe(1);
  });

  it('does nothing for something that is no list', () => {
    const { store, changes } = storeOf('a');
    expect(store.write(7)).toEqual({ kind: 'error', message: 'todos must be an array of items, got number' });
    expect(changes).toHaveLength(1);
  });

  it('takes 10,000 items', () => {
    const { store } = storeOf(...Array.from({ length: 10_000 }, (_, at) => `item ${at}`));
    expect(store.list().items).toHaveLength(10_000);
  });
});

describe('edit', () => {
  it.each<[string, TodoEdit, readonly string[]]>([
    ['add', { kind: 'add', content: ' c ', priority: 'high' }, ['1 a pending', '2 b pending', '3 c pending']],
    ['edit', { kind: 'edit', id: '1', content: 'z' }, ['1 z pending', '2 b pending']],
    ['done', { kind: 'done', id: '1' }, ['1 a completed', '2 b pending']],
    ['drop', { kind: 'drop', id: '2' }, ['1 a pending', '2 b cancelled']],
    ['block', { kind: 'block', id: '2', note: 'no net' }, ['1 a pending', '2 b blocked']],
    ['move', { kind: 'move', id: '2', position: 1 }, ['2 b pending', '1 a pending']],
    ['clear', { kind: 'clear' }, []],
    ['undo', { kind: 'undo' }, []],
  ])('%s', (_name, edit, expected) => {
    const { store, changes, lines } = storeOf('a', 'b');
    expect(store.edit(edit, 'user')).toBeUndefined();
    expect(lines()).toEqual(expected);
    expect(store.list()).toMatchObject({ version: 2 });
    expect(changes.at(-1)).toEqual({ by: 'user', list: store.list() });
  });

  it.each<[TodoEdit, string]>([
    [{ kind: 'done', id: '9' }, "No todo '9'. Known: 1, 2."],
    [{ kind: 'add', content: ' ' }, 'A todo needs a text.'],
    [{ kind: 'edit', id: '1', content: '' }, 'A todo needs a text.'],
    [{ kind: 'move', id: '1', position: 3 }, "No position '3'. Accepted: 1 to 2."],
    [{ kind: 'move', id: '1', position: 1.5 }, "No position '1.5'. Accepted: 1 to 2."],
  ])('%j is refused in words and changes nothing', (edit, message) => {
    const { store, changes } = storeOf('a', 'b');
    expect(store.edit(edit, 'user')).toBe(message);
    expect(changes).toHaveLength(1);
  });

  it('of an empty list says that it is empty', () => {
    const { store } = storeOf();
    expect(store.edit({ kind: 'done', id: '1' }, 'user')).toBe("No todo '1'. The list is empty.");
    expect(store.edit({ kind: 'clear' }, 'user')).toBe('The list is already empty.');
    expect(store.edit({ kind: 'undo' }, 'user')).toBe('Nothing to undo: the list has not changed in this session.');
  });

  it('undoes step by step, and an undone id is not used again', () => {
    const { store, lines } = storeOf('a');
    store.edit({ kind: 'add', content: 'b' }, 'user');
    store.edit({ kind: 'done', id: '1' }, 'user');
    store.edit({ kind: 'undo' }, 'user');
    expect(lines()).toEqual(['1 a pending', '2 b pending']);
    store.edit({ kind: 'undo' }, 'user');
    expect(lines()).toEqual(['1 a pending']);
    store.edit({ kind: 'add', content: 'c' }, 'user');
    expect(lines()).toEqual(['1 a pending', '3 c pending']);
    expect(store.list().version).toBe(6);
  });

  it('undoes at most 50 changes', () => {
    const { store, lines } = storeOf('a');
    for (let at = 0; at < 60; at += 1) store.edit({ kind: 'edit', id: '1', content: `v${at}` }, 'user');
    let undone = 0;
    while (store.edit({ kind: 'undo' }, 'user') === undefined) undone += 1;
    expect([undone, lines()]).toEqual([50, ['1 v9 pending']]);
  });
});
