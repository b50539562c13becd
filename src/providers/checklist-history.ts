import type { Message, ToolMessage } from '../types/messages.ts';
import { normalizeContent } from '../types/todos.ts';
import { type ChecklistItem, parseItems } from './checklist-items.ts';

export type RecordedTodo = {
  readonly id: string;
  readonly content: string;
  readonly status: ChecklistItem['status'];
  readonly priority: string;
};
export type LoggedCall = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>>; readonly result: ToolMessage };

/** What the checklist model knows, all of it read from the history. */
export type ChecklistState = {
  /** The list as last written. */
  readonly todos: readonly RecordedTodo[];
  /** Items of the newest prompt that are not in the list yet. */
  readonly unwritten: readonly ChecklistItem[];
  /** Every item ever named, by normalised content: here are the fenced blocks. */
  readonly known: ReadonlyMap<string, ChecklistItem>;
  /** Calls for the item in progress since it was marked so. */
  readonly log: readonly LoggedCall[];
  /** How many of them came before the user last spoke: their failures may be tried again. */
  readonly spokenAt: number;
  /** What each closed item came to, by normalised content. */
  readonly outcomes: ReadonlyMap<string, readonly LoggedCall[]>;
  /** The end of the history, a reminder not counted. */
  readonly last: 'list' | 'go-ahead' | 'question' | 'assistant' | 'tool' | 'summary' | 'nothing';
  readonly lastCall: LoggedCall | undefined;
  /** Asked to go on: by a reminder or by the user. */
  readonly nudged: boolean;
};

const goAhead = /\b(?:continue|go on|go ahead|proceed|resume|keep going|carry on|retry|try again|yes|yep|ok|okay|next|weiter)\b/iu;

/** Folds the history into what there is to do; the same history always gives the same state. */
export function readHistory(messages: readonly Message[]): ChecklistState {
  const known = new Map<string, ChecklistItem>();
  const outcomes = new Map<string, readonly LoggedCall[]>();
  const calls = new Map<string, Readonly<Record<string, unknown>>>();
  let todos: readonly RecordedTodo[] = [];
  let unwritten: readonly ChecklistItem[] = [];
  let log: LoggedCall[] = [];
  let spokenAt = 0;
  let last: ChecklistState['last'] = 'nothing';
  let lastCall: LoggedCall | undefined;

  const learn = (items: readonly ChecklistItem[]): void => {
    for (const item of items) {
      const key = normalizeContent(item.content);
      if (item.block !== undefined || !known.has(key)) known.set(key, item);
    }
  };
  const record = (next: readonly RecordedTodo[]): void => {
    const working = next.find((todo) => todo.status === 'in_progress');
    const before = todos.find((todo) => todo.status === 'in_progress');
    const wasCompleted = new Set(todos.filter((todo) => todo.status === 'completed').map(({ id }) => id));
    for (const todo of next) {
      // Only what was not completed yet can be the item that was in hand; a long list is mostly completed ones.
      if (before === undefined || todo.status !== 'completed' || wasCompleted.has(todo.id)) continue;
      if (sameItem(todo, before)) outcomes.set(normalizeContent(todo.content), log);
    }
    if (working === undefined || before === undefined || !sameItem(working, before)) {
      log = [];
      spokenAt = 0;
    }
    todos = next;
    unwritten = [];
  };

  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.arguments);
      last = 'assistant';
    } else if (message.role === 'tool') {
      const call = { name: message.name, arguments: calls.get(message.callId) ?? {}, result: message };
      last = 'tool';
      lastCall = call;
      if (message.name === 'todo_write') {
        if (!message.isError) record(readTodos(call.arguments.todos));
      } else if (message.name === 'todo_read') {
        const listed = readListing(message.output);
        if (!message.isError && listed.length > 0) record(listed);
      } else if (!message.name.startsWith('todo_')) log.push(call);
    } else if (message.kind === 'summary') {
      const items = parseItems(message.text);
      learn(items);
      record(readSummary(message.text, known));
      last = 'summary';
    } else if (message.kind !== 'reminder' && message.kind !== 'shell') {
      const items = parseItems(message.text);
      learn(items);
      if (items.length > 0) {
        unwritten = items;
        last = 'list';
      } else if (message.kind !== 'steer') last = goAhead.test(message.text) ? 'go-ahead' : 'question';
      spokenAt = log.length;
      lastCall = undefined;
    }
  }
  const tail = messages.at(-1);
  const nudged = last === 'go-ahead' || (tail?.role === 'user' && tail.kind === 'reminder');
  return { todos, unwritten, known, log, spokenAt, outcomes, last, lastCall, nudged };
}

/** The same item: by content, or by id when it was reworded. */
export function sameItem(left: RecordedTodo, right: RecordedTodo): boolean {
  return normalizeContent(left.content) === normalizeContent(right.content) || left.id === right.id;
}

function readTodos(raw: unknown): readonly RecordedTodo[] {
  if (!Array.isArray(raw)) return [];
  return raw.flatMap((entry: unknown, index) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, content, status, priority } = entry as Record<string, unknown>; // an object of unknown fields, each checked below
    if (typeof content !== 'string') return [];
    return [
      {
        id: typeof id === 'string' || typeof id === 'number' ? String(id) : String(index + 1),
        content,
        status: statuses.find((known) => known === status) ?? 'pending',
        priority: typeof priority === 'string' ? priority : 'medium',
      },
    ];
  });
}

const statuses = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'] as const;

/**
 * The list in a summary: as the engine re-states it, `- [pending] 3: content`, else as this model sums up, `3. [pending] content`. Other lines
 * may be the user's words of long ago and are no list.
 */
function readSummary(text: string, known: ReadonlyMap<string, ChecklistItem>): readonly RecordedTodo[] {
  const status = '(pending|in_progress|completed|cancelled|blocked)';
  const restated = [...text.matchAll(new RegExp(`^- \\[${status}\\] (\\S+): (.+)$`, 'gmu'))].map(([, state, id, content]) => ({
    id,
    status: state,
    content,
  }));
  if (restated.length > 0) return readTodos(restated.map((todo) => ({ ...todo, content: withoutNote(todo.content ?? '', known) })));
  return readTodos(
    [...text.matchAll(new RegExp(`^(\\S+)\\. \\[${status}\\] (.+)$`, 'gmu'))].map(([, id, state, content]) => ({
      id,
      status: state,
      content,
    })),
  );
}

/** A note follows the content in brackets; which brackets those are, only the items themselves can tell. */
function withoutNote(content: string, known: ReadonlyMap<string, ChecklistItem>): string {
  const bare = content.replace(/ \([^()]*\)$/u, '');
  return !known.has(normalizeContent(content)) && known.has(normalizeContent(bare)) ? bare : content;
}

/** A list as text: JSON, lines as `todo_read` writes them, or any other list; the number of a line is its id. */
function readListing(text: string): readonly RecordedTodo[] {
  const json = parseJson(text);
  if (json !== undefined) return readTodos(Array.isArray(json) ? json : Object(json).todos);
  const named = [
    ...text.matchAll(/^(\S+) \[(pending|in_progress|completed|cancelled|blocked)\](?: \((high|low)\))? (.+?)(?: \(note: .*\))?$/gmu),
  ];
  if (named.length > 0) return readTodos(named.map(([, id, status, priority, content]) => ({ id, status, priority, content })));
  const ids = [...text.matchAll(/^\s*(?:[-*+]\s+)?#?(\d{1,6})[.):]\s+/gmu)].map((match) => match[1] ?? '');
  const items = parseItems(text);
  return items.map(({ content, status }, index) => ({
    id: ids.length === items.length ? (ids[index] ?? String(index + 1)) : String(index + 1),
    content,
    status,
    priority: 'medium',
  }));
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
