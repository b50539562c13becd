import { type LineChange, splitLines } from './file-diff.ts';

export type TextEdit = { readonly old_text: string; readonly new_text: string };
type Span = { readonly start: number; readonly end: number; readonly text: string; readonly edit: number };

/** Outcome of edits on a text: the new text and what changed in it, or one sentence that names the edit and what to do. */
export type EditResult = { readonly text: string; readonly changes: readonly LineChange[] } | { readonly error: string };

/**
 * Applies edits that all refer to the text as it is: each `old_text` must occur exactly once, none may overlap. Everything outside the
 * matches stays as it is, line ends too; in a file with CRLF a match and its replacement may be written with LF.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  const spans: Span[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? 'old_text' : `edit ${index + 1}: old_text`;
    if (edit.old_text === '') return { error: `${name} is empty; write_file creates or replaces a whole file` };
    const found = findOnce(text, edit.old_text);
    if ('error' in found) return { error: `${name} ${found.error}` };
    const replacement = endsLikeCrlf(text, found.start) ? toCrlf(edit.new_text) : edit.new_text;
    if (text.slice(found.start, found.end) === replacement) return { error: `${name} and new_text are the same` };
    spans.push({ start: found.start, end: found.end, text: replacement, edit: index + 1 });
  }
  spans.sort((left, right) => left.start - right.start);
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1];
    if (next !== undefined && next.start < span.end) return { error: `edits ${span.edit} and ${next.edit} overlap; join them into one` };
  }
  const parts: string[] = [];
  let at = 0;
  for (const span of spans) {
    parts.push(text.slice(at, span.start), span.text);
    at = span.end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), changes: toLineChanges(text, spans) };
}

function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/gu, '\r\n');
}

/** Whether the line at `index` ends with CRLF, or the line before it when it is the last. */
function endsLikeCrlf(text: string, index: number): boolean {
  let end = text.indexOf('\n', index);
  if (end === -1) end = text.lastIndexOf('\n', index);
  return end > 0 && text[end - 1] === '\r';
}

function findOnce(text: string, wanted: string): { readonly start: number; readonly end: number } | { readonly error: string } {
  for (const candidate of wanted.includes('\n') ? [wanted, toCrlf(wanted)] : [wanted]) {
    const start = text.indexOf(candidate);
    if (start === -1) continue;
    if (text.indexOf(candidate, start + 1) === -1) return { start, end: start + candidate.length };
    const lines = occurrences(text, candidate);
    return { error: `occurs ${lines.count} times (lines ${lines.shown}); add lines around it until it is unique` };
  }
  return { error: `was not found${hintOf(text, wanted)}` };
}

function occurrences(text: string, wanted: string): { count: number; shown: string } {
  const lines: number[] = [];
  let count = 0;
  let line = 1;
  let from = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    count += 1;
    if (lines.length === 5) continue;
    line += countNewlines(text, from, at);
    from = at;
    lines.push(line);
  }
  return { count, shown: `${lines.join(', ')}${count > lines.length ? ', …' : ''}` };
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Where the text would match if white space did not count: the most common slip. */
function hintOf(text: string, wanted: string): string {
  const squash = (part: string): string => part.replace(/\s+/gu, ' ').trim();
  const firstLine = wanted.split('\n').find((line) => line.trim() !== '');
  if (firstLine === undefined) return '';
  if (/^\s*\d+\t/u.test(firstLine)) return '; leave out the line numbers that read_file shows';
  const needle = squash(firstLine);
  const line = text.split('\n').findIndex((candidate) => squash(candidate) === needle);
  return line === -1
    ? '; read the file again'
    : `; line ${line + 1} differs from it only in white space or in what follows: copy it exactly`;
}

/** Spans in order as changes of whole lines; spans that touch one line are joined, lines that stay the same at either end left out. */
function toLineChanges(text: string, spans: readonly Span[]): LineChange[] {
  const changes: LineChange[] = [];
  let line = 0;
  let counted = 0;
  let index = 0;
  for (let span = spans[index]; span !== undefined; ) {
    const start = span.start === 0 ? 0 : text.lastIndexOf('\n', span.start - 1) + 1;
    let at = start;
    let end = start;
    let replaced = '';
    do {
      replaced += text.slice(at, span.start) + span.text;
      at = span.end;
      const wholeLines = text[at - 1] === '\n' && (replaced === '' || replaced.endsWith('\n'));
      end = wholeLines ? at : endOfLine(text, at);
      index += 1;
      span = spans[index];
    } while (span !== undefined && span.start < end);
    line += countNewlines(text, counted, start);
    counted = start;
    changes.push(trimChange(line, splitLines(text.slice(start, end)), splitLines(replaced + text.slice(at, end))));
  }
  return changes;
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

function trimChange(line: number, before: readonly string[], after: readonly string[]): LineChange {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start: line + start, end: line + before.length - end, lines: after.slice(start, after.length - end) };
}
