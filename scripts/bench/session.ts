import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldEvents } from '../../src/core/session-state.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { listSessions } from '../../src/session/index.ts';
import { openJournal } from '../../src/session/journal.ts';
import { logPath, workspaceFolder } from '../../src/session/location.ts';
import { replay } from '../../src/session/replay.ts';
import { encodeLog, sampleEvents } from '../../test/session/sample-log.ts';
import type { BenchTools, Row } from './tools.js';

const workspace = '/work/project';
const eventCount = 200_000;
const sessionCount = 10_000;

/** Resume of a long log, list of many sessions, and the price of one append. */
export async function measure(tools: BenchTools): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tilldone-bench-'));
  const folder = workspaceFolder(directory, workspace);
  mkdirSync(folder, { recursive: true });
  try {
    return [...resumeRows(folder, tools), ...(await listRows(directory, folder, tools)), await appendRow(directory, tools)];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function resumeRows(folder: string, { row }: BenchTools): readonly Row[] {
  const path = logPath(folder, 'long');
  // prompts of a hundred turns each, as long work is made of
  const prompt = sampleEvents(100, 60);
  writeFileSync(path, encodeLog(Array.from({ length: Math.ceil(eventCount / prompt.length) }, () => prompt).flat()));
  const { ms: readMs } = timed(() => readFileSync(path));
  const log = readFileSync(path);
  const { ms: replayMs, cpuMs: replayCpuMs } = timed(() => replay(log));
  const { events } = replay(log);
  const { ms: foldMs, cpuMs: foldCpuMs } = timed(() => foldEvents(events));
  rmSync(path);
  const megabytes = (log.length / 1e6).toFixed(0);
  return [
    row(`replay of ${events.length} events (${megabytes} MB)`, replayMs + readMs, { unit: 'ms', limit: 2000, note: cpuNote(replayCpuMs) }),
    row('  as a ratio to reading the bytes', (replayMs + readMs) / readMs, { unit: '×' }),
    row('folding them into the state of a session', foldMs, { unit: 'ms' }),
    row('  together: resume', replayMs + readMs + foldMs, { unit: 'ms', limit: 2000, note: cpuNote(replayCpuMs + foldCpuMs) }),
  ];
}

async function listRows(directory: string, folder: string, { row }: BenchTools): Promise<readonly Row[]> {
  const log = encodeLog(sampleEvents(2));
  for (let index = 0; index < sessionCount; index += 1) writeFileSync(logPath(folder, `s-${index}`), log);
  const { ms: coldMs, cpuMs: coldCpuMs } = await timedAsync(() => listSessions(directory, workspace));
  const { ms: warmMs, cpuMs: warmCpuMs } = await timedAsync(() => listSessions(directory, workspace));
  const { ms: readMs } = timed(() => {
    for (let index = 0; index < sessionCount; index += 1) readFileSync(logPath(folder, `s-${index}`));
  });
  return [
    row(`list of ${sessionCount} sessions`, warmMs, { unit: 'ms', limit: 300, note: cpuNote(warmCpuMs) }),
    row('  as a ratio to reading their bytes', warmMs / readMs, { unit: '×', target: 0.5 }),
    row('  without an index', coldMs, { unit: 'ms', note: cpuNote(coldCpuMs) }),
  ];
}

async function appendRow(directory: string, { row }: BenchTools): Promise<Row> {
  const processes = { pid: process.pid, isRunning: () => true };
  const { journal } = await openJournal({ directory, sessionId: 'append', workspace, clock: systemClock, mode: 'new', processes });
  const events = sampleEvents(200);
  const { ms } = await timedAsync(async () => {
    for (const event of events) await journal.append(event, { sync: false });
  });
  await journal.close();
  return row('append of one event, without fsync', (ms / events.length) * 1000, { unit: 'µs' });
}

type Spent = { readonly ms: number; readonly cpuMs: number };

function timed(work: () => unknown): Spent {
  const spent = stopwatch();
  work();
  return spent();
}

async function timedAsync(work: () => Promise<unknown>): Promise<Spent> {
  const spent = stopwatch();
  await work();
  return spent();
}

function stopwatch(): () => Spent {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
  };
}

/** On a machine that has other things to do the time of the processor says more. */
function cpuNote(cpuMs: number): string {
  return `${cpuMs.toFixed(0)} ms of processor time`;
}
