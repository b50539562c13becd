import type { DurableEvent, EventOf } from '../types/events.ts';
import { textOf } from '../types/messages.ts';
import { countTodos, type Todo, type TodoStatus } from '../types/todos.ts';

export type ExportInput = {
  readonly sessionId: string;
  readonly events: readonly DurableEvent[];
  /** When each event was written, ms since the epoch. */
  readonly times: readonly number[];
  /** Applied to every piece of text that leaves. */
  redact(text: string): string;
};

/** A session as one JSON document, every text redacted, provider signatures left out. */
export function toJsonExport(input: ExportInput): string {
  const events = input.events.map((event, index) => ({ at: isoTime(input.times[index]), event: redactDeep(event, input.redact) }));
  return `${JSON.stringify({ format: 'tilldone-session', version: 1, sessionId: input.sessionId, events }, null, 2)}\n`;
}

function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((inner) => redactDeep(inner, redact));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'signature');
  return Object.fromEntries(kept.map(([key, inner]) => [redact(key), redactDeep(inner, redact)]));
}

/** A session to read, as Markdown. */
export function toMarkdown(input: ExportInput): string {
  const blocks: string[] = [];
  let lastTodos = '';
  for (const [index, event] of input.events.entries()) {
    const block = blockOf(event, input.times[index]);
    if (block === undefined || (event.type === 'todos-change' && block === lastTodos)) continue;
    if (event.type === 'todos-change') lastTodos = block;
    blocks.push(block);
  }
  const name = input.events.findLast(
    (event) => event.type === 'session-name' || (event.type === 'session-start' && event.name !== undefined),
  );
  const title = name !== undefined && 'name' in name && name.name !== undefined ? name.name : input.sessionId;
  return input.redact(`# Session ${onOneLine(title)}\n\n${blocks.join('\n\n')}\n`);
}

function blockOf(event: DurableEvent, at: number | undefined): string | undefined {
  switch (event.type) {
    case 'session-start':
      return `Folder \`${event.cwd}\`, model ${event.provider}/${event.model}, begun ${isoTime(at)}.`;
    case 'user-message':
      return `## ${event.kind === 'shell' ? 'Command of the user' : 'User'}\n\n${event.text}`;
    case 'turn-end': {
      const text = textOf(event.message).trim();
      return text === '' ? undefined : `## Assistant\n\n${text}${event.message.cut === true ? '\n\n(cut off)' : ''}`;
    }
    case 'tool-result':
      return toolBlock(event);
    case 'todos-change':
      return todosBlock(event.list.items);
    case 'pause':
      return `Paused: ${onOneLine(event.text)}`;
    case 'model-change':
      return `Model changed to ${event.provider}/${event.model}.`;
    case 'compaction':
      return 'The history was compacted here.';
    case 'error':
      return `Error: ${onOneLine(event.error.message)}`;
    case 'prompt-end':
      return event.sentence === '' ? undefined : `*${onOneLine(event.sentence)}*`;
    default:
      return undefined;
  }
}

function toolBlock(event: EventOf<'tool-result'>): string {
  const call = fenced(JSON.stringify(event.arguments, null, 2), 'json');
  return `### ${event.name}${event.isError ? ' (failed)' : ''}\n\n${call}\n\n${fenced(event.display ?? event.output, event.display === undefined ? '' : 'diff')}`;
}

const boxes: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[ ]',
  completed: '[x]',
  cancelled: '[x] (cancelled)',
  blocked: '[ ] (blocked)',
};

function todosBlock(items: readonly Todo[]): string {
  const counts = countTodos(items);
  const lines = items.map(
    (item) => `- ${boxes[item.status]} ${onOneLine(item.content)}${item.status === 'in_progress' ? ' (in progress)' : ''}`,
  );
  return [`### Todos ${counts.completed + counts.cancelled}/${counts.total}`, '', ...lines].join('\n');
}

/** A code block whose fence is longer than any fence inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/gu), (match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function isoTime(at: number | undefined): string {
  return new Date(at ?? 0).toISOString();
}
