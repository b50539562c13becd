import { type BigIntStats, constants, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Identity, type OpenFolder, openExactly, openFolder, openFolderCreating, sameIdentity } from '../lib/atomic-file.ts';
import { describeFileError, displayPath, isInside, resolveRealPath } from '../lib/paths.ts';
import { formatBytes } from '../lib/text.ts';

/** Largest file that a tool reads or changes, in bytes. */
export const maxFileBytes = 32 * 1024 * 1024;

/** What a path stood for when the call was prepared: the thing that is approved, and the only thing that `run` opens. */
export type Target = {
  readonly wanted: string;
  /** Real path. */
  readonly path: string;
  /** For people and models: relative inside the workspace. */
  readonly shown: string;
  /** Segments at the end that do not exist yet. */
  readonly missing: readonly string[];
  readonly kind: 'file' | 'folder' | 'missing';
  readonly identity: Identity | undefined;
  readonly bytes: number;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
};

/** Files up to this size, in bytes, are read with one call. */
const maxReadAtOnce = 256 * 1024;

export type Refusal = { readonly error: string };

function kindOf(stats: BigIntStats): 'file' | 'folder' | 'other' {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

/** Resolves a path and looks at what is there. Only regular files and folders pass. */
export async function inspectTarget(wanted: string, cwd: string): Promise<Target | Refusal> {
  const real = await resolveRealPath(wanted, cwd);
  if ('error' in real) return real;
  // files of /proc show the memory and environment of processes, ours among them
  if (isInside(real.path, '/proc')) return { error: `'${real.path}' is no regular file; /proc is not opened` };
  const shown = displayPath(real.path, cwd);
  const base = { wanted, path: real.path, shown, missing: real.missing };
  const absent: Target = { ...base, kind: 'missing', identity: undefined, bytes: 0, mode: 0, owner: undefined };
  if (real.missing.length > 0) return absent;
  try {
    const stats = await lstat(real.path, { bigint: true });
    const kind = kindOf(stats);
    if (kind === 'other') return { error: `'${shown}' is no regular file (a device, pipe or socket); only regular files are opened` };
    const identity = { dev: stats.dev, ino: stats.ino };
    const owner = { uid: Number(stats.uid), gid: Number(stats.gid) };
    return { ...base, kind, identity, bytes: Number(stats.size), mode: Number(stats.mode) & 0o7777, owner };
  } catch (error) {
    return { error: `Cannot look at '${shown}': ${describeFileError(error)}` };
  }
}

async function openSame(target: Target, flags: number): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  const handle = await openExactly(target.path, flags);
  try {
    // what is open is known to the kernel: no trip to the thread pool
    const stats = fstatSync(handle.fd, { bigint: true });
    if (target.identity === undefined || !sameIdentity(stats, target.identity))
      throw new Error('it was exchanged for another in the meantime');
    return { handle, size: Number(stats.size) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The bytes of the file that `target` stood for. */
export async function readTarget(target: Target): Promise<{ readonly bytes: Buffer } | Refusal> {
  if (target.bytes > maxFileBytes) {
    return {
      error: `'${target.shown}' has ${formatBytes(target.bytes)}; files up to ${formatBytes(maxFileBytes)} are read. Use grep, or shell with sed -n`,
    };
  }
  try {
    const { handle, size } = await openSame(target, constants.O_RDONLY);
    try {
      const bytes = await readWhole(handle, size);
      if (bytes.length > maxFileBytes) return { error: `'${target.shown}' grew to ${formatBytes(bytes.length)} while it was read` };
      return { bytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { error: `Cannot read '${target.shown}': ${describeFileError(error)}` };
  }
}

/** All bytes of a file that has `size` of them, or had; most files are small, and one read brings them. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  if (size === 0 || size > maxReadAtOnce) return handle.readFile();
  const buffer = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  // a file that grew, or came in pieces, is read again as a whole
  return bytesRead === size ? buffer.subarray(0, size) : handle.readFile();
}

/** Opens the folder that `target` stood for. The caller closes it. */
export async function openTargetFolder(target: Target): Promise<OpenFolder | Refusal> {
  try {
    const folder = await openFolder(target.path);
    const stats = await folder.handle.stat({ bigint: true });
    if (target.identity !== undefined && sameIdentity(stats, target.identity)) return folder;
    await folder.handle.close();
    return { error: `Cannot open '${target.shown}': it was exchanged for another in the meantime` };
  } catch (error) {
    return { error: `Cannot open '${target.shown}': ${describeFileError(error)}` };
  }
}

/** Opens the folder that holds, or will hold, the file `target`, making it when missing. Throws; the caller closes it. */
export async function openParentFolder(target: Target): Promise<OpenFolder> {
  const missing = target.missing.slice(0, -1);
  let existing = dirname(target.path);
  for (const _segment of missing) existing = dirname(existing);
  return openFolderCreating(existing, missing);
}

/** Checks, in the opened folder, that the name still stands for what was approved: the same file, or still nothing. */
export async function checkUnchanged(folder: OpenFolder, target: Target): Promise<void> {
  const stats = await lstat(folder.at(basename(target.path)), { bigint: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (target.identity === undefined) {
    if (stats !== undefined) throw new Error('something of that name was made in the meantime');
  } else if (stats === undefined || !sameIdentity(stats, target.identity)) {
    throw new Error('it was exchanged for another in the meantime');
  }
}
