import * as z from 'zod';
import { countOf, formatBytes } from '../lib/text.ts';
import { countChanges, diffLines, formatDiff, splitLines } from './file-diff.ts';
import { isReadOnly, saveFile } from './save-file.ts';
import { inspectTarget, readTarget } from './targets.ts';
import { decodeText, hashBytes } from './text-file.ts';
import { defineTool, failure, success } from './tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  kind: 'act',
  description: 'Create or replace a whole file; folders are made.',
  schema: () => z.object({ path: z.string(), content: z.string() }),
  async prepare({ path, content }, context) {
    const target = await inspectTarget(path, context.cwd);
    if ('error' in target) return failure(target.error);
    if (target.kind === 'folder') return failure(`'${target.shown}' is a folder; give the path of a file`);
    if (isReadOnly(target)) return failure(`'${target.shown}' is read-only`);
    const isNew = target.kind === 'missing';
    const data = Buffer.from(content, 'utf8');
    let before: string[] = [];
    let expected: string | undefined;
    if (!isNew) {
      const read = await readTarget(target);
      if ('error' in read) return failure(read.error);
      expected = hashBytes(read.bytes);
      const seen = context.files.seen(target.path);
      if (seen !== undefined && seen !== expected) return failure(`'${target.shown}' changed since you read it; read it again first`);
      const decoded = decodeText(read.bytes);
      before = decoded.kind === 'utf8' ? splitLines(decoded.text) : [`(${formatBytes(read.bytes.length)} that are no UTF-8 text)\n`];
    }
    const after = splitLines(content);
    const changes = await diffLines(before, after);
    const diff = formatDiff(target.path, context.cwd, before, changes);
    return {
      effects: [{ kind: 'write', path: target.path, wanted: path }],
      preview: { kind: 'diff', path: target.path, diff, isNew },
      async run(signal) {
        const refused = await saveFile(target, data, { expected, context, signal });
        if (refused !== undefined) return failure(refused.error);
        const what = isNew
          ? `Created '${target.shown}': ${countOf(after.length, 'line')}`
          : `Replaced '${target.shown}': ${countChanges(changes)}`;
        return success(`${what}, ${formatBytes(data.length)}`, { display: diff });
      },
    };
  },
});
