import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import * as z from 'zod';
import type { OpenFolder } from '../lib/atomic-file.ts';
import { describeFileError } from '../lib/paths.ts';
import { formatBytes } from '../lib/text.ts';
import { inspectTarget, openTargetFolder } from './targets.ts';
import { defineTool, failure, success } from './tool.ts';

/** Entries shown of one folder. */
export const maxEntries = 500;

async function describeEntry(folder: OpenFolder, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`;
  try {
    if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(folder.at(entry.name))}`;
    const stats = await lstat(folder.at(entry.name));
    return entry.isFile() ? `${entry.name} (${formatBytes(stats.size)})` : `${entry.name} (no regular file)`;
  } catch {
    return entry.name;
  }
}

export const listDir = defineTool({
  name: 'list_dir',
  kind: 'read',
  description: 'List a folder.',
  schema: () => z.object({ path: z.string().optional() }),
  async prepare({ path = '.' }, context) {
    const target = await inspectTarget(path, context.cwd);
    if ('error' in target) return failure(target.error);
    if (target.kind === 'file') return failure(`'${target.shown}' is a file; read_file shows it`);
    return {
      effects: [{ kind: 'read', path: target.path, wanted: path }],
      async run() {
        if (target.kind === 'missing') return failure(`'${target.shown}' does not exist`);
        const folder = await openTargetFolder(target);
        if ('error' in folder) return failure(folder.error);
        try {
          const entries = await readdir(folder.at('.'), { withFileTypes: true });
          const rank = (entry: Dirent): number => (entry.isDirectory() ? 0 : 1);
          entries.sort((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1));
          const lines = await Promise.all(entries.slice(0, maxEntries).map((entry) => describeEntry(folder, entry)));
          if (entries.length > maxEntries)
            lines.push(`(${entries.length - maxEntries} more of ${entries.length}; glob finds them by pattern)`);
          return success(lines.length === 0 ? `'${target.shown}' is empty` : lines.join('\n'));
        } catch (error) {
          return failure(`Cannot list '${target.shown}': ${describeFileError(error)}`);
        } finally {
          await folder.handle.close();
        }
      },
    };
  },
});
