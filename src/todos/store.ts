import {
  diffTodos,
  emptyTodoList,
  repairTodos,
  sameTodos,
  type Todo,
  type TodoDiff,
  type TodoList,
  type TodoPriority,
} from '../types/todos.ts';

/** What the user may do to the list by hand. `position` counts from 1. */
export type TodoEdit =
  | { readonly kind: 'add'; readonly content: string; readonly priority?: TodoPriority }
  | { readonly kind: 'edit'; readonly id: string; readonly content: string }
  | { readonly kind: 'done' | 'drop' | 'block'; readonly id: string; readonly note?: string }
  | { readonly kind: 'move'; readonly id: string; readonly position: number }
  | { readonly kind: 'clear' }
  | { readonly kind: 'undo' };

export type TodoWriter = 'model' | 'user' | 'engine';

type WriteResult =
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'unchanged'; readonly list: TodoList }
  | { readonly kind: 'changed'; readonly list: TodoList; readonly diff: TodoDiff; readonly repairs: readonly string[] };

/** The list of a session. It lives outside the history; every real change makes a new version and is reported once. */
export type TodoStore = {
  list(): TodoList;
  /** A whole new list as a model wrote it; repaired, and unchanged when identical after repair. */
  write(raw: unknown): WriteResult;
  /** Undefined when done, else why not. */
  edit(edit: TodoEdit, by: TodoWriter): string | undefined;
};

const undoDepth = 50;

export function createTodoStore(initial: TodoList, onChange: (list: TodoList, by: TodoWriter) => void): TodoStore {
  let list = initial;
  let past: TodoList[] = [];

  const replace = (items: readonly Todo[], lastId: number, by: TodoWriter): TodoList => {
    past = [...past.slice(1 - undoDepth), list];
    list = { items, lastId, version: list.version + 1 };
    onChange(list, by);
    return list;
  };

  return {
    list: () => list,

    write(raw) {
      const repaired = repairTodos(raw, list);
      if ('error' in repaired) return { kind: 'error', message: repaired.error };
      if (sameTodos(list.items, repaired.items)) return { kind: 'unchanged', list };
      const diff = diffTodos(list.items, repaired.items);
      return { kind: 'changed', list: replace(repaired.items, repaired.lastId, 'model'), diff, repairs: repaired.repairs };
    },

    edit(edit, by) {
      if (edit.kind === 'undo') {
        const previous = past.at(-1);
        if (previous === undefined) return 'Nothing to undo: the list has not changed in this session.';
        past = past.slice(0, -1);
        list = { ...previous, version: list.version + 1, lastId: list.lastId };
        onChange(list, by);
        return undefined;
      }
      const edited = applyEdit(list, edit);
      if (typeof edited === 'string') return edited;
      replace(edited.items, edited.lastId, by);
      return undefined;
    },
  };
}

const statusOf = { done: 'completed', drop: 'cancelled', block: 'blocked' } as const;

function applyEdit(list: TodoList, edit: Exclude<TodoEdit, { kind: 'undo' }>): Omit<TodoList, 'version'> | string {
  const { items, lastId } = list;
  if (edit.kind === 'clear') return items.length === 0 ? 'The list is already empty.' : { ...emptyTodoList, lastId };
  if (edit.kind === 'add') {
    const content = edit.content.trim();
    if (content === '') return 'A todo needs a text.';
    const added: Todo = { id: String(lastId + 1), content, status: 'pending', priority: edit.priority ?? 'medium' };
    return { items: [...items, added], lastId: lastId + 1 };
  }
  const index = items.findIndex((item) => item.id === edit.id);
  const target = items[index];
  if (target === undefined) {
    const known = items.slice(0, 10).map((item) => item.id);
    return `No todo '${edit.id}'. ${known.length > 0 ? `Known: ${known.join(', ')}${items.length > known.length ? ', …' : ''}.` : 'The list is empty.'}`;
  }
  const withTarget = (next: Todo): Omit<TodoList, 'version'> => ({ items: items.with(index, next), lastId });
  switch (edit.kind) {
    case 'edit': {
      const content = edit.content.trim();
      return content === '' ? 'A todo needs a text.' : withTarget({ ...target, content });
    }
    case 'done':
    case 'drop':
    case 'block':
      return withTarget({ ...target, status: statusOf[edit.kind], ...(edit.note === undefined ? {} : { note: edit.note }) });
    case 'move': {
      if (!Number.isInteger(edit.position) || edit.position < 1 || edit.position > items.length) {
        return `No position '${edit.position}'. Accepted: 1 to ${items.length}.`;
      }
      return { items: items.toSpliced(index, 1).toSpliced(edit.position - 1, 0, target), lastId };
    }
  }
}
