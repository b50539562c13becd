import type { AgentEvent, EventOf } from '../../src/types/events.ts';

/** Keeps every event it is given, and answers the questions that tests ask of them. */
export type EventCollector = {
  readonly events: AgentEvent[];
  /** Give this to whatever emits. */
  readonly emit: (event: AgentEvent) => void;
  types(): readonly AgentEvent['type'][];
  of<Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[];
  count(type: AgentEvent['type']): number;
  last<Type extends AgentEvent['type']>(type: Type): EventOf<Type> | undefined;
  /** Type and one telling detail of each event, for comparing whole lists in a readable way. */
  outline(): readonly string[];
  clear(): void;
};

/** An empty collector. */
export function createEventCollector(): EventCollector {
  const events: AgentEvent[] = [];
  const of = <Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return {
    events,
    emit: (event) => {
      events.push(event);
    },
    types: () => events.map((event) => event.type),
    of,
    count: (type) => of(type).length,
    last: (type) => of(type).at(-1),
    outline: () => events.map(outlineEvent),
    clear: () => {
      events.length = 0;
    },
  };
}

/** One event as `type detail`; neighbouring text deltas stay separate, so that flushes are seen. */
export function outlineEvent(event: AgentEvent): string {
  const detail = detailOf(event);
  return detail === '' ? event.type : `${event.type} ${detail}`;
}

function detailOf(event: AgentEvent): string {
  switch (event.type) {
    case 'user-message':
      return `${event.kind} ${event.text}`;
    case 'run-start':
      return event.origin;
    case 'run-end':
      return event.end;
    case 'turn-start':
      return event.reminded ? 'reminded' : '';
    case 'turn-end':
    case 'finish':
      return event.finish;
    case 'attempt-retry':
      return event.cause;
    case 'tool-start':
      return event.name;
    case 'tool-call':
      return event.call.name;
    case 'tool-result':
      return event.isError ? `${event.name} failed` : event.name;
    case 'permission-decision':
      return `${event.verdict} by ${event.by}`;
    case 'todos-change':
      return event.list.items.map((item) => `${item.id}:${item.status}`).join(' ');
    case 'pause':
      return `${event.by} ${event.text}`;
    case 'continuation-start':
      return `${event.continuation} ${event.strength} ${event.todoId}`;
    case 'continuation-end':
      return event.reason;
    case 'prompt-end':
      return `${event.reason} ${event.exitCode}`;
    case 'loop-detected':
      return `strike ${event.strike}`;
    case 'reminder-sent':
      return event.reminder;
    case 'text-delta':
    case 'draft-delta':
    case 'reasoning-delta':
      return event.text;
    case 'notice':
      return `${event.level} ${event.text}`;
    case 'error':
      return event.error.kind;
    case 'settings-change':
      return event.key;
    case 'compaction':
      return `${event.trigger} ${event.method}`;
    default:
      return '';
  }
}
