import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder, by its real path; gone when the running test has finished. */
export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tilldone-test-')));
  onTestFinished(async () => {
    await chmod(folder, 0o700).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
