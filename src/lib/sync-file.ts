import { closeSync, fdatasync, fsync, openSync } from 'node:fs';

/** Resolves when what was written to an open file is on the disk; other work goes on meanwhile. */
export function syncFile(file: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(file, (error) => (error === null ? resolve() : reject(error))));
}

/** Makes a new file's name survive a power cut; not every file system can. Never rejects. */
export function syncFolder(folder: string): Promise<void> {
  return new Promise((resolve) => {
    try {
      const opened = openSync(folder, 'r');
      fsync(opened, () => {
        closeQuietly(opened);
        resolve();
      });
    } catch {
      resolve();
    }
  });
}

export function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // what was written is written
  }
}
