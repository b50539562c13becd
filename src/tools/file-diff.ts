import { displayPath } from '../lib/paths.ts';

/** Lines `start` to `end` (from 0, `end` not included) of the old text are replaced by `lines`, each with its line end. */
export type LineChange = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

const contextLines = 3;
/** Above this many differing lines the exact difference costs more than it tells: the whole block is shown as replaced. */
const maxEditLength = 2000;

/** Lines with their line ends; the last may have none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** What changed between two texts, line by line. */
export async function diffLines(before: readonly string[], after: readonly string[]): Promise<LineChange[]> {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];
  const whole: LineChange = { start, end: before.length - end, lines: newMiddle };
  if (oldMiddle.length === 0 || newMiddle.length === 0) return [whole];
  const { diffArrays } = await import('diff');
  const parts = diffArrays(oldMiddle, newMiddle, { maxEditLength });
  if (parts === undefined) return [whole];
  const changes: { start: number; end: number; lines: string[] }[] = [];
  let at = start;
  let open = false;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = false;
      continue;
    }
    let change = open ? changes.at(-1) : undefined;
    if (change === undefined) {
      change = { start: at, end: at, lines: [] };
      changes.push(change);
    }
    open = true;
    if (part.removed) {
      at += part.value.length;
      change.end = at;
    } else change.lines.push(...part.value);
  }
  return changes;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? `${mark}${line.slice(0, -1)}` : `${mark}${line}\n\\ No newline at end of file`;
}

/** A unified diff of changes in order; empty when there is none. `path` is shown relative to `cwd`. */
export function formatDiff(path: string, cwd: string, before: readonly string[], changes: readonly LineChange[]): string {
  if (changes.length === 0) return '';
  const shown = displayPath(path, cwd);
  const output = [`--- ${before.length === 0 ? '/dev/null' : shown}`, `+++ ${shown}`];
  let shift = 0;
  for (let index = 0; index < changes.length; ) {
    const first = changes[index];
    if (first === undefined) break;
    const hunk = [first];
    let last = first;
    for (index += 1; index < changes.length; index += 1) {
      const next = changes[index];
      if (next === undefined || next.start - last.end > 2 * contextLines) break;
      hunk.push(next);
      last = next;
    }
    const from = Math.max(0, first.start - contextLines);
    const to = Math.min(before.length, last.end + contextLines);
    const lines: string[] = [];
    let at = from;
    let grown = 0;
    for (const change of hunk) {
      for (const line of before.slice(at, change.start)) lines.push(marked(' ', line));
      for (const line of before.slice(change.start, change.end)) lines.push(marked('-', line));
      for (const line of change.lines) lines.push(marked('+', line));
      grown += change.lines.length - (change.end - change.start);
      at = change.end;
    }
    for (const line of before.slice(at, to)) lines.push(marked(' ', line));
    const newLength = to - from + grown;
    // an empty side is numbered by the line before it
    const oldStart = to === from ? from : from + 1;
    const newStart = newLength === 0 ? from + shift : from + shift + 1;
    output.push(`@@ -${oldStart},${to - from} +${newStart},${newLength} @@`, ...lines);
    shift += grown;
  }
  return output.join('\n');
}

/** `+3 −1 lines`. */
export function countChanges(changes: readonly LineChange[]): string {
  const added = changes.reduce((sum, change) => sum + change.lines.length, 0);
  const removed = changes.reduce((sum, change) => sum + change.end - change.start, 0);
  return `+${added} −${removed} lines`;
}
