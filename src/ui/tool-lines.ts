import { revealText, sanitizeText } from '../lib/sanitize.ts';
import { countTodos, type Todo } from '../types/todos.ts';
import { diffCounts, diffLines } from './diff-lines.ts';
import type { ToolItem, ToolState } from './items.ts';
import { oneLine, truncateLine, wrapText } from './text.ts';
import type { Paint } from './theme.ts';

export const toolMarks: Readonly<Record<ToolState, string>> = {
  called: '○',
  asking: '?',
  running: '▸',
  done: '✓',
  failed: '✗',
  refused: '⊘',
};

/** Rows of output that stay visible: of commands the end, of anything else the beginning. */
const shownRows = { done: 4, failed: 10, running: 5 } as const;
const maxDiffRows = 24;
/** Arguments that say most about a call, best first. */
const tellingArguments = ['command', 'path', 'file_path', 'pattern', 'url', 'query', 'question', 'reason'];

/** What a call is about, on one line: its command or path, else its arguments. */
export function describeCall(args: Readonly<Record<string, unknown>>): string {
  const telling = tellingArguments.filter((name) => typeof args[name] === 'string' && args[name] !== '');
  const [first, second] = telling;
  if (first !== undefined) {
    const detail = second === undefined || first === 'command' ? '' : ` ${String(args[second])}`;
    return oneLine(revealText(sanitizeText(String(args[first]) + detail)));
  }
  if (Array.isArray(args.todos)) return describeTodos(args.todos);
  const json = JSON.stringify(args);
  return json === '{}' ? '' : oneLine(revealText(json));
}

function describeTodos(items: readonly unknown[]): string {
  const statuses = items.map((item) => (typeof item === 'object' && item !== null && 'status' in item ? String(item.status) : ''));
  const closed = statuses.filter((status) => status === 'completed' || status === 'cancelled').length;
  return `${closed}/${items.length}`;
}

/** The first row of a tool item: mark, name and what it is about. */
export function toolHead(tool: ToolItem, width: number, paint: Paint, mark = toolMarks[tool.state]): string {
  const role = tool.state === 'done' ? 'success' : tool.state === 'failed' ? 'error' : tool.state === 'refused' ? 'warning' : 'accent';
  // A pause is told in the sentence that ends the prompt.
  const about = tool.name === 'todo_pause' ? '' : describeCall(tool.arguments);
  const counts = tool.display === undefined ? undefined : diffCounts(tool.display);
  const change = counts === undefined || counts.added + counts.removed === 0 ? '' : paint('dim', ` +${counts.added} -${counts.removed}`);
  const head = `${paint(role, mark)} ${paint('bold', tool.name)}${about === '' ? '' : ` ${about}`}`;
  return change === '' ? truncateLine(head, width) : truncateLine(head, Math.max(1, width - 12)) + change;
}

export type ToolRows = {
  readonly rows: readonly string[] /** The whole output, when not all of it is shown. */;
  readonly folded: string | undefined;
};

/** A tool item as rows, with its output folded. */
export function toolLines(tool: ToolItem, options: { readonly width: number; readonly paint: Paint; readonly mark?: string }): ToolRows {
  const { width, paint } = options;
  const head = toolHead(tool, width, paint, options.mark);
  if (tool.state === 'refused') return { rows: [head, ...indented(tool.output, width, paint)], folded: undefined };
  if (tool.state === 'called' || tool.state === 'asking') return { rows: [head], folded: undefined };
  if (tool.display !== undefined && tool.state === 'done') {
    const inner = { width: Math.max(1, width - 2), paint };
    const rows = diffLines(tool.display, { ...inner, maxRows: maxDiffRows }).map((row) => `  ${row}`.trimEnd());
    const folded = diffLines(tool.display, inner).length > maxDiffRows ? tool.display : undefined;
    return { rows: [head, ...rows], folded };
  }
  const isTodo = tool.name.startsWith('todo_');
  if (isTodo && tool.state === 'done') return { rows: [head], folded: undefined };
  const output = tool.output.replace(/^\n+|\s+$/g, '');
  if (output === '') return { rows: [head], folded: undefined };
  const lines = output.split('\n');
  const room = shownRows[tool.state];
  if (lines.length <= room) {
    const rows = indented(output, width, paint);
    if (rows.length <= room * 3) return { rows: [head, ...rows], folded: undefined };
  }
  const isCommand = typeof tool.arguments.command === 'string' || tool.state === 'running' || tool.state === 'failed';
  const shown = (isCommand ? lines.slice(-room) : lines.slice(0, room)).map((line) =>
    paint('dim', `  ${truncateLine(line.replaceAll('\t', '    '), width - 2)}`),
  );
  if (tool.state === 'running') return { rows: [head, ...shown], folded: undefined };
  const hidden = Math.max(0, lines.length - room);
  const note = paint(
    'dim',
    hidden === 0 ? '  … long lines cut (Ctrl+O)' : `  … ${hidden} ${hidden === 1 ? 'line' : 'lines'} more (Ctrl+O)`,
  );
  return { rows: isCommand ? [head, note, ...shown] : [head, ...shown, note], folded: output };
}

function indented(text: string, width: number, paint: Paint): readonly string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : wrapText(trimmed, width, { first: '  ', rest: '  ' }).map((row) => paint('dim', row));
}

const todoMarks: Readonly<Record<Todo['status'], string>> = {
  pending: '○',
  in_progress: '▸',
  completed: '✓',
  blocked: '■',
  cancelled: '–',
};

/** One todo as a row of the panel. */
export function todoRow(todo: Todo, width: number, paint: Paint): string {
  const name = oneLine(sanitizeText(todo.status === 'in_progress' ? (todo.activeForm ?? todo.content) : todo.content));
  const note = todo.note === undefined ? '' : ` (${oneLine(sanitizeText(todo.note))})`;
  const row = truncateLine(`${todoMarks[todo.status]} ${name}${note}`, width);
  if (todo.status === 'in_progress') return paint('accent', row);
  if (todo.status === 'blocked') return paint('warning', row);
  return todo.status === 'pending' ? row : paint('dim', row);
}

/** Neither active nor blocked: nothing is left to do. */
export function isClosedTodo(todo: Todo): boolean {
  return todo.status === 'completed' || todo.status === 'cancelled';
}

/** `3/7`, and the item that is worked on. */
export function todoSummary(items: readonly Todo[]): { readonly count: string; readonly current: string } | undefined {
  const counts = countTodos(items);
  if (counts.total === 0) return undefined;
  const current = items.find((todo) => todo.status === 'in_progress');
  return {
    count: `${counts.completed + counts.cancelled}/${counts.total}`,
    current: current === undefined ? '' : oneLine(sanitizeText(current.activeForm ?? current.content)),
  };
}
