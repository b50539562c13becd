import { fstatSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * What stdin holds when it is a file or the null device; undefined for anything that may make us wait. Node's stream for it would take ten times
 * as long.
 */
export function readPlainInput(maxBytes: number): { readonly text: string } | 'too-large' | undefined {
  try {
    const input = fstatSync(0);
    if (input.isCharacterDevice() && input.rdev === statSync(devNull).rdev) return { text: '' };
    if (!input.isFile()) return undefined;
    return input.size > maxBytes ? 'too-large' : { text: readFileSync(0, 'utf8') };
  } catch {
    return undefined;
  }
}
