import { appendFileSync, chmodSync, statSync } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { linesOf } from '../lib/jsonl.ts';
import { describeFileError } from '../lib/paths.ts';
import { UsageError } from '../types/errors.ts';
import { durableEventSchema } from '../types/events.ts';
import { lazy } from '../types/lazy.ts';
import type { Entry } from './entries.ts';
import { idOfFile, indexPath, isSessionId, logPath, sessionsFolder, workspaceFolder } from './location.ts';
import { quickCheck } from './quick-check.ts';
import { type Replay, replay, scanEntries } from './replay.ts';
import { emptySummary, reduceSummary, type SessionSummary, sessionSummarySchema, summaryTypes } from './summary.ts';

export type { SessionSummary } from './summary.ts';

/** A summary and the size of the log it was made from: another size means that it is out of date. */
const indexLineSchema = lazy(() => sessionSummarySchema().extend({ size: z.number() }));
export type IndexLine = Readonly<z.infer<ReturnType<typeof indexLineSchema>>>;
const isIndexLine = lazy(() => quickCheck(indexLineSchema()));

/** Adds a summary to the index of a workspace. The index is only a cache: what fails here is found again from the log. */
export function rememberSummary(folder: string, line: IndexLine): void {
  appendToIndex(folder, [line]);
}

function appendToIndex(folder: string, lines: readonly IndexLine[]): void {
  const path = indexPath(folder);
  try {
    appendFileSync(path, textOf(lines), { mode: 0o600 });
    if ((statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600);
  } catch {
    // the index is only a cache
  }
}

function textOf(lines: readonly IndexLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The sessions of a workspace, latest first. Reads one small index, and only those logs that changed since. */
export async function listSessions(directory: string, workspace: string): Promise<readonly SessionSummary[]> {
  return listFolder(workspaceFolder(directory, workspace));
}

async function listFolder(folder: string): Promise<readonly SessionSummary[]> {
  const ids = await idsIn(folder);
  if (ids.length === 0) return [];
  const index = await readIndex(folder);
  const fresh: IndexLine[] = [];
  const summaries: SessionSummary[] = [];
  for (const id of ids) {
    const path = logPath(folder, id);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    const known = index.lines.get(id);
    if (known !== undefined && known.size === size) {
      summaries.push(known);
      continue;
    }
    const log = await readFile(path).catch(() => undefined);
    if (log === undefined) continue;
    const summary = summarize(id, log);
    summaries.push(summary);
    fresh.push({ ...summary, size: log.length });
  }
  await refreshIndex(folder, { known: index.lines, count: index.count, fresh, ids });
  return summaries
    .map(({ id, name, updatedAt, firstPrompt, openTodos, total }) => ({ id, name, updatedAt, firstPrompt, openTodos, total }))
    .sort(latestFirst);
}

/** Finds one session of a workspace by its id, the beginning of it, its name, or `latest`. Throws a UsageError that says what there is. */
export async function findSession(directory: string, workspace: string, wanted: string): Promise<SessionSummary> {
  const sessions = await listSessions(directory, workspace);
  if (wanted === 'latest') {
    const [latest] = sessions;
    if (latest === undefined) throw new UsageError(`There is no session for ${workspace} yet.`);
    return latest;
  }
  const exact = sessions.find((session) => session.id === wanted);
  if (exact !== undefined) return exact;
  const matches = sessions.filter((session) => session.id.startsWith(wanted) || session.name === wanted);
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  if (matches.length > 1) {
    const shown = matches.slice(0, 5).map((session) => session.id);
    throw new UsageError(
      `'${wanted}' fits ${matches.length} sessions: ${shown.join(', ')}${matches.length > 5 ? ', …' : ''}. Give more of the id.`,
    );
  }
  const elsewhere = isSessionId(wanted) ? await findElsewhere(directory, wanted) : undefined;
  if (elsewhere !== undefined) throw new UsageError(`Session ${elsewhere.id} belongs to ${elsewhere.cwd}. Open it there, or with --cd.`);
  const latest = sessions[0] === undefined ? 'this folder has none' : `the latest is ${sessions[0].id}`;
  throw new UsageError(`No session begins with '${wanted}'; ${latest}. \`tilldone sessions\` lists them.`);
}

/** Reads a session without opening it for writing. Throws a UsageError when it cannot be read. */
export async function readSession(directory: string, workspace: string, sessionId: string): Promise<Replay> {
  const path = logPath(workspaceFolder(directory, workspace), sessionId);
  const log = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`Session ${sessionId} cannot be read: ${describeFileError(error)}`);
  });
  return replay(log);
}

async function findElsewhere(directory: string, wanted: string): Promise<{ id: string; cwd: string } | undefined> {
  const root = sessionsFolder(directory);
  for (const key of await readdir(root).catch(() => [])) {
    const folder = `${root}/${key}`;
    const id = (await idsIn(folder)).find((candidate) => candidate.startsWith(wanted));
    if (id === undefined) continue;
    const log = await readFile(logPath(folder, id)).catch(() => undefined);
    const start = log && replay(log).events.find((event) => event.type === 'session-start');
    if (start !== undefined) return { id, cwd: start.cwd };
  }
  return undefined;
}

async function idsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => idOfFile(name) ?? []);
}

async function readIndex(folder: string): Promise<{ lines: ReadonlyMap<string, IndexLine>; count: number }> {
  const lines = new Map<string, IndexLine>();
  const bytes = await readFile(indexPath(folder)).catch(() => Buffer.alloc(0));
  let count = 0;
  for (const line of linesOf(bytes)) {
    count += 1;
    const parsed = parseIndexLine(line.bytes);
    if (parsed !== undefined) lines.set(parsed.id, parsed);
  }
  return { lines, count };
}

function parseIndexLine(bytes: Buffer): IndexLine | undefined {
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8'));
    return isIndexLine()(line) ? line : indexLineSchema().safeParse(line).data;
  } catch {
    return undefined;
  }
}

/** Adds what was read anew, and writes the whole index again when most of it is out of date. */
async function refreshIndex(
  folder: string,
  state: { known: ReadonlyMap<string, IndexLine>; count: number; fresh: readonly IndexLine[]; ids: readonly string[] },
): Promise<void> {
  const { known, count, fresh, ids } = state;
  if (count + fresh.length <= 4 * ids.length + 64) {
    if (fresh.length > 0) appendToIndex(folder, fresh);
    return;
  }
  const latest = new Map([...known, ...fresh.map((line) => [line.id, line] as const)]);
  const lines = ids.flatMap((id) => latest.get(id) ?? []);
  const temporary = `${indexPath(folder)}.new`;
  try {
    await writeFile(temporary, textOf(lines), { mode: 0o600 });
    await chmod(temporary, 0o600);
    await rename(temporary, indexPath(folder));
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** The summary of a log, parsing only the lines that matter to it. */
function summarize(id: string, log: Buffer): SessionSummary {
  let summary = emptySummary(id);
  let list: Entry | undefined;
  let updatedAt = 0;
  scanEntries(log, (entry) => {
    updatedAt = entry.at;
    const type = typeOf(entry.json);
    if (type === 'todos-change') list = entry;
    else if (summaryTypes.has(type) && (type !== 'user-message' || summary.firstPrompt === '')) summary = addEntry(summary, entry);
  });
  if (list !== undefined) summary = addEntry(summary, list);
  return { ...summary, updatedAt };
}

function addEntry(summary: SessionSummary, entry: Entry): SessionSummary {
  const event = durableEventSchema().safeParse(JSON.parse(entry.json.toString('utf8'))).data;
  return event === undefined ? summary : reduceSummary(summary, event, entry.at);
}

/** The journal writes the type first. */
function typeOf(json: Buffer): string {
  return /^\{"type":"([a-z-]+)"/u.exec(json.toString('latin1', 0, 40))?.[1] ?? '';
}

function latestFirst(left: SessionSummary, right: SessionSummary): number {
  return right.updatedAt - left.updatedAt || (left.id < right.id ? 1 : -1);
}
