import { mkdtempSync, realpathSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ThrowawayFolder = { readonly path: string; remove(): Promise<void> };

/** A new empty folder below the system's temporary one, by its real path. */
export function createThrowawayFolder(name: string): ThrowawayFolder {
  const path = realpathSync.native(mkdtempSync(join(tmpdir(), `${name}-`)));
  // most are empty to the end
  return { path, remove: () => rmdir(path).catch(() => rm(path, { recursive: true, force: true })) };
}
