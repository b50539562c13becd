import { constants } from 'node:fs';
import { basename } from 'node:path';
import { openExactly, replaceFile, sameIdentity } from '../lib/atomic-file.ts';
import { describeFileError } from '../lib/paths.ts';
import { checkUnchanged, openParentFolder, type Refusal, type Target } from './targets.ts';
import { hashBytes } from './text-file.ts';
import type { ToolContext } from './tool.ts';

/**
 * Replaces the file that `target` stood for, or makes it, and remembers the new content as seen. `expected` is the hash of the content that
 * was approved for change, absent for a new file. Undefined when done.
 */
export async function saveFile(
  target: Target,
  data: Uint8Array,
  options: { expected: string | undefined; context: ToolContext; signal: AbortSignal },
): Promise<Refusal | undefined> {
  try {
    const folder = await openParentFolder(target);
    try {
      await checkUnchanged(folder, target);
      if (options.expected !== undefined) await checkContent(target, options.expected);
      const keep = target.kind === 'file' ? { mode: target.mode, ...(target.owner === undefined ? {} : { owner: target.owner }) } : {};
      const tempName = `.tilldone-${options.context.clock.newId()}.tmp`;
      await replaceFile(folder, basename(target.path), data, { ...keep, tempName, signal: options.signal });
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    if (options.signal.aborted) return { error: `Cancelled; '${target.shown}' was left as it is` };
    return { error: `Cannot write '${target.shown}': ${describeFileError(error)}` };
  }
  options.context.files.remember(target.path, hashBytes(data));
  return undefined;
}

async function checkContent(target: Target, expected: string): Promise<void> {
  const handle = await openExactly(target.path, constants.O_RDONLY);
  try {
    const stats = await handle.stat({ bigint: true });
    if (target.identity === undefined || !sameIdentity(stats, target.identity))
      throw new Error('it was exchanged for another in the meantime');
    if (hashBytes(await handle.readFile()) !== expected) throw new Error('its content changed in the meantime; read it again');
  } finally {
    await handle.close();
  }
}

/** Whether nobody may write the file, by its permission bits: a rename would get around them. */
export function isReadOnly(target: Target): boolean {
  return target.kind === 'file' && (target.mode & 0o222) === 0;
}
