import { toDisplayLine } from '../lib/sanitize.ts';
import type { Effect } from '../types/effects.ts';
import type { AgentEvent, EventOf } from '../types/events.ts';
import { countTodos } from '../types/todos.ts';

/** What a person at the terminal reads about an event, on one line; undefined for most events. */
export function progressLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool-start':
      // the list speaks for itself
      if (event.name === 'todo_write' || event.name === 'todo_read') return undefined;
      return line(`${event.name}${describeEffects(event.effects)}`);
    case 'tool-result':
      return event.isError ? line(`${event.name} failed: ${event.output}`) : undefined;
    case 'permission-decision':
      return event.verdict === 'refuse' ? line(`Refused: ${event.reason}`) : undefined;
    case 'todos-change':
      return describeTodos(event);
    case 'continuation-start':
      return line(`Continuing with todo ${event.todoId} (continuation ${event.continuation})`);
    case 'retry-wait':
      return line(`Trying again in ${Math.ceil(event.delayMs / 1000)} s: ${event.cause}`);
    case 'notice':
      return line(event.text);
    case 'error':
      return line(event.error.message);
    case 'compaction':
      return line(`Compacted the history from ${event.tokensBefore} to ${event.tokensAfter} tokens`);
    default:
      return undefined;
  }
}

/** Whether the line belongs on stderr in stream-json too, where records tell the rest. */
export function isWarning(event: AgentEvent): boolean {
  return event.type === 'error' || (event.type === 'notice' && event.level !== 'info');
}

function describeEffects(effects: readonly Effect[]): string {
  const [first] = effects;
  if (first === undefined) return '';
  const what = first.kind === 'command' ? first.command : first.kind === 'host' ? first.url : (first.wanted ?? first.path);
  return ` ${what}${effects.length > 1 ? ` and ${effects.length - 1} more` : ''}`;
}

function describeTodos(event: EventOf<'todos-change'>): string {
  const { items } = event.list;
  const counts = countTodos(items);
  const current = items.find((item) => item.status === 'in_progress');
  return line(`${counts.completed + counts.cancelled}/${counts.total}${current === undefined ? '' : ` ${current.content}`}`);
}

const longestLine = 200;

function line(text: string): string {
  const shown = toDisplayLine(text.slice(0, longestLine * 4));
  return shown.length <= longestLine ? shown : `${shown.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
