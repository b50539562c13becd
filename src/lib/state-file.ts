import { mkdir, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../types/errors.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { Clock } from './clock.ts';
import { readSmallFile } from './small-file.ts';

/** A small file of our own that several instances share: parsed, locked while it is changed, replaced in one step, mode 0600. */
export type StateFile<Value> = {
  /** The value; the empty one with `problem` when the file is there and cannot be used. Never throws. At once: every start reads a few. */
  read(): { readonly value: Value; readonly problem?: string };
  /** Reads, changes and writes under a lock. Undefined when done, else why not; a file that cannot be used is never overwritten. */
  update(change: (value: Value) => Value): Promise<string | undefined>;
};

/** A lock that is older than this was left behind by a crash. */
const staleLockMs = 10_000;
const lockWaitMs = 50;
const lockTries = 60;

export type StateFileOptions<Value> = {
  readonly path: string;
  /** The value that the file's JSON is; undefined when it is none that this version knows. */
  readonly parse: (json: unknown) => Value | undefined;
  readonly empty: Value;
  readonly clock: Clock;
};

export function createStateFile<Value>({ path, parse, empty, clock }: StateFileOptions<Value>): StateFile<Value> {
  const read = (): { value: Value; problem?: string } => {
    const file = readSmallFile(path);
    if (file === undefined) return { value: empty };
    if ('problem' in file) return { value: empty, problem: `Cannot read ${path}: ${file.problem}` };
    try {
      const value = parse(JSON.parse(file.text));
      return value !== undefined
        ? { value }
        : { value: empty, problem: `${path} does not hold what this version knows; it is left as it is.` };
    } catch {
      return { value: empty, problem: `${path} is no valid JSON; it is left as it is.` };
    }
  };
  return {
    read,
    update: (change) =>
      updateLocked(path, clock, async () => {
        const { value, problem } = read();
        return problem === undefined ? { text: `${JSON.stringify(change(value), undefined, 2)}\n` } : { problem };
      }),
  };
}

/** Replaces a small file in one step while no other instance changes it. Undefined when done, else why not. Never throws. */
export async function updateLocked(
  path: string,
  clock: Clock,
  change: () => Promise<{ readonly text: string } | { readonly problem: string }>,
): Promise<string | undefined> {
  const lock = `${path}.lock`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (!(await takeLock(lock, clock))) return `${path} is locked by another instance (${lock}).`;
    try {
      const changed = await change();
      if ('problem' in changed) return changed.problem;
      await writeFileAtomically(path, changed.text, { tempName: `.${clock.newId()}.tmp`, mode: 0o600 });
      return undefined;
    } finally {
      await unlink(lock).catch(() => {});
    }
  } catch (error) {
    return `Cannot write ${path}: ${messageOf(error)}`;
  }
}

async function takeLock(lock: string, clock: Clock): Promise<boolean> {
  for (let attempt = 0; attempt < lockTries; attempt += 1) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const made = await stat(lock).catch(() => undefined);
    if (made !== undefined && clock.now() - made.mtimeMs > staleLockMs) await unlink(lock).catch(() => {});
    else await clock.sleep(lockWaitMs);
  }
  return false;
}
