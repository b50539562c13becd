import { mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ThrowawayFolder = { readonly path: string; remove(): Promise<void> };

/** A new empty folder below the system's temporary one, by its real path. */
export function createThrowawayFolder(name: string): ThrowawayFolder {
  const path = realpathSync.native(mkdtempSync(join(tmpdir(), `${name}-`)));
  return {
    path,
    async remove() {
      try {
        rmdirSync(path); // most are empty to the end
      } catch {
        await rm(path, { recursive: true, force: true });
      }
    },
  };
}
