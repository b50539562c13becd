import { countTodos, type TodoList } from '../types/todos.ts';
import { failure, nameTodos, success, type TodoWriteResult, type Tool, type ToolOutcome } from './tool.ts';

const maxRepairsNamed = 10;

function describeCounts(list: TodoList): string {
  const counts = countTodos(list.items);
  if (counts.total === 0) return 'empty';
  const cancelled = counts.cancelled === 0 ? '' : `, ${counts.cancelled} cancelled`;
  return `${counts.completed} of ${counts.total} completed${cancelled}, ${counts.open} open`;
}

/** The answer to a `todo_write`: what the list is now, what was repaired, and which unfinished items went missing. */
export function describeWrite(result: TodoWriteResult): ToolOutcome {
  if (result.kind === 'error') return failure(result.message);
  if (result.kind === 'unchanged') return success(`unchanged (version ${result.list.version})`, { unchanged: true });
  const lines = [`List version ${result.list.version}: ${describeCounts(result.list)}`];
  const { repairs, diff } = result;
  if (repairs.length > 0) {
    const more = repairs.length > maxRepairsNamed ? [`and ${repairs.length - maxRepairsNamed} more`] : [];
    lines.push(`Repaired: ${[...repairs.slice(0, maxRepairsNamed), ...more].join('; ')}`);
  }
  if (diff.dropped.length > 0) {
    lines.push(`Left out though unfinished: ${nameTodos(diff.dropped)}. Put them back, or list them as cancelled`);
  }
  return success(lines.join('\n'));
}

/** Its schema is written by hand and says what is wanted; what comes instead goes to the store, which repairs it. */
export const todoWrite: Tool = {
  name: 'todo_write',
  kind: 'todo',
  description: 'Replace the todo list: all items, every time. One in_progress at most; mark each item when it is finished.',
  parameters: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            content: { type: 'string' },
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'] },
            priority: { type: 'string', enum: ['high', 'medium', 'low'] },
            note: { type: 'string', description: 'why blocked' },
          },
          required: ['content', 'status'],
        },
      },
    },
    required: ['todos'],
  },
  async prepare(args, context) {
    if (!('todos' in args)) return failure('todo_write needs todos: an array of items, each with content and status');
    return { effects: [], run: async () => describeWrite(context.todos.write(args.todos)) };
  },
};
