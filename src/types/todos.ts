import * as z from 'zod';
import { lazy } from './lazy.ts';

export const todoStatuses = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'] as const;
export const todoPriorities = ['high', 'medium', 'low'] as const;

/** One item of the list. `check` (a command that proves it) and `evidence` (what it printed) are schema only for now. */
export const todoSchema = lazy(() =>
  z.object({
    id: z.string(),
    content: z.string(),
    status: z.enum(todoStatuses),
    priority: z.enum(todoPriorities),
    activeForm: z.string().optional(),
    note: z.string().optional(),
    check: z.string().optional(),
    evidence: z.string().optional(),
  }),
);
export type Todo = Readonly<z.infer<ReturnType<typeof todoSchema>>>;
export type TodoStatus = Todo['status'];
export type TodoPriority = Todo['priority'];

/** `version` grows by one with each real change; `lastId` is the highest number ever given out, so that ids are never reused. */
export const todoListSchema = lazy(() =>
  z.object({
    items: z.array(todoSchema()).readonly(),
    version: z.number().int().nonnegative(),
    lastId: z.number().int().nonnegative(),
  }),
);
export type TodoList = Readonly<z.infer<ReturnType<typeof todoListSchema>>>;

export const emptyTodoList: TodoList = { items: [], version: 0, lastId: 0 };

/** Active: the engine may continue with it. */
export function isActive(todo: Todo): boolean {
  return todo.status === 'pending' || todo.status === 'in_progress';
}

/** Open: not finished, whether or not it can be worked on. */
export function isOpen(todo: Todo): boolean {
  return isActive(todo) || todo.status === 'blocked';
}

export type TodoCounts = Readonly<Record<TodoStatus, number>> & {
  readonly total: number;
  readonly active: number;
  readonly open: number;
};

export function countTodos(items: readonly Todo[]): TodoCounts {
  const counts = { pending: 0, in_progress: 0, completed: 0, cancelled: 0, blocked: 0, total: items.length, active: 0, open: 0 };
  for (const item of items) counts[item.status] += 1;
  counts.active = counts.pending + counts.in_progress;
  counts.open = counts.active + counts.blocked;
  return counts;
}

/** Content as it is compared: case, white space and closing punctuation do not make another item. */
export function normalizeContent(content: string): string {
  return content
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!…]+$/u, '');
}

const contentKeys = new WeakMap<Todo, string>();

/** The content of an item as it is compared; worked out once per item, since long lists are compared often. */
export function contentKey(todo: Todo): string {
  const known = contentKeys.get(todo);
  if (known !== undefined) return known;
  const key = normalizeContent(todo.content);
  contentKeys.set(todo, key);
  return key;
}

const fieldsOfIdentity = ['id', 'content', 'status', 'priority', 'note'] as const;

/** Identical in the sense of `todo_write`: same items in the same order, by id, content, status, priority and note. */
export function sameTodos(left: readonly Todo[], right: readonly Todo[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => {
    const other = right[index];
    return other !== undefined && fieldsOfIdentity.every((field) => item[field] === other[field]);
  });
}

export type TodoDiff = {
  /** Items of the new version that were open before under the same id or content and have now another, closed status. */
  readonly closed: readonly Todo[];
  /** Open items of the previous version that the new one does not name. */
  readonly dropped: readonly Todo[];
};

export function diffTodos(previous: readonly Todo[], next: readonly Todo[]): TodoDiff {
  const before = matchTodos(previous, next);
  const kept = new Set(before.values());
  const closed = next.filter((item) => {
    const old = before.get(item);
    return old !== undefined && isOpen(old) && !isActive(item) && old.status !== item.status;
  });
  return { closed, dropped: previous.filter((item) => isOpen(item) && !kept.has(item)) };
}

/**
 * The item of the previous version that each new one carries on, each used once: the same id and content, else the same content under another
 * id, else the same id with other words.
 */
function matchTodos(previous: readonly Todo[], next: readonly Todo[]): ReadonlyMap<Todo, Todo> {
  const byId = new Map(previous.map((item) => [item.id, item]));
  const matches = new Map<Todo, Todo>();
  const left = new Set(previous);
  const match = (item: Todo, old: Todo | undefined): void => {
    if (old === undefined || matches.has(item) || !left.delete(old)) return;
    matches.set(item, old);
  };
  for (const item of next) {
    const old = byId.get(item.id);
    if (old !== undefined && (old.content === item.content || contentKey(old) === contentKey(item))) match(item, old);
  }
  if (matches.size < next.length) {
    const byContent = groupByContent(left);
    for (const item of next) if (!matches.has(item)) match(item, byContent.get(contentKey(item))?.shift());
    for (const item of next) match(item, byId.get(item.id));
  }
  return matches;
}

function groupByContent(items: Iterable<Todo>): ReadonlyMap<string, Todo[]> {
  const groups = new Map<string, Todo[]>();
  for (const item of items) {
    const group = groups.get(contentKey(item));
    if (group === undefined) groups.set(contentKey(item), [item]);
    else group.push(item);
  }
  return groups;
}

export type RepairResult = {
  readonly items: readonly Todo[];
  readonly lastId: number;
  /** One sentence for each thing that was not as it should be, for the tool result. */
  readonly repairs: readonly string[];
};

const statusWords: Readonly<Record<string, TodoStatus>> = {
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  todo: 'pending',
  open: 'pending',
  doing: 'in_progress',
  active: 'in_progress',
  started: 'in_progress',
  canceled: 'cancelled',
  skipped: 'cancelled',
};

function readStatus(raw: unknown): { status: TodoStatus; repaired: boolean } {
  if (raw === undefined || raw === null) return { status: 'pending', repaired: false };
  const word = String(raw)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, '_');
  const known = todoStatuses.find((status) => status === word);
  if (known !== undefined) return { status: known, repaired: known !== raw };
  return { status: Object.hasOwn(statusWords, word) ? (statusWords[word] ?? 'pending') : 'pending', repaired: true };
}

function readPriority(raw: unknown): { priority: TodoPriority; repaired: boolean } {
  if (raw === undefined || raw === null) return { priority: 'medium', repaired: false };
  const word = String(raw).trim().toLowerCase();
  const known = todoPriorities.find((priority) => priority === word);
  return { priority: known ?? 'medium', repaired: known !== raw };
}

function readText(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw.trim() !== '' ? raw : undefined;
}

function parseItems(raw: unknown): { items: readonly unknown[]; repairs: string[] } | { error: string } {
  if (Array.isArray(raw)) return { items: raw, repairs: [] };
  if (typeof raw === 'string') {
    try {
      const parsed: unknown = JSON.parse(raw);
      if (Array.isArray(parsed)) return { items: parsed, repairs: ['the list came as a JSON string and was parsed'] };
    } catch {
      // falls through to the error below, which names what is accepted
    }
  }
  const shown = typeof raw === 'string' ? JSON.stringify(raw.slice(0, 40)) : raw === null ? 'null' : typeof raw;
  return { error: `todos must be an array of items, got ${shown}` };
}

/**
 * Reads a list as a model wrote it. Ids, statuses and priorities are repaired and the repairs are named; only something that
 * is no list at all is an error.
 */
export function repairTodos(raw: unknown, previous: TodoList): RepairResult | { readonly error: string } {
  const parsed = parseItems(raw);
  if ('error' in parsed) return parsed;
  const repairs = parsed.repairs;
  const drafts: { id: string | undefined; rawId: unknown; todo: Omit<Todo, 'id'> }[] = [];
  let numberIds = 0;
  let lastInProgress = -1;
  let inProgress = 0;

  for (const [index, entry] of parsed.items.entries()) {
    const place = `item ${index + 1}`;
    const fields: Record<string, unknown> =
      typeof entry === 'string' ? { content: entry } : typeof entry === 'object' && entry !== null ? { ...entry } : {};
    const content = readText(fields.content)?.trim();
    if (content === undefined) {
      repairs.push(`${place} has no content and was skipped`);
      continue;
    }
    const { status, repaired: statusRepaired } = readStatus(fields.status);
    if (statusRepaired) repairs.push(`${place}: status ${JSON.stringify(fields.status)} read as ${status}`);
    const { priority, repaired: priorityRepaired } = readPriority(fields.priority);
    if (priorityRepaired) repairs.push(`${place}: priority ${JSON.stringify(fields.priority)} read as ${priority}`);
    const optional: Partial<Record<'activeForm' | 'note' | 'check' | 'evidence', string>> = {};
    for (const key of ['activeForm', 'note', 'check', 'evidence'] as const) {
      const text = readText(fields[key]);
      if (text !== undefined) optional[key] = text;
    }
    let id: string | undefined;
    if (typeof fields.id === 'string' && fields.id.trim() !== '') id = fields.id.trim();
    else if (typeof fields.id === 'number' && Number.isFinite(fields.id)) {
      id = String(fields.id);
      numberIds += 1;
    }
    if (status === 'in_progress') {
      lastInProgress = drafts.length;
      inProgress += 1;
    }
    drafts.push({ id, rawId: fields.id, todo: { content, status, priority, ...optional } });
  }
  if (inProgress > 1) repairs.push(`${inProgress} items were in_progress; only the last stays so`);
  if (numberIds > 0) repairs.push(numberIds === 1 ? '1 id was a number and is text now' : `${numberIds} ids were numbers and are text now`);

  const taken = new Set<string>();
  const named = new Set(drafts.flatMap((draft) => (draft.id === undefined ? [] : [draft.id])));
  const byContent = named.size === drafts.length ? undefined : groupByContent(previous.items);
  const seen = (id: string, highest: number): number => (/^\d{1,9}$/u.test(id) ? Math.max(highest, Number(id)) : highest);
  let lastId = [...previous.items.map((item) => item.id), ...named].reduce((highest, id) => seen(id, highest), previous.lastId);
  const items = drafts.map(({ id: wanted, rawId, todo }, index): Todo => {
    let id = wanted;
    if (id !== undefined && taken.has(id)) {
      lastId += 1;
      repairs.push(`item ${index + 1}: id ${id} was taken, now ${lastId}`);
      id = String(lastId);
    }
    if (id === undefined) {
      id = byContent?.get(normalizeContent(todo.content))?.find((known) => !taken.has(known.id) && !named.has(known.id))?.id;
      if (id === undefined) {
        lastId += 1;
        id = String(lastId);
      }
      // No id at all is a form that the schema allows; any other thing in its place is a mistake to name.
      if (rawId !== undefined) repairs.push(`item ${index + 1}: id ${JSON.stringify(rawId)} was replaced by ${id}`);
    }
    taken.add(id);
    const status = todo.status === 'in_progress' && index !== lastInProgress ? 'pending' : todo.status;
    return { id, ...todo, status };
  });
  return { items, lastId, repairs };
}

/** Input of `todo_pause`; the reason is trimmed before it is measured. */
export const todoPauseInputSchema = lazy(() => z.object({ reason: z.string().trim().min(1).max(500) }));
