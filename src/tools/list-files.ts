import { lstatSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { OpenFolder } from '../lib/atomic-file.ts';
import { type Ripgrep, runRipgrep } from './ripgrep.ts';
import { walkFiles } from './walk-files.ts';

/** Paths that one listing reads; a folder with more is told to be narrowed. */
const maxPaths = 200_000;

/** Files looked at between two turns of the event loop: synchronous calls are three times as fast, and keys must still be heard. */
const statBatch = 1000;

export type FileListing = { readonly paths: readonly string[]; readonly complete: boolean };

/**
 * The files below an open folder, relative to it, newest first, ignore files honoured; with ripgrep where there is one. `names` are globs
 * of which a file name must match one, as a first sieve: more may come than match `wants`, which is applied here.
 */
export async function listFiles(
  folder: OpenFolder,
  { names, wants }: { names: readonly string[]; wants: (path: string) => boolean },
  { ripgrep, signal }: { ripgrep: Ripgrep | undefined; signal: AbortSignal },
): Promise<FileListing> {
  if (ripgrep === undefined) {
    const paths: string[] = [];
    for await (const path of walkFiles(folder.at('.'), folder.path, signal)) {
      if (paths.length === maxPaths) return { paths: await newestFirst(folder, paths), complete: false };
      if (wants(path)) paths.push(path);
    }
    return { paths: await newestFirst(folder, paths), complete: true };
  }
  const types = names.length === 0 ? [] : [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
  const result = await runRipgrep(ripgrep, ['--files', '--sortr=modified', ...types, './'], { folder, signal });
  const paths = result.stdout.toString('utf8').split('\0');
  paths.pop(); // behind the last NUL: nothing, or the beginning of a path that was cut
  return { paths: paths.map((path) => path.slice(2)).filter(wants), complete: !result.truncated };
}

async function newestFirst(folder: OpenFolder, paths: readonly string[]): Promise<string[]> {
  const dated: { path: string; changedMs: number }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % statBatch === statBatch - 1) await setImmediate();
    const stats = lstatSync(folder.at(path), { throwIfNoEntry: false });
    if (stats !== undefined) dated.push({ path, changedMs: stats.mtimeMs });
  }
  dated.sort((left, right) => right.changedMs - left.changedMs || (left.path < right.path ? -1 : 1));
  return dated.map(({ path }) => path);
}
