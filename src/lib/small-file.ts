import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** What is larger is no file of settings or state, in bytes. */
const maxBytes = 1024 * 1024;

/**
 * The text of a regular file of modest size, or what is wrong with it; undefined when there is none. At once: every start reads a few of these,
 * and has nothing else to do.
 */
export function readSmallFile(path: string): { readonly text: string } | { readonly problem: string } | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe in its place must not hold us
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return { problem: 'it is no regular file' };
      if (stat.size > maxBytes) return { problem: `it is larger than ${maxBytes / 1024} KiB` };
      return { text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
