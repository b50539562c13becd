import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const maxPaths = 100;
const uninteresting = new Set(['.git', 'node_modules']);

/**
 * Paths below `folder` that begin like the fragment, folders with a slash at the end and first. Names that begin with a dot come only when
 * asked for. Never throws.
 */
export async function listPaths(folder: string, fragment: string): Promise<readonly string[]> {
  const slash = fragment.lastIndexOf('/') + 1;
  const parent = fragment.slice(0, slash);
  const begun = fragment.slice(slash).toLowerCase();
  const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter(
      ({ name }) => name.toLowerCase().startsWith(begun) && !uninteresting.has(name) && (begun.startsWith('.') || !name.startsWith('.')),
    )
    .map((entry) => ({ path: `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`, isFolder: entry.isDirectory() }));
  found.sort((left, right) => Number(right.isFolder) - Number(left.isFolder) || left.path.localeCompare(right.path));
  return found.slice(0, maxPaths).map(({ path }) => path);
}
