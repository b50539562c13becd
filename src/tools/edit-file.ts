import * as z from 'zod';
import { countOf } from '../lib/text.ts';
import { countChanges, formatDiff, splitLines } from './file-diff.ts';
import { isReadOnly, saveFile } from './save-file.ts';
import { inspectTarget, readTarget } from './targets.ts';
import { applyEdits } from './text-edits.ts';
import { decodeText, hashBytes } from './text-file.ts';
import { defineTool, failure, success } from './tool.ts';

export const editFile = defineTool({
  name: 'edit_file',
  kind: 'act',
  description: 'Replace text in a file that was read before. Each old_text must occur exactly once in the file as it is now.',
  schema: () => z.object({ path: z.string(), edits: z.array(z.object({ old_text: z.string(), new_text: z.string() })).min(1) }),
  async prepare({ path, edits }, context) {
    const target = await inspectTarget(path, context.cwd);
    if ('error' in target) return failure(target.error);
    if (target.kind === 'missing') return failure(`'${target.shown}' does not exist; write_file creates files`);
    if (target.kind === 'folder') return failure(`'${target.shown}' is a folder; give the path of a file`);
    if (isReadOnly(target)) return failure(`'${target.shown}' is read-only`);
    const seen = context.files.seen(target.path);
    if (seen === undefined) return failure(`'${target.shown}' has not been read yet; read_file it first`);
    const read = await readTarget(target);
    if ('error' in read) return failure(read.error);
    if (hashBytes(read.bytes) !== seen) return failure(`'${target.shown}' changed since it was read; read_file it again`);
    const decoded = decodeText(read.bytes);
    if (decoded.kind !== 'utf8') {
      const what = decoded.kind === 'binary' ? 'a binary file' : decoded.encoding;
      return failure(`'${target.shown}' is ${what}; only UTF-8 text is edited, nothing is converted`);
    }
    const edited = applyEdits(decoded.text, edits);
    if ('error' in edited) return failure(`'${target.shown}' was not changed: ${edited.error}`);
    const diff = formatDiff(target.path, context.cwd, splitLines(decoded.text), edited.changes);
    return {
      effects: [{ kind: 'write', path: target.path, wanted: path }],
      preview: { kind: 'diff', path: target.path, diff, isNew: false },
      async run(signal) {
        const refused = await saveFile(target, Buffer.from(edited.text, 'utf8'), { expected: seen, context, signal });
        if (refused !== undefined) return failure(refused.error);
        const what = `${countOf(edits.length, 'edit')}, ${countChanges(edited.changes)}`;
        return success(`Edited '${target.shown}': ${what}`, { display: diff });
      },
    };
  },
});
