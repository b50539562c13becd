import { toJsonLine } from '../lib/jsonl.ts';
import { toDisplayLine } from '../lib/sanitize.ts';
import { countOf, headOf } from '../lib/text.ts';
import type { SessionSummary } from '../session/index.ts';

export type SessionsOptions = {
  list(): Promise<readonly SessionSummary[]>;
  readonly workspace: string;
  readonly format: 'text' | 'json';
  /** Width of the terminal; longer lines are cut. */
  readonly columns: number;
  /** Ms since the epoch. */
  readonly now: number;
  write(text: string): Promise<void>;
};

/** `tilldone sessions`: the sessions of this folder, latest first, one a line. Resolves with the exit code. */
export async function runSessions({ list, workspace, format, columns, now, write }: SessionsOptions): Promise<0> {
  const sessions = await list();
  if (format === 'json') {
    for (const session of sessions) await write(toJsonLine(session));
    return 0;
  }
  if (sessions.length === 0) {
    await write(`No sessions for ${workspace} yet.\n`);
    return 0;
  }
  const rows = sessions.map((session) => ({
    id: session.id,
    age: ageOf(now - session.updatedAt),
    todos: session.total === 0 ? '' : `${session.total - session.openTodos}/${session.total}`,
    about: toDisplayLine(`${session.name === undefined ? '' : `[${session.name}] `}${session.firstPrompt}`),
  }));
  const width = (column: 'id' | 'age' | 'todos'): number => Math.max(...rows.map((row) => row[column].length));
  const widths = { id: width('id'), age: width('age'), todos: width('todos') };
  for (const { id, age, todos, about } of rows) {
    const line = `${id.padEnd(widths.id)}  ${age.padEnd(widths.age)}  ${todos.padEnd(widths.todos)}  ${about}`.trimEnd();
    await write(`${line.length > columns ? `${headOf(line, columns - 1)}…` : line}\n`);
  }
  return 0;
}

/** How long ago, in words; `age` in ms. */
export function ageOf(age: number): string {
  const minutes = Math.floor(age / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${countOf(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${countOf(hours, 'hour')} ago`;
  return `${countOf(Math.floor(hours / 24), 'day')} ago`;
}
