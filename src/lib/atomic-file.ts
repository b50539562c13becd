import { constants, readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Which file an open handle or a name stands for. */
export type Identity = { readonly dev: bigint; readonly ino: bigint };

export function sameIdentity(left: Identity, right: Identity): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

/** The path at which an open file really lies, from the kernel; undefined where the system does not tell. */
function pathOfHandle(handle: FileHandle): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`); // the kernel knows it: no disk is asked
  } catch {
    return undefined;
  }
}

/**
 * Opens what lies at a real path and nothing else: the last name must be no link, and the opened file must lie at that very path, so
 * that a folder exchanged for a link in the meantime is noticed. Throws when it is another.
 */
export async function openExactly(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = pathOfHandle(handle) ?? (await realpath(path));
    if (found !== path) throw new Error(`it changed in the meantime: '${path}' now leads to '${found}'`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A folder held open, so that names in it stay in it whatever happens to its path. */
export type OpenFolder = {
  readonly path: string;
  readonly handle: FileHandle;
  /** A path of `name` in this very folder. */
  at(name: string): string;
};

/** Whether the system gives open files a path of their own; asked once. */
let hasHandlePaths: boolean | undefined;

async function toOpenFolder(path: string, handle: FileHandle): Promise<OpenFolder> {
  // Linux: through the handle, immune to links put in its place; elsewhere by path, which was verified a moment ago
  hasHandlePaths ??= pathOfHandle(handle) !== undefined;
  const base = hasHandlePaths ? `/proc/self/fd/${handle.fd}` : path;
  return { path, handle, at: (name) => join(base, name) };
}

/** Opens the folder at a real path. Throws when the path is no folder or leads elsewhere by now. */
export async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await openExactly(path, constants.O_RDONLY | constants.O_DIRECTORY);
  return toOpenFolder(path, handle);
}

/** Opens the folder `existing` and in it, one after the other, the folders of `missing`, made where they are not there. */
export async function openFolderCreating(existing: string, missing: readonly string[]): Promise<OpenFolder> {
  let folder = await openFolder(existing);
  for (const name of missing) {
    const parent = folder;
    try {
      await mkdir(parent.at(name)).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      });
      const handle = await open(parent.at(name), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      folder = await toOpenFolder(join(parent.path, name), handle);
    } finally {
      await parent.handle.close();
    }
  }
  return folder;
}

export type ReplaceOptions = {
  /** Unique in the folder; a crash may leave it behind. */
  readonly tempName: string;
  /** Permission bits of the result, at any umask; 0666 less the umask when absent. */
  readonly mode?: number;
  /** Owner to keep, where the system lets us. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Looked at once more before the old file is replaced. */
  readonly signal?: AbortSignal;
};

/**
 * Puts `data` in place of the file `name` in one step: temp file in the same folder, fsync, rename, fsync of the folder. Throws and leaves
 * the old file as it was when any of it fails.
 */
export async function replaceFile(folder: OpenFolder, name: string, data: string | Uint8Array, options: ReplaceOptions): Promise<void> {
  const temp = folder.at(options.tempName);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temp, flags, options.mode ?? 0o666);
  try {
    try {
      await handle.writeFile(data);
      if (options.owner !== undefined) await handle.chown(options.owner.uid, options.owner.gid).catch(() => {});
      if (options.mode !== undefined) await handle.chmod(options.mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    options.signal?.throwIfAborted();
    await rename(temp, folder.at(name));
  } catch (error) {
    await unlink(temp).catch(() => {});
    throw error;
  }
  await folder.handle.sync().catch(() => {}); // some file systems cannot sync a folder; the data itself is safe
}

/** Writes a file of our own (state, settings) in one step, making its folder (0700) when needed. Throws when it cannot. */
export async function writeFileAtomically(path: string, data: string | Uint8Array, options: ReplaceOptions): Promise<void> {
  const wanted = dirname(path);
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const folder = await openFolder(await realpath(wanted));
  try {
    await replaceFile(folder, basename(path), data, options);
  } finally {
    await folder.handle.close();
  }
}
