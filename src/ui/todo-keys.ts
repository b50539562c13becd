import type { TodoEdit } from '../todos/store.ts';
import { isOpen, type Todo } from '../types/todos.ts';
import { isPress } from './key-bindings.ts';
import type { Key } from './keys.ts';
import { stepOf } from './menu-keys.ts';

export type TodoStep =
  | { readonly kind: 'pass' }
  | { readonly kind: 'select'; readonly index: number | undefined }
  | { readonly kind: 'edit'; readonly index: number; readonly edit: TodoEdit }
  /** A command for the input, to be finished by the user. */
  | { readonly kind: 'write'; readonly index: undefined; readonly text: string };

/** What a key does while an item of the todo panel is selected: d done, x drop, b block, e edit, a add, u undo, Shift+arrows move. */
export function todoKey(items: readonly Todo[], index: number, key: Key): TodoStep {
  const at = Math.min(index, items.length - 1);
  const todo = items[at];
  if (todo === undefined || isPress(key, 'escape') || isPress(key, 'tab')) return { kind: 'select', index: undefined };
  const { id } = todo;
  const step = stepOf(key);
  if (step !== 0) return { kind: 'select', index: Math.max(0, Math.min(items.length - 1, at + step)) };
  const move = isPress(key, 'down', 'shift') ? 1 : isPress(key, 'up', 'shift') ? -1 : 0;
  if (move !== 0) {
    const index = Math.max(0, Math.min(items.length - 1, at + move));
    return { kind: 'edit', index, edit: { kind: 'move', id, position: index + 1 } };
  }
  if (key.kind !== 'text') return { kind: 'pass' };
  switch (key.text) {
    case 'd':
      return isOpen(todo) ? { kind: 'edit', index: at, edit: { kind: 'done', id } } : { kind: 'select', index: at };
    case 'x':
      return { kind: 'edit', index: at, edit: { kind: 'drop', id } };
    case 'b':
      return { kind: 'edit', index: at, edit: { kind: 'block', id } };
    case 'u':
      return { kind: 'edit', index: at, edit: { kind: 'undo' } };
    case 'e':
      return { kind: 'write', index: undefined, text: `/todo edit ${id} ${todo.content}` };
    case 'a':
      return { kind: 'write', index: undefined, text: '/todo add ' };
    default:
      return { kind: 'select', index: at };
  }
}
