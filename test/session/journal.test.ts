import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type JournalOptions, noJournal, type OpenedJournal, openJournal } from '../../src/session/journal.ts';
import { logPath, workspaceFolder } from '../../src/session/location.ts';
import type { ProcessTable } from '../../src/session/lock.ts';
import { replay } from '../../src/session/replay.ts';
import { type DurableEvent, nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { encodeLog, sampleEvents, seed } from './sample-log.ts';

const workspace = '/work/project';
const events = sampleEvents(3);
const prompt = (text: string): DurableEvent => ({ type: 'user-message', ...nowhere, kind: 'prompt', text, promptId: text });

async function workbench() {
  const directory = join(await tempFolder(), 'state');
  const clock = createFakeClock();
  const running = new Set([1, 2]);
  const table = (pid: number): ProcessTable => ({ pid, isRunning: (other) => running.has(other) });
  const opened: OpenedJournal[] = [];
  onTestFinished(async () => {
    for (const { journal } of opened) await journal.close();
  });
  const open = async (mode: JournalOptions['mode'], pid = 1, sessionId = 's-1'): Promise<OpenedJournal> => {
    const one = await openJournal({ directory, sessionId, workspace, clock, mode, processes: table(pid) });
    opened.push(one);
    return one;
  };
  const folder = workspaceFolder(directory, workspace);
  return { directory, folder, path: logPath(folder, 's-1'), clock, running, open, read: () => readFile(logPath(folder, 's-1')) };
}

async function write({ journal }: OpenedJournal, list: readonly DurableEvent[]): Promise<void> {
  for (const event of list) await journal.append(event, { sync: event.type === 'tool-result' });
}

describe('a new log', () => {
  it('gives back on resume what was appended', async () => {
    const bench = await workbench();
    const first = await bench.open('new');
    await write(first, events);
    expect(first.journal.saving.get()).toBe('saving');
    await first.journal.close();
    const second = await bench.open('resume');
    expect(second).toMatchObject({ sessionId: 's-1', events, report: [], pendingCalls: [] });
    await second.journal.append(prompt('more'), { sync: true });
    await second.journal.close();
    expect(replay(await bench.read()).events).toEqual([...events, prompt('more')]);
  });
  it('keeps the order of appends that nobody awaited', async () => {
    const bench = await workbench();
    const { journal } = await bench.open('new');
    const many = Array.from({ length: 300 }, (_, index) => prompt(`prompt ${index}`));
    for (const event of many) void journal.append(event, { sync: false });
    await journal.close();
    expect(replay(await bench.read()).events).toEqual(many);
  });
  it('leaves no file when nothing was said', async () => {
    const bench = await workbench();
    const { journal } = await bench.open('new');
    await journal.append(events[0] ?? prompt(''), { sync: true });
    await journal.close();
    expect(await readdir(bench.folder)).toEqual([]);
  });
  it('is private at any umask: files 0600, folders 0700', async () => {
    const bench = await workbench();
    const before = process.umask(0o777);
    try {
      const opened = await bench.open('new');
      await write(opened, events);
      for (const [path, mode] of [
        [bench.directory, 0o700],
        [bench.folder, 0o700],
        [bench.path, 0o600],
        [join(bench.folder, 's-1.lock'), 0o600],
      ] as const)
        expect.soft((await stat(path)).mode & 0o777).toBe(mode);
      await opened.journal.close();
      expect((await stat(join(bench.folder, 'index.cache'))).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });
  it('writes nothing with --no-session, and says so', async () => {
    const journal = noJournal(createFakeClock());
    await journal.append(prompt('x'), { sync: true });
    expect(journal.saving.get()).toBe('Not being saved: --no-session.');
  });
});

describe('resume after a crash', () => {
  it('cuts off a torn tail before it writes again', async () => {
    const bench = await workbench();
    const first = await bench.open('new');
    await write(first, events);
    await truncate(bench.path, (await stat(bench.path)).size - 5);
    bench.running.delete(1);
    const second = await bench.open('resume', 2);
    expect(second.report).toEqual([expect.stringContaining('cut off')]);
    expect(second.events).toEqual(events.slice(0, -1));
    await second.journal.append(prompt('more'), { sync: true });
    await second.journal.close();
    expect(replay(await bench.read())).toMatchObject({ events: [...events.slice(0, -1), prompt('more')], report: [] });
  });
  it('completes a last line that lacks its line feed', async () => {
    const bench = await workbench();
    await write(await bench.open('new'), events);
    await truncate(bench.path, (await stat(bench.path)).size - 1);
    bench.running.delete(1);
    const second = await bench.open('resume', 2);
    await second.journal.append(prompt('more'), { sync: true });
    expect(replay(await bench.read())).toMatchObject({ events: [...events, prompt('more')], report: [] });
  });
  it('writes the synthetic results of open calls, once', async () => {
    const bench = await workbench();
    const cut = events.slice(0, events.findIndex((event) => event.type === 'tool-start') + 1);
    await write(await bench.open('new'), cut);
    bench.running.delete(1);
    const second = await bench.open('resume', 2);
    expect(second.pendingCalls).toHaveLength(1);
    await second.journal.append(prompt('more'), { sync: true });
    await second.journal.close();
    const third = await bench.open('resume', 2);
    expect(third.events).toEqual([...second.events, prompt('more')]);
    expect(third.pendingCalls).toEqual([]);
  });
  it('survives a cut at 100 points of a real file', { timeout: 60_000 }, async () => {
    const bench = await workbench();
    const log = encodeLog(events);
    await (await bench.open('new')).journal.close();
    const clock = createFakeClock(0, seed);
    for (let round = 0; round < 100; round += 1) {
      const length = Math.floor(clock.random() * log.length);
      await writeFile(bench.path, log.subarray(0, length));
      const opened = await bench.open('resume');
      await opened.journal.append(prompt('more'), { sync: false });
      await opened.journal.close();
      const again = replay(await bench.read());
      expect(again.report).toEqual([]);
      expect(again.events).toEqual([...opened.events, prompt('more')]);
    }
  });
  it('refuses a session that is not there, with its name', async () => {
    const bench = await workbench();
    await expect(bench.open('resume', 1, 'nope')).rejects.toThrow('Session nope cannot be read: no such file or folder');
    expect(await readdir(bench.folder)).toEqual([]);
  });
  it('never writes to the log of a newer version', async () => {
    const bench = await workbench();
    await (await bench.open('new')).journal.close();
    const unknown = { type: 'hologram', ...nowhere } as unknown as DurableEvent; // what a newer version may write
    const log = encodeLog([...events, unknown]);
    await writeFile(bench.path, log);
    const { journal } = await bench.open('resume');
    await journal.append(prompt('more'), { sync: true });
    await journal.close();
    expect(journal.saving.get()).toMatch(/^Not being saved: another version/u);
    expect(await bench.read()).toEqual(log);
  });
});

describe('two instances on one session', () => {
  it('the second continues in a copy, and nothing is lost', async () => {
    const bench = await workbench();
    const first = await bench.open('new', 1);
    await write(first, events);
    const second = await bench.open('resume', 2);
    expect(second.sessionId).not.toBe('s-1');
    expect(second.report[0]).toBe(`Session s-1 is open in another window (process 1); this is a copy of it, ${second.sessionId}.`);
    await Promise.all([first.journal.append(prompt('first'), { sync: true }), second.journal.append(prompt('second'), { sync: true })]);
    await Promise.all([first.journal.close(), second.journal.close()]);
    expect(replay(await bench.read()).events).toEqual([...events, prompt('first')]);
    const copy = replay(await readFile(logPath(bench.folder, second.sessionId)));
    expect(copy.report).toEqual([]);
    expect(copy.events).toEqual([{ ...events[0], sessionId: second.sessionId, forkedFrom: 's-1' }, ...events.slice(1), prompt('second')]);
  });
  it('a copy in which nothing was said leaves no file', async () => {
    const bench = await workbench();
    const first = await bench.open('new', 1);
    await write(first, events);
    const second = await bench.open('resume', 2);
    await second.journal.close();
    expect((await readdir(bench.folder)).filter((name) => name.endsWith('.jsonl'))).toEqual(['s-1.jsonl']);
  });
  it('a fork leaves the original alone and free', async () => {
    const bench = await workbench();
    const first = await bench.open('new', 1);
    await write(first, events);
    await first.journal.close();
    const before = await bench.read();
    const fork = await bench.open('fork', 2);
    await fork.journal.append(prompt('other way'), { sync: true });
    expect((await bench.open('resume', 1)).sessionId).toBe('s-1');
    expect(await bench.read()).toEqual(before);
  });
  it.each([
    ['after a clean end', true],
    ['after a crash', false],
  ])('eight at once %s: one gets it, seven get a copy each', async (_name, clean) => {
    const bench = await workbench();
    const first = await bench.open('new', 1);
    await write(first, events);
    if (clean) await first.journal.close();
    else bench.running.delete(1);
    for (let pid = 10; pid < 18; pid += 1) bench.running.add(pid);
    const opened = await Promise.all(Array.from({ length: 8 }, (_, index) => bench.open('resume', 10 + index)));
    await Promise.all(opened.map(({ journal }, index) => journal.append(prompt(`from ${index}`), { sync: true })));
    expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(8);
    expect(opened.filter(({ sessionId }) => sessionId === 's-1')).toHaveLength(1);
    for (const { sessionId } of opened) {
      const { events: kept, report } = replay(await readFile(logPath(bench.folder, sessionId)));
      expect(kept).toHaveLength(events.length + 1);
      expect(report).toEqual([]);
    }
  });
  it.each<[string, (pid: number, started: string) => string, boolean]>([
    ['held: a running process', (pid, since) => JSON.stringify({ pid, since, host: '' }), true],
    ['stale: the process is gone', () => JSON.stringify({ pid: 999_999, host: '' }), false],
    ['stale: the number was given to a later process', (pid) => JSON.stringify({ pid, since: '1', host: '' }), false],
    ['held: another machine or namespace, where nobody can tell', (pid) => JSON.stringify({ pid, host: 'elsewhere' }), true],
    ['stale: never finished, and old', () => '', false],
  ])('%s', async (_name, textOf, held) => {
    const bench = await workbench();
    const first = await bench.open('new', 1);
    await write(first, events);
    await first.journal.close();
    const own = await readFile(`/proc/${process.pid}/stat`, 'utf8').catch(() => '');
    const since = own.slice(own.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    const owner = textOf(process.pid, since);
    const opened1 = await bench.open('resume', process.pid);
    const real = JSON.parse(await readFile(join(bench.folder, 's-1.lock'), 'utf8')) as { host: string };
    await opened1.journal.close();
    expect(real.host).toContain(hostname());
    await writeFile(join(bench.folder, 's-1.lock'), owner.replace('"host":""', `"host":${JSON.stringify(real.host)}`));
    bench.running.add(process.pid);
    await bench.clock.advance(1e12);
    expect((await bench.open('resume', 2)).sessionId === 's-1').toBe(!held);
  });
});

describe('a disk that does not take it', () => {
  it('goes on, says so, and writes what was kept when it can again', async () => {
    const bench = await workbench();
    const { journal } = await bench.open('new');
    await mkdir(bench.path);
    await journal.append(prompt('one'), { sync: true });
    expect(journal.saving.get()).toMatch(/^Not being saved: it is a folder\. Work goes on/u);
    await journal.append(prompt('two'), { sync: true });
    await rm(bench.path, { recursive: true });
    await journal.append(prompt('three'), { sync: true });
    expect(journal.saving.get()).toBe('saving');
    expect(replay(await bench.read()).events).toEqual([prompt('one'), prompt('two'), prompt('three')]);
    await journal.close();
  });
  it('says so from the start when the state folder cannot be made', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'file'), '');
    const { journal } = await openJournal({
      directory: join(folder, 'file', 'state'),
      sessionId: 's-1',
      workspace,
      clock: createFakeClock(),
      mode: 'new',
      processes: { pid: 1, isRunning: () => false },
    });
    expect(journal.saving.get()).toMatch(/^Not being saved: a part of the path is a file/u);
    await journal.append(prompt('one'), { sync: true });
    await journal.close();
  });
});
