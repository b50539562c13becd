import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatBytes } from '../lib/text.ts';

/** Largest spill file, in bytes: a command that prints for ever must not fill the disk. */
export const maxSpillBytes = 64 * 1024 * 1024;

/** The whole output of one command on disk, readable by the user only. */
export type Spill = { readonly path: string; write(text: string): void; close(): void; remove(): void };

/** Opens a new spill file, folder 0700 and file 0600 at any umask; undefined when the disk does not let us. */
export function openSpill(folder: string, name: string): Spill | undefined {
  const path = join(folder, `${name}.txt`);
  let file: number | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    file = openSync(path, 'wx', 0o600);
  } catch {
    return undefined;
  }
  let written = 0;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const append = (bytes: Buffer): void => {
    if (file === undefined) return;
    try {
      writeSync(file, bytes);
    } catch {
      close();
    }
  };
  return {
    path,
    write(text) {
      if (file === undefined) return;
      const bytes = Buffer.from(text, 'utf8');
      written += bytes.length;
      if (written <= maxSpillBytes) return append(bytes);
      append(Buffer.from(`\n… cut here: more than ${formatBytes(maxSpillBytes)} …\n`, 'utf8'));
      close();
    },
    close,
    remove() {
      close();
      try {
        unlinkSync(path);
      } catch {
        // gone already
      }
    },
  };
}
