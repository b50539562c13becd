import type { OpenFolder } from '../lib/atomic-file.ts';
import { type Ripgrep, runRipgrep } from './ripgrep.ts';
import { walkFiles } from './walk-files.ts';

/** Paths that one listing reads; a folder with more is told to be narrowed. */
const maxPaths = 200_000;

export type FileListing = { readonly paths: readonly string[]; readonly complete: boolean };

/** Every file below an open folder, relative to it, ignore files honoured, in no order; with ripgrep where there is one. */
export async function listFiles(folder: OpenFolder, ripgrep: Ripgrep | undefined, signal: AbortSignal): Promise<FileListing> {
  if (ripgrep === undefined) {
    const paths: string[] = [];
    for await (const path of walkFiles(folder.at('.'), folder.path, signal)) {
      if (paths.length === maxPaths) return { paths, complete: false };
      paths.push(path);
    }
    return { paths, complete: true };
  }
  const result = await runRipgrep(ripgrep, ['--files', './'], { folder, signal });
  const paths = result.stdout.toString('utf8').split('\0');
  paths.pop(); // behind the last NUL: nothing, or the beginning of a path that was cut
  return { paths: paths.map((path) => path.slice(2)), complete: !result.truncated };
}
