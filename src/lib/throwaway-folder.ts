import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ThrowawayFolder = { readonly path: string; remove(): Promise<void> };

/** A new empty folder below the system's temporary one, by its real path. */
export async function createThrowawayFolder(name: string): Promise<ThrowawayFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
