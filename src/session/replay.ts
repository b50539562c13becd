import { linesOf } from '../lib/jsonl.ts';
import { type DurableEvent, durableEventSchema } from '../types/events.ts';
import { lazy } from '../types/lazy.ts';
import { closeDanglingCalls, type PendingCall } from './dangling-calls.ts';
import { decodeEntry, type Entry, entryMark, logVersion } from './entries.ts';
import { quickCheck } from './quick-check.ts';

export type Replay = {
  /** Validated, in order, each once; with a synthetic result for every call that has none. */
  readonly events: readonly DurableEvent[];
  /** When each event was written, ms since the epoch. */
  readonly times: readonly number[];
  /** What is not as it should be, as sentences for the user. */
  readonly report: readonly string[];
  /** Calls that were open when the log ends; their synthetic results are the last of `events`. */
  readonly pendingCalls: readonly PendingCall[];
  /** Highest sequence number seen; 0 for an empty log. */
  readonly lastSeq: number;
  /** Bytes up to the end of the last line that counts; what follows is a torn tail. */
  readonly length: number;
  /** The last line that counts has its line feed. */
  readonly terminated: boolean;
  /** A newer program wrote to this log: it must not be continued by this one. */
  readonly newer: boolean;
};

/** Reads a session log. Never throws: what is damaged is left out and named. */
export function replay(log: Buffer | string): Replay {
  const bytes = typeof log === 'string' ? Buffer.from(log) : log;
  const events: DurableEvent[] = [];
  const times: number[] = [];
  let unknown = 0;
  const scan = scanEntries(bytes, (entry) => {
    const event = entry.version > logVersion ? undefined : parseEvent(entry);
    if (event === undefined) unknown += 1;
    else {
      events.push(event);
      times.push(entry.at);
    }
  });
  const closed = closeDanglingCalls(events, times);
  return {
    events: closed.events,
    times: closed.times,
    pendingCalls: closed.pendingCalls,
    lastSeq: scan.lastSeq,
    length: scan.length,
    terminated: scan.terminated,
    newer: unknown > 0,
    report: [...describeDamage(scan), ...describeUnknown(unknown), ...closed.report],
  };
}

/** What a reader of raw lines needs to know; shared by the replay and the session list. */
export type Scan = {
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly repeated: number;
  /** Damaged lines after the last good one. */
  readonly damagedAtEnd: number;
  readonly tornBytes: number;
  readonly lastSeq: number;
  readonly length: number;
  readonly terminated: boolean;
};

/** Gives the lines whose checksums hold to `onEntry`, in order, each sequence number once. */
export function scanEntries(log: Buffer, onEntry: (entry: Entry) => void): Scan {
  const gaps: { from: number; to: number }[] = [];
  let repeated = 0;
  let damaged = 0;
  let lastSeq = 0;
  let length = 0;
  let terminated = true;
  for (const line of linesOf(log)) {
    const found = readLine(line.bytes, line.terminated);
    if (found.length === 0) {
      if (line.terminated) {
        damaged += 1;
        length = line.end;
      }
      continue;
    }
    for (const entry of found) {
      if (entry.seq <= lastSeq) {
        repeated += 1;
        continue;
      }
      if (entry.seq > lastSeq + 1) gaps.push({ from: lastSeq + 1, to: entry.seq - 1 });
      lastSeq = entry.seq;
      damaged = 0;
      onEntry(entry);
    }
    length = line.end;
    terminated = line.terminated;
  }
  return { gaps, repeated, damagedAtEnd: damaged, tornBytes: log.length - length, lastSeq, length, terminated };
}

/** The entries of a line: one, or none, or both neighbours of a damaged line feed. */
function readLine(bytes: Buffer, terminated: boolean): readonly Entry[] {
  const whole = decodeEntry(bytes);
  if (whole !== undefined) return [whole];
  if (!terminated) {
    const withoutLast = decodeEntry(bytes.subarray(0, -1));
    if (withoutLast !== undefined) return [withoutLast];
  }
  for (let at = bytes.indexOf(entryMark, 1); at > 0; at = bytes.indexOf(entryMark, at + 1)) {
    const second = decodeEntry(bytes.subarray(at));
    const first = second && decodeEntry(bytes.subarray(0, at - 1));
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return [];
}

/** Most events are just as they were written, and a long log has hundreds of thousands. */
const quickDurableCheck = lazy(() => quickCheck(durableEventSchema()));

function parseEvent(entry: Entry): DurableEvent | undefined {
  try {
    const value: unknown = JSON.parse(entry.json.toString('utf8'));
    const isDurableEvent = quickDurableCheck();
    return isDurableEvent(value) ? value : durableEventSchema().safeParse(value).data;
  } catch {
    return undefined;
  }
}

const mostGapsNamed = 5;

function describeDamage(scan: Scan): readonly string[] {
  const report = scan.gaps
    .slice(0, mostGapsNamed)
    .map(({ from, to }) =>
      from === to
        ? `Entry ${from} of the session log is damaged or missing.`
        : `Entries ${from} to ${to} of the session log are damaged or missing.`,
    );
  if (scan.gaps.length > mostGapsNamed) report.push(`${scan.gaps.length - mostGapsNamed} more places of the session log are damaged.`);
  if (scan.damagedAtEnd > 0) report.push(`The last ${count(scan.damagedAtEnd, 'line')} of the session log cannot be read.`);
  if (scan.repeated > 0) report.push(`${count(scan.repeated, 'entry', 'entries')} of the session log came twice and counted once.`);
  if (scan.tornBytes > 0) report.push(`The last line of the session log was cut off (${count(scan.tornBytes, 'byte')}) and dropped.`);
  return report;
}

function describeUnknown(unknown: number): readonly string[] {
  if (unknown === 0) return [];
  return [`${count(unknown, 'entry', 'entries')} of the session log came from another version of tilldone; the session opens read-only.`];
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
