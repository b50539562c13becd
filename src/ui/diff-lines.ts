import { diffWordsWithSpace } from 'diff';
import { wrapLine } from './text.ts';
import type { Paint } from './theme.ts';

type Line = { readonly sign: ' ' | '+' | '-'; readonly text: string; readonly number: number };

/** Two lines are compared word by word only up to this length. */
const maxWordDiffChars = 400;

/** A unified diff as rows: line numbers, signs, and within changed lines the words that changed. */
export function diffLines(
  diff: string,
  options: { readonly width: number; readonly paint: Paint; readonly maxRows?: number },
): readonly string[] {
  const { paint } = options;
  const rows: string[] = [];
  const lines = diff.split('\n');
  const numberWidth = String(lines.length + lastStart(lines)).length;
  let old = 0;
  let fresh = 0;
  let hunks = 0;
  let block: Line[] = [];
  const flush = (): void => {
    rows.push(...blockRows(block, numberWidth, options));
    block = [];
  };
  for (const line of lines) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      flush();
      if (hunks > 0) rows.push(paint('dim', `${' '.repeat(numberWidth)} …`));
      hunks += 1;
      old = Number(hunk[1]);
      fresh = Number(hunk[2]);
      continue;
    }
    if (hunks === 0) continue;
    const text = line.slice(1).replaceAll('\t', '    ');
    if (line.startsWith('+')) block.push({ sign: '+', text, number: fresh++ });
    else if (line.startsWith('-')) block.push({ sign: '-', text, number: old++ });
    else if (line.startsWith(' ')) {
      if (block.some(({ sign }) => sign !== ' ')) flush();
      block.push({ sign: ' ', text, number: fresh++ });
      old += 1;
      flush();
    }
  }
  flush();
  const { maxRows } = options;
  if (maxRows === undefined || rows.length <= maxRows) return rows;
  return [...rows.slice(0, maxRows - 1), paint('dim', `… ${rows.length - maxRows + 1} more rows (Ctrl+O)`)];
}

/** How many lines a unified diff adds and removes. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  let inHunk = false;
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) inHunk = true;
    else if (inHunk && line.startsWith('+')) added += 1;
    else if (inHunk && line.startsWith('-')) removed += 1;
  }
  return { added, removed };
}

function lastStart(lines: readonly string[]): number {
  const hunk = lines.findLast((line) => line.startsWith('@@'));
  return Number(/\+(\d+)/.exec(hunk ?? '')?.[1] ?? 0);
}

function blockRows(
  block: readonly Line[],
  numberWidth: number,
  options: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const removed = block.filter((line) => line.sign === '-');
  const added = block.filter((line) => line.sign === '+');
  const paired = removed.length === added.length;
  return block.flatMap((line) => {
    const partners = line.sign === '-' ? added : removed;
    const own = line.sign === '-' ? removed : added;
    const partner = paired && line.sign !== ' ' ? partners[own.indexOf(line)] : undefined;
    return lineRows(line, partner, numberWidth, options);
  });
}

function lineRows(line: Line, partner: Line | undefined, numberWidth: number, options: { width: number; paint: Paint }): readonly string[] {
  const { paint, width } = options;
  const number = paint('dim', String(line.number).padStart(numberWidth));
  const prefix = numberWidth + 3;
  const role = line.sign === '+' ? 'added' : 'removed';
  const text = partner === undefined ? line.text : changedWords(line, partner, paint);
  const rows = wrapLine(text, Math.max(1, width - prefix));
  return rows.map((row, index) => {
    const head = index === 0 ? `${number} ` : ' '.repeat(numberWidth + 1);
    if (line.sign === ' ') return `${head}  ${row}`.trimEnd();
    return `${head}${paint(role, `${index === 0 ? line.sign : ' '} ${row}`)}`;
  });
}

function changedWords(line: Line, partner: Line, paint: Paint): string {
  if (line.text.length > maxWordDiffChars || partner.text.length > maxWordDiffChars) return line.text;
  const [before, after] = line.sign === '-' ? [line.text, partner.text] : [partner.text, line.text];
  const parts = diffWordsWithSpace(before, after);
  const same = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.length, 0);
  // Lines that share little are two lines, not one edited line.
  if (same * 3 < Math.max(before.length, after.length)) return line.text;
  const word = line.sign === '-' ? 'removedWord' : 'addedWord';
  return parts
    .filter((part) => (line.sign === '-' ? !part.added : !part.removed))
    .map((part) => (part.added || part.removed ? paint(word, part.value) : part.value))
    .join('');
}
