import { mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../types/errors.ts';
import { describeFileError } from './paths.ts';

export type ThrowawayFolder = { readonly path: string; remove(): Promise<void> };

/** A new empty folder below the system's temporary one, by its real path. Throws UsageError where none can be made. */
export function createThrowawayFolder(name: string): ThrowawayFolder {
  const path = makeFolder(name);
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

function makeFolder(name: string): string {
  try {
    return realpathSync.native(mkdtempSync(join(tmpdir(), `${name}-`)));
  } catch (error) {
    throw new UsageError(
      `There can be no temporary folder in '${tmpdir()}': ${describeFileError(error)}. Set TMPDIR to a folder that can be written.`,
    );
  }
}

/** The same, made when its path is first asked for; no path where none can be made. */
export function throwawayFolderOnDemand(name: string): { path(): string | undefined; remove(): Promise<void> } {
  let folder: ThrowawayFolder | 'none' | undefined;
  const make = (): ThrowawayFolder | 'none' => {
    try {
      return createThrowawayFolder(name);
    } catch {
      return 'none';
    }
  };
  return {
    path() {
      folder ??= make();
      return folder === 'none' ? undefined : folder.path;
    },
    async remove() {
      if (folder !== undefined && folder !== 'none') await folder.remove();
    },
  };
}
