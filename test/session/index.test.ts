import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSession, listSessions, readSession } from '../../src/session/index.ts';
import { openJournal } from '../../src/session/journal.ts';
import { idOfFile, indexPath, isSessionId, logPath, workspaceFolder, workspaceKey } from '../../src/session/location.ts';
import { type DurableEvent, nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { encodeLog, sampleEvents } from './sample-log.ts';

const workspace = '/work/project';

async function store(ids: readonly string[], events: readonly DurableEvent[] = sampleEvents(1)) {
  const directory = await tempFolder();
  const folder = workspaceFolder(directory, workspace);
  await mkdir(folder, { recursive: true });
  for (const id of ids) await writeFile(logPath(folder, id), encodeLog(events));
  return { directory, folder };
}

describe('listSessions', () => {
  it('is empty where nothing was ever said', async () => {
    expect(await listSessions(await tempFolder(), workspace)).toEqual([]);
  });
  it('reads a log that the index does not know, and then knows it', async () => {
    const { directory, folder } = await store(['a']);
    const [summary] = await listSessions(directory, workspace);
    expect(summary).toEqual({
      id: 'a',
      name: undefined,
      updatedAt: 1_700_000_000_010,
      firstPrompt: 'Do the list all of it ✓ 漢字',
      openTodos: 2,
      total: 3,
    });
    expect(await readFile(indexPath(folder), 'utf8')).toContain('"id":"a"');
    await writeFile(logPath(folder, 'a'), Buffer.alloc((await stat(logPath(folder, 'a'))).size)); // same size: the index answers
    expect(await listSessions(directory, workspace)).toEqual([summary]);
  });
  it('reads a log again that has grown since', async () => {
    const { directory, folder } = await store(['a']);
    await listSessions(directory, workspace);
    const more = sampleEvents(1);
    await appendFile(logPath(folder, 'a'), encodeLog([{ type: 'session-name', ...nowhere, name: 'release' }], more.length + 1));
    expect(await listSessions(directory, workspace)).toMatchObject([{ id: 'a', name: 'release' }]);
  });
  it('does without a damaged index', async () => {
    const { directory, folder } = await store(['a', 'b']);
    await writeFile(indexPath(folder), 'rubbish\n{"id":"a"}\n\0\0');
    expect((await listSessions(directory, workspace)).map(({ id }) => id)).toEqual(['b', 'a']);
  });
  it('writes a grown index anew, with a line a session', async () => {
    const { directory, folder } = await store(['a', 'b']);
    await listSessions(directory, workspace);
    const lines = await readFile(indexPath(folder), 'utf8');
    await writeFile(indexPath(folder), lines.repeat(50));
    await listSessions(directory, workspace);
    expect((await readFile(indexPath(folder), 'utf8')).trimEnd().split('\n')).toHaveLength(2);
  });
  it('is told by the journal at the end of a prompt', async () => {
    const directory = await tempFolder();
    const clock = createFakeClock();
    const processes = { pid: 1, isRunning: () => true };
    const { journal } = await openJournal({ directory, sessionId: 'a', workspace, clock, mode: 'new', processes });
    for (const event of sampleEvents(1)) await journal.append(event, { sync: false });
    await journal.close();
    const folder = workspaceFolder(directory, workspace);
    const size = (await stat(logPath(folder, 'a'))).size;
    const last = (await readFile(indexPath(folder), 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ id: 'a', size, openTodos: 2, total: 3 });
  });
});

describe('findSession', () => {
  const ids = ['abc-1', 'abc-2', 'xyz-1'];
  it.each([
    ['latest', 'xyz-1'],
    ['abc-1', 'abc-1'],
    ['x', 'xyz-1'],
  ])('%s is %s', async (wanted, id) => {
    const { directory } = await store(ids);
    expect((await findSession(directory, workspace, wanted)).id).toBe(id);
  });
  it('takes a name', async () => {
    const { directory, folder } = await store(ids);
    await appendFile(logPath(folder, 'abc-2'), encodeLog([{ type: 'session-name', ...nowhere, name: 'release' }], 99));
    expect((await findSession(directory, workspace, 'release')).id).toBe('abc-2');
  });
  it.each([
    ['abc', "'abc' fits 2 sessions: abc-2, abc-1. Give more of the id."],
    ['q', "No session begins with 'q'; the latest is xyz-1."],
    ['../../etc/passwd', "No session begins with '../../etc/passwd'"],
  ])('%s is refused, and the error says what there is', async (wanted, message) => {
    const { directory } = await store(ids);
    await expect(findSession(directory, workspace, wanted)).rejects.toThrow(message);
  });
  it('names the folder of a session that belongs elsewhere', async () => {
    const { directory } = await store(ids);
    await expect(findSession(directory, '/other', 'xyz')).rejects.toThrow('Session xyz-1 belongs to /work/project.');
    await expect(findSession(directory, '/other', 'latest')).rejects.toThrow('There is no session for /other yet.');
  });
  it('reads a session without touching it', async () => {
    const { directory } = await store(ids);
    expect((await readSession(directory, workspace, 'abc-1')).events).toEqual(sampleEvents(1));
    await expect(readSession(directory, workspace, 'nope')).rejects.toThrow('Session nope cannot be read');
  });
});

describe('places', () => {
  it.each([
    ['/home/me/My App', /^my-app-[0-9a-f]{12}$/u],
    ['/', /^[0-9a-f]{12}$/u],
    ['/home/me/漢字', /^[0-9a-f]{12}$/u],
  ])('the folder of %s', (path, expected) => {
    expect(workspaceKey(path)).toMatch(expected);
  });
  it('is one per path', () => {
    expect(workspaceKey('/a/app')).not.toBe(workspaceKey('/b/app'));
  });
  it.each([
    ['abc-1', true],
    ['', false],
    ['../x', false],
    ['.hidden', false],
    ['a/b', false],
  ])('%j as an id: %s', (text, expected) => {
    expect(isSessionId(text)).toBe(expected);
  });
  it('knows logs by their ending', () => {
    expect(['a.jsonl', 'a.lock', 'index.cache'].map(idOfFile)).toEqual(['a', undefined, undefined]);
    expect(join('x', 'a.jsonl')).toBe(logPath('x', 'a'));
  });
});
