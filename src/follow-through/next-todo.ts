import { isActive, type Todo } from '../types/todos.ts';

/** Which item the continuations of this prompt have named: the last one with how often in a row, and those given up on. */
export type NamedTodos = { readonly lastId: string | undefined; readonly times: number; readonly skipped: readonly string[] };

export const nothingNamed: NamedTodos = { lastId: undefined, times: 0, skipped: [] };

const statusRank = { in_progress: 0, pending: 1, completed: 2, cancelled: 2, blocked: 2 } as const;
const priorityRank = { high: 0, medium: 1, low: 2 } as const;

/** Continuations that may name one item in a row without closing it. */
const maxNamings = 2;

/** `passedOver` is the item that was named in vain and shall be marked blocked. */
export type NextTodo = { readonly todo: Todo; readonly passedOver: Todo | undefined };

/** The item to go on with: in_progress first, then by priority, then in list order; undefined when none is active. */
export function nextTodo(todos: readonly Todo[], named: NamedTodos): NextTodo | undefined {
  const skipped = new Set(named.skipped);
  const first = best(todos, (todo) => !skipped.has(todo.id)) ?? best(todos, () => true);
  if (first === undefined) return undefined;
  if (first.id !== named.lastId || named.times < maxNamings) return { todo: first, passedOver: undefined };
  skipped.add(first.id);
  const second = best(todos, (todo) => !skipped.has(todo.id)) ?? best(todos, () => true) ?? first;
  return { todo: second, passedOver: first };
}

/** Folds a continuation that named `todoId` in. */
export function nameTodo(named: NamedTodos, todoId: string, passedOver: boolean): NamedTodos {
  let skipped = named.skipped;
  if (passedOver && named.lastId !== undefined && !skipped.includes(named.lastId)) skipped = [...skipped, named.lastId];
  if (skipped.includes(todoId)) return { lastId: todoId, times: 1, skipped: [] };
  return { lastId: todoId, times: todoId === named.lastId && !passedOver ? named.times + 1 : 1, skipped };
}

function best(todos: readonly Todo[], accepts: (todo: Todo) => boolean): Todo | undefined {
  let found: Todo | undefined;
  for (const todo of todos) {
    if (!isActive(todo) || !accepts(todo)) continue;
    if (found === undefined || rank(todo) < rank(found)) found = todo;
  }
  return found;
}

function rank(todo: Todo): number {
  return statusRank[todo.status] * 3 + priorityRank[todo.priority];
}
