import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../../src/lib/clock.ts';
import { createStateFile, type StateFile } from '../../src/lib/state-file.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const parse = (json: unknown) => z.object({ count: z.number() }).safeParse(json).data;

async function open(): Promise<{ path: string; file: StateFile<{ count: number }> }> {
  const path = join(await tempFolder(), 'state', 'x.json');
  return { path, file: createStateFile({ path, parse, empty: { count: 0 }, clock: systemClock }) };
}

it('is empty at first, keeps what is written, and is for its owner only', async () => {
  const { path, file } = await open();
  expect(await file.read()).toEqual({ value: { count: 0 } });
  expect(await file.update(({ count }) => ({ count: count + 1 }))).toBeUndefined();
  expect(await file.read()).toEqual({ value: { count: 1 } });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('loses no change of several at once', async () => {
  const { path, file } = await open();
  const other = createStateFile({ path, parse, empty: { count: 0 }, clock: systemClock });
  const changes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? file : other).update(({ count }) => ({ count: count + 1 })));
  expect(await Promise.all(changes)).toEqual(Array.from({ length: 10 }, () => undefined));
  expect(await file.read()).toEqual({ value: { count: 10 } });
});

it.each([
  ['{"count": "x"}', 'does not hold what this version knows'],
  ['{"count": 1', 'is no valid JSON'],
])('leaves %s as it is', async (content, problem) => {
  const { path, file } = await open();
  await mkdir(join(path, '..'));
  await writeFile(path, content);
  expect((await file.read()).problem).toContain(problem);
  expect(await file.update(() => ({ count: 1 }))).toContain(problem);
  expect(await readFile(path, 'utf8')).toBe(content);
});

it.each<[string, (path: string) => unknown, string]>([
  ['a pipe, without waiting for a writer', (path) => execFileSync('mkfifo', [path]), 'it is no regular file'],
  ['a folder', (path) => mkdir(path), 'it is no regular file'],
])('does not read %s', async (_, make, problem) => {
  const { path, file } = await open();
  await mkdir(join(path, '..'));
  await make(path);
  expect(file.read()).toEqual({ value: { count: 0 }, problem: `Cannot read ${path}: ${problem}` });
  expect(await file.update(() => ({ count: 1 }))).toContain(problem);
});

it('takes over a lock that a crash left behind', async () => {
  const { path, file } = await open();
  await mkdir(join(path, '..'));
  await writeFile(`${path}.lock`, '');
  const old = new Date(systemClock.now() - 60_000);
  await utimes(`${path}.lock`, old, old);
  expect(await file.update(() => ({ count: 1 }))).toBeUndefined();
});

it('says when it cannot write', async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, 'file'), '');
  const file = createStateFile({ path: join(folder, 'file', 'x.json'), parse, empty: { count: 0 }, clock: systemClock });
  expect(await file.update(() => ({ count: 1 }))).toContain('Cannot write');
});
