import * as z from 'zod';
import { headOf } from '../lib/text.ts';
import { countTodos, type Todo, type TodoList } from '../types/todos.ts';
import { defineTool, success } from './tool.ts';

/** Characters of the list that one answer shows. */
const maxChars = 60_000;

function describeTodo({ id, status, priority, content, note }: Todo): string {
  const level = priority === 'medium' ? '' : ` (${priority})`;
  return `${id} [${status}]${level} ${content.replace(/\s+/gu, ' ')}${note === undefined ? '' : ` (note: ${note.replace(/\s+/gu, ' ')})`}`;
}

/** The list for the model, one line an item, open ones first when not all of them fit. */
export function describeTodos(list: TodoList): string {
  if (list.items.length === 0) return `The list is empty (version ${list.version})`;
  const counts = countTodos(list.items);
  const head = `List version ${list.version}: ${counts.completed} of ${counts.total} completed, ${counts.open} open`;
  const text = list.items.map(describeTodo).join('\n');
  if (text.length <= maxChars) return `${head}\n${text}`;
  const open = list.items.filter((item) => item.status !== 'completed' && item.status !== 'cancelled');
  const shown = headOf(open.map(describeTodo).join('\n'), maxChars);
  return `${head}\n${shown}\n(too long to show whole: open items only, ${shown.split('\n').length} of ${open.length})`;
}

export const todoRead = defineTool({
  name: 'todo_read',
  kind: 'todo',
  description: 'Show the todo list.',
  schema: () => z.object({}),
  async prepare(_args, context) {
    return { effects: [], run: async () => success(describeTodos(context.todos.list())) };
  },
});
