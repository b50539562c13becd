import * as z from 'zod';
import { countOf, formatBytes, headOf } from '../lib/text.ts';
import { inspectTarget, readTarget } from './targets.ts';
import { decodeText, describeMedia, hashBytes } from './text-file.ts';
import { defineTool, failure, success } from './tool.ts';

/** Shown at most of one file: lines, characters of a line, characters in all. */
export const readLimits = { lines: 2000, lineChars: 2000, chars: 60_000 };

/** Numbered lines of a text, from line `offset` (from 1) on, with a last line that says what was left out and how to get it. */
export function numberLines(text: string, offset: number, limit: number): string {
  const lines = text.replace(/^\ufeff/u, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return '(the file is empty)';
  if (offset > lines.length) return `(the file has only ${countOf(lines.length, 'line')}; offset ${offset} is behind its end)`;
  const shown: string[] = [];
  let chars = 0;
  let shortened = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    const short = headOf(bare, readLimits.lineChars);
    if (chars + short.length > readLimits.chars && shown.length > 0) break;
    if (short !== bare) shortened += 1;
    chars += short.length + 1;
    shown.push(`${String(offset + shown.length).padStart(6)}\t${short}${short === bare ? '' : '…'}`);
  }
  const last = offset + shown.length - 1;
  if (shortened > 0) shown.push(`(${countOf(shortened, 'line')} cut after ${readLimits.lineChars} characters)`);
  if (last < lines.length) shown.push(`(lines ${offset}-${last} of ${lines.length}; go on with offset ${last + 1})`);
  return shown.join('\n');
}

export const readFile = defineTool({
  name: 'read_file',
  kind: 'read',
  description: 'Read a text file with line numbers.',
  schema: () =>
    z.object({
      path: z.string(),
      offset: z.number().int().min(1).optional().describe('first line'),
      limit: z.number().int().min(1).optional().describe('lines, at most 2000'),
    }),
  async prepare({ path, offset = 1, limit = readLimits.lines }, context) {
    const target = await inspectTarget(path, context.cwd);
    if ('error' in target) return failure(target.error);
    if (target.kind === 'folder') return failure(`'${target.shown}' is a folder; list_dir shows what is in it`);
    // a missing file is asked for like any other: whether it is there is itself told only where reading is allowed
    return {
      effects: [{ kind: 'read', path: target.path, wanted: path }],
      async run() {
        if (target.kind === 'missing') return failure(`'${target.shown}' does not exist`);
        const read = await readTarget(target);
        if ('error' in read) return failure(read.error);
        const size = formatBytes(read.bytes.length);
        const media = describeMedia(read.bytes);
        if (media !== undefined) return success(`'${target.shown}': ${media}, ${size}; its content is not shown as text`);
        const decoded = decodeText(read.bytes);
        if (decoded.kind === 'binary') return success(`'${target.shown}': binary file, ${size}; its content is not shown as text`);
        context.files.remember(target.path, hashBytes(read.bytes));
        const lines = numberLines(decoded.text, offset, Math.min(limit, readLimits.lines));
        return success(decoded.kind === 'utf8' ? lines : `${lines}\n(${decoded.encoding}: shown converted; edit_file refuses such files)`);
      },
    };
  },
});
