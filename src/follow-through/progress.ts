import { createHash } from 'node:crypto';
import { contentKey, diffTodos, type Todo } from '../types/todos.ts';

/** What this prompt has already seen, so that progress is monotonic: nothing counts twice. */
export type ProgressMemory = {
  /** Contents that were closed in this prompt. */
  readonly closed: ReadonlySet<string>;
  /** Name, arguments and result of successful working calls. */
  readonly calls: SeenCalls;
  /** The first list of the prompt has been counted. */
  readonly listCounted: boolean;
};

/** A set that grows by copying only its recent part: a prompt of thousands of calls must not copy them all for each one. */
export type SeenCalls = { readonly settled: ReadonlySet<string>; readonly recent: ReadonlySet<string> };

/** Calls after which the recent part joins the settled one. */
const recentCalls = 128;

export const noProgressYet: ProgressMemory = { closed: new Set(), calls: { settled: new Set(), recent: new Set() }, listCounted: false };

/** Items newly closed between two versions: open before, closed now, and not closed before in this prompt. */
export function newlyClosed(memory: ProgressMemory, previous: readonly Todo[], next: readonly Todo[]): readonly Todo[] {
  return diffTodos(previous, next).closed.filter((todo) => !memory.closed.has(contentKey(todo)));
}

/** `closed` are the newly closed items; `isFirst` tells that this was the first list of the prompt, which counts once. */
export function rememberList(memory: ProgressMemory, closed: readonly Todo[]): { memory: ProgressMemory; isFirst: boolean } {
  const isFirst = !memory.listCounted;
  if (!isFirst && closed.length === 0) return { memory, isFirst };
  const contents = new Set(memory.closed);
  for (const todo of closed) contents.add(contentKey(todo));
  return { memory: { ...memory, closed: contents, listCounted: true }, isFirst };
}

/** `isNew`: this call with this result has not been seen in the prompt. */
export function rememberCall(memory: ProgressMemory, key: string): { memory: ProgressMemory; isNew: boolean } {
  const { settled, recent } = memory.calls;
  if (settled.has(key) || recent.has(key)) return { memory, isNew: false };
  const calls =
    recent.size < recentCalls
      ? { settled, recent: new Set(recent).add(key) }
      : { settled: new Set([...settled, ...recent]), recent: new Set([key]) };
  return { memory: { ...memory, calls }, isNew: true };
}

/** Identity of a call with its result: short ones as they are, long ones as a hash. Argument order does not matter. */
export function callKey(name: string, args: Readonly<Record<string, unknown>>, output: string): string {
  const text = `${name}\u0000${stableJson(args)}\u0000${output}`;
  return text.length <= 120 ? text : createHash('sha256').update(text).digest('base64');
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}
