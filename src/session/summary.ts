import * as z from 'zod';
import type { DurableEvent } from '../types/events.ts';
import { lazy } from '../types/lazy.ts';
import { countTodos } from '../types/todos.ts';

/** A session in one line, for `tilldone sessions` and the picker. */
export const sessionSummarySchema = lazy(() =>
  z.object({
    id: z.string(),
    name: z.string().optional(),
    /** Ms since the epoch, of the last entry. */
    updatedAt: z.number(),
    /** The first words of the user's, on one line; empty before the first prompt. */
    firstPrompt: z.string(),
    openTodos: z.number().int(),
    total: z.number().int(),
  }),
);
export type SessionSummary = Readonly<z.infer<ReturnType<typeof sessionSummarySchema>>>;

const longestPrompt = 200;

export function emptySummary(id: string): SessionSummary {
  return { id, updatedAt: 0, firstPrompt: '', openTodos: 0, total: 0 };
}

/** The types of event that change more than the time of a summary. */
export const summaryTypes: ReadonlySet<string> = new Set(['session-start', 'session-name', 'user-message', 'todos-change']);

/** The summary after one more event. */
export function reduceSummary(summary: SessionSummary, event: DurableEvent, at: number): SessionSummary {
  const next = { ...summary, updatedAt: at };
  switch (event.type) {
    case 'session-start':
      return event.name === undefined ? next : { ...next, name: event.name };
    case 'session-name':
      return { ...next, name: event.name };
    case 'user-message':
      return next.firstPrompt === '' ? { ...next, firstPrompt: onOneLine(event.text) } : next;
    case 'todos-change': {
      const counts = countTodos(event.list.items);
      return { ...next, openTodos: counts.open, total: counts.total };
    }
    default:
      return next;
  }
}

function onOneLine(text: string): string {
  const line = text
    .slice(0, longestPrompt * 4)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= longestPrompt ? line : `${line.slice(0, longestPrompt - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
