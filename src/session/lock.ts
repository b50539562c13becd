import { chmodSync, readFileSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import type { Clock } from '../lib/clock.ts';
import { describeFileError } from '../lib/paths.ts';
import { lazy } from '../types/lazy.ts';

/** Who holds a lock. `since` tells a process from a later one with the same number, where the system knows it. */
const lockOwnerSchema = lazy(() => z.object({ pid: z.number().int(), since: z.string().optional(), host: z.string() }));
type LockOwner = Readonly<z.infer<ReturnType<typeof lockOwnerSchema>>>;

/** This process, and whether another one runs; passed in, because only `lib/process` may ask the system. */
export type ProcessTable = {
  readonly pid: number;
  isRunning(pid: number): boolean;
};

/** Reads a lock file's text; undefined when it is damaged or was not finished. */
function parseLockOwner(text: string): LockOwner | undefined {
  try {
    return lockOwnerSchema().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Says that one process has a session; taken over when its owner is gone. */
export type Lock = {
  /** Undefined when this process holds it now. Never rejects. */
  take(): Promise<{ readonly kind: 'held'; readonly by: string } | { readonly kind: 'failed'; readonly problem: string } | undefined>;
  release(): Promise<void>;
};

const unfinishedLockMs = 10_000;

/** The lock in the file at `path`. */
export function createLock(path: string, options: { processes: ProcessTable; clock: Clock }): Lock {
  const { processes, clock } = options;
  let mine = false;

  const isHeld = async (owner: LockOwner | undefined): Promise<boolean> => {
    if (owner === undefined) return clock.now() - (await stat(path)).mtimeMs < unfinishedLockMs;
    if (owner.host !== placeName()) return true;
    if (!processes.isRunning(owner.pid)) return false;
    const since = startOf(owner.pid);
    return owner.since === undefined || since === undefined || owner.since === since;
  };
  // At once: these calls take less time than a trip to the thread pool, and every start makes them.
  const create = (): void => {
    const owner: LockOwner = { pid: processes.pid, since: startOf(processes.pid), host: placeName() };
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    mine = true;
    chmodSync(path, 0o600);
  };

  return {
    async take() {
      if (mine) return undefined;
      for (let tries = 0; tries < 5; tries += 1) {
        try {
          create();
          return undefined;
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') return { kind: 'failed', problem: describeFileError(error) };
        }
        try {
          const text = await readFile(path, 'utf8');
          const owner = parseLockOwner(text);
          if (await isHeld(owner))
            return { kind: 'held', by: owner === undefined ? 'another window' : `another window (process ${owner.pid})` };
          await removeStale(path, { stale: text, now: clock.now() });
        } catch (error) {
          if (codeOf(error) !== 'ENOENT') return { kind: 'failed', problem: describeFileError(error) };
        }
      }
      return { kind: 'held', by: 'another window' };
    },
    async release() {
      if (!mine) return;
      mine = false;
      try {
        unlinkSync(path);
      } catch {
        // it is gone, or its folder is
      }
    },
  };
}

/** Removes a stale lock. Only one process at a time may, so that none removes the lock that another has just taken. */
async function removeStale(path: string, { stale, now }: { stale: string; now: number }): Promise<void> {
  const right = `${path}.takeover`;
  try {
    await (await open(right, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (now - (await stat(right)).mtimeMs > unfinishedLockMs) await rm(right, { force: true });
    return;
  }
  try {
    if ((await readFile(path, 'utf8')) === stale) await rm(path);
  } finally {
    await rm(right, { force: true });
  }
}

/** Machine and process namespace: a process number means nothing outside them. */
function placeName(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // a system without /proc
  }
  return `${hostname()} ${namespace}`.trim();
}

/** When a process started, as the kernel counts it; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
