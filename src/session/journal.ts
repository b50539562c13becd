import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { describeFileError } from '../lib/paths.ts';
import { createStore, type Store } from '../lib/store.ts';
import { closeQuietly, syncFile, syncFolder } from '../lib/sync-file.ts';
import { UsageError } from '../types/errors.ts';
import type { DurableEvent } from '../types/events.ts';
import type { PendingCall } from './dangling-calls.ts';
import { encodeEntry } from './entries.ts';
import { rememberSummary } from './index.ts';
import { lockPath, logPath, workspaceFolder } from './location.ts';
import { createLock, type Lock, type ProcessTable } from './lock.ts';
import { replay } from './replay.ts';
import { isSaved, notWanted } from './saving.ts';
import { emptySummary, reduceSummary } from './summary.ts';

/** The session log, as the engine writes it. */
export type Journal = {
  /**
   * Adds one event. Events reach the file in the order of the calls. Resolves when the event is written, and with `sync` when it is on the
   * disk. Never rejects: a fault shows in `saving`, the event is kept in memory, and each later append tries again.
   */
  append(event: DurableEvent, options: { readonly sync: boolean }): Promise<void>;
  /** `saving`, or in words why not. */
  readonly saving: Store<string>;
  /** Writes what is left, and lets another program have the session. Safe to call twice. */
  close(): Promise<void>;
};

export type OpenedJournal = {
  readonly journal: Journal;
  /** Another one than was asked for when the session was forked. */
  readonly sessionId: string;
  readonly events: readonly DurableEvent[];
  /** When each of `events` was written, ms since the epoch. */
  readonly times: readonly number[];
  /** What the user should know about the log, as sentences. */
  readonly report: readonly string[];
  readonly pendingCalls: readonly PendingCall[];
};

export type JournalOptions = {
  /** The state folder. */
  readonly directory: string;
  readonly sessionId: string;
  /** Real path. */
  readonly workspace: string;
  readonly clock: Clock;
  /** fork: the log of `sessionId` is copied to a new session, and the copy is opened. A resume of a session in use becomes a fork. */
  readonly mode: 'new' | 'resume' | 'fork';
  readonly processes: ProcessTable;
};

/** The events of a session and when each of them happened, ms since the epoch. */
export type HeldEvents = { readonly events: readonly DurableEvent[]; readonly times: readonly number[] };

/** A journal that writes nothing, for `--no-session`. What was appended stays in memory, so that it can be exported. */
export function noJournal(clock: Clock): Journal & { held(): HeldEvents } {
  const events: DurableEvent[] = [];
  const times: number[] = [];
  return {
    async append(event) {
      events.push(event);
      times.push(clock.now());
    },
    saving: createStore<string>(notWanted),
    close: async () => {},
    held: () => ({ events, times }),
  };
}

/** Opens a log. Rejects only with a UsageError: when a session to resume cannot be read. */
export async function openJournal(options: JournalOptions): Promise<OpenedJournal> {
  const { directory, workspace, clock, processes, sessionId, mode } = options;
  const folder = workspaceFolder(directory, workspace);
  const problem = makePrivateFolders(folder);
  const lockOf = (id: string): Lock => createLock(lockPath(folder, id), { processes, clock });
  const writer = (id: string, lock: Lock, start: WriterStart): Journal => createWriter({ folder, id, clock, lock, start });
  if (mode === 'new') {
    const journal = writer(sessionId, lockOf(sessionId), { seq: 0, length: 0, backlog: [], problem, past: [] });
    return { journal, sessionId, events: [], times: [], report: [], pendingCalls: [] };
  }

  const lock = lockOf(sessionId);
  const taken = mode === 'fork' ? undefined : await lock.take();
  let log: Buffer;
  try {
    log = readFileSync(logPath(folder, sessionId));
  } catch (error) {
    await lock.release();
    throw new UsageError(`Session ${sessionId} cannot be read: ${describeFileError(error)}`);
  }
  const { events, times, report, pendingCalls, ...found } = replay(log);
  const past = events.map((event, index): Past => ({ event, at: times[index] ?? 0 }));
  const opened = { sessionId, events, times, report, pendingCalls };
  if (found.newer) {
    await lock.release();
    return { ...opened, journal: readOnlyJournal('Not being saved: another version of tilldone wrote this session.') };
  }
  if (mode === 'fork' || taken?.kind === 'held') {
    const id = clock.newId();
    const copy = past.map(({ event, at }): Past => ({ event: event.type === 'session-start' ? forked(event, id) : event, at }));
    const backlog = copy.map(({ event, at }, index) => encodeEntry(event, { seq: index + 1, at }));
    const journal = writer(id, lockOf(id), { seq: copy.length, length: 0, backlog, problem, past: copy });
    const why = taken?.kind === 'held' ? [`Session ${sessionId} is open in ${taken.by}; this is a copy of it, ${id}.`] : [];
    return { ...opened, journal, sessionId: id, events: copy.map(({ event }) => event), report: [...why, ...report] };
  }
  const results = events.slice(events.length - pendingCalls.length);
  const backlog = results.map((event, index) => encodeEntry(event, { seq: found.lastSeq + index + 1, at: clock.now() }));
  if (!found.terminated) backlog.unshift(Buffer.from('\n'));
  const journal = writer(sessionId, lock, {
    seq: found.lastSeq + results.length,
    length: found.length,
    backlog,
    problem: taken?.kind === 'failed' ? taken.problem : problem,
    past,
  });
  return { ...opened, journal };
}

function readOnlyJournal(why: string): Journal {
  return { append: async () => {}, saving: createStore(why), close: async () => {} };
}

function forked(event: Extract<DurableEvent, { type: 'session-start' }>, id: string): DurableEvent {
  return { ...event, sessionId: id, forkedFrom: event.sessionId };
}

/** Creates what is missing; undefined when all is there, else why not. */
function makePrivateFolders(folder: string): string | undefined {
  try {
    makeFolder(folder);
    return undefined;
  } catch (error) {
    return describeFileError(error);
  }
}

/** With mode 0700 at any umask, and the folders above it too (`recursive` of mkdir hides the true error of a read-only disk). */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT') throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}

type Past = { readonly event: DurableEvent; readonly at: number };
type WriterStart = {
  readonly seq: number;
  /** Bytes of the file that count; what follows is cut off before the first write. */
  readonly length: number;
  readonly backlog: readonly Buffer[];
  readonly problem: string | undefined;
  readonly past: readonly Past[];
};

/** A session in which nothing was said or named leaves no file; neither does a copy. */
const opensNoFile: ReadonlySet<DurableEvent['type']> = new Set(['session-start', 'model-change']);

function createWriter(options: { folder: string; id: string; clock: Clock; lock: Lock; start: WriterStart }): Journal {
  const { folder, id, clock, lock, start } = options;
  const path = logPath(folder, id);
  const saving = createStore<string>(start.problem === undefined ? isSaved : notSaving(start.problem));
  const unsaved: Buffer[] = start.backlog.length === 0 ? [] : [Buffer.concat(start.backlog)];
  let { seq, length } = start;
  let summary = start.past.reduce((result, { event, at }) => reduceSummary(result, event, at), emptySummary(id));
  /** Of the log; undefined while it is not open. */
  let file: number | undefined;
  let wanted = start.length > 0;
  let hasFolder = start.problem === undefined;
  /** The new file's name, on its way to the disk. */
  let named = Promise.resolve();
  let isOnDisk = true;
  let rememberedLength: number | undefined;
  let chain = Promise.resolve();
  let closed = false;

  /**
   * One write a line, at once: a line goes to the kernel in less time than a trip to the thread pool takes. A write that fails half-way is cut
   * off again before the next one.
   */
  const flush = async (sync: boolean): Promise<void> => {
    let done = 0;
    try {
      file ??= await openForAppend();
      for (let line = unsaved[done]; line !== undefined; line = unsaved[done]) {
        isOnDisk = false;
        for (let written = 0; written < line.length; ) written += writeSync(file, line, written);
        length += line.length;
        done += 1;
      }
      if (sync && !isOnDisk) {
        await Promise.all([syncFile(file), named]);
        isOnDisk = true;
      }
      saving.set(isSaved);
    } catch (error) {
      saving.set(notSaving(describeFileError(error)));
      closeFile();
    }
    unsaved.splice(0, done);
  };
  const openForAppend = async (): Promise<number> => {
    const problem = hasFolder ? undefined : makePrivateFolders(folder);
    hasFolder = false; // whatever fails from here on may have lost it
    if (problem !== undefined) throw new Error(problem);
    const holder = await lock.take();
    if (holder !== undefined) throw new Error(holder.kind === 'held' ? `the session is open in ${holder.by}` : holder.problem);
    const opened = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    try {
      const { mode, size } = fstatSync(opened);
      if ((mode & 0o777) !== 0o600) fchmodSync(opened, 0o600);
      if (size > length) ftruncateSync(opened, length);
      if (length === 0) named = syncFolder(folder);
      return opened;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  };
  const closeFile = (): void => {
    const open = file;
    file = undefined;
    if (open !== undefined) closeQuietly(open);
  };
  const remember = (): void => {
    if (file === undefined || rememberedLength === length) return;
    rememberedLength = length;
    rememberSummary(folder, { ...summary, size: length });
  };

  return {
    saving,
    append(event, { sync }) {
      if (closed) return chain;
      seq += 1;
      const at = clock.now();
      unsaved.push(encodeEntry(event, { seq, at }));
      summary = reduceSummary(summary, event, at);
      wanted ||= !opensNoFile.has(event.type);
      if (!wanted) return chain;
      chain = chain.then(() => flush(sync));
      if (event.type === 'prompt-end' || event.type === 'session-name') chain = chain.then(remember);
      return chain;
    },
    close() {
      if (closed) return chain;
      closed = true;
      chain = chain.then(async () => {
        if (wanted) await flush(true);
        remember();
        closeFile();
        await lock.release();
      });
      return chain;
    },
  };
}

function notSaving(why: string): string {
  return `Not being saved: ${why}. Work goes on; saving is tried again at each step.`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
