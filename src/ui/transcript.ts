import type { ErrorKind } from '../types/errors.ts';
import type { Reason } from '../types/reasons.ts';
import { type Item, isClosed } from './items.ts';
import type { Highlight, RenderOptions } from './markdown.ts';
import { advanceMarkdown } from './markdown-stream.ts';
import { wrapText } from './text.ts';
import type { Paint, Role } from './theme.ts';
import { toolLines } from './tool-lines.ts';
import { addFolded, type ViewState } from './view-state.ts';

export type TranscriptOptions = {
  readonly width: number;
  readonly paint: Paint;
  readonly highlight: Highlight /** Mark of running tools. */;
  readonly spinner: string;
};

/** Rows of a superseded draft or of reasoning that stay visible. */
const shownDraftRows = 3;

const nextSteps: Readonly<Partial<Record<ErrorKind, string>>> = {
  auth: 'Check the key: tilldone doctor',
  'not-found': 'Choose another model: /model',
  'rate-limit': 'Wait a little, then /continue',
  'context-length': 'Make room: /compact, or /new',
  server: 'Try again: /continue',
  network: 'Check the connection, then /continue',
  timeout: 'Try again: /continue',
};

const quietReasons: ReadonlySet<Reason> = new Set(['no-list', 'not-in-play', 'user-input']);
const failureReasons: ReadonlySet<Reason> = new Set(['auth', 'error', 'rate-limit', 'empty', 'output-limit', 'safety', 'check-failed']);

function endRole(reason: Reason): Role {
  if (reason === 'done') return 'success';
  if (quietReasons.has(reason)) return 'dim';
  return failureReasons.has(reason) ? 'error' : 'warning';
}

const userMarks = { prompt: '>', steer: '↳', queue: '>', shell: '!' } as const;

/** Rows of an item that is complete, and what of it was folded away. */
function itemLines(
  item: Item,
  options: TranscriptOptions,
): { readonly rows: readonly string[]; readonly folded?: { title: string; text: string } } {
  const { width, paint } = options;
  switch (item.kind) {
    case 'page':
      return { rows: [...(item.title === '' ? [] : [paint('bold', item.title)]), ...item.lines.flatMap((line) => wrapText(line, width))] };
    case 'user': {
      const mark = userMarks[item.source];
      const rows = wrapText(item.text, width, { first: `${mark} `, rest: '  ' });
      return {
        rows: rows.map((row, index) => (index === 0 ? paint('accent', mark) + paint('bold', row.slice(mark.length)) : paint('bold', row))),
      };
    }
    case 'text':
      return { rows: [] };
    case 'draft':
      return draftLines('Draft, superseded', item.text, options);
    case 'reasoning':
      return draftLines('Thought', item.text, options);
    case 'tool': {
      const { rows, folded } = toolLines(
        item,
        isClosed(item) ? { width, paint } : { width, paint, mark: item.state === 'running' ? options.spinner : undefined },
      );
      return folded === undefined ? { rows } : { rows, folded: { title: item.name, text: folded } };
    }
    case 'notice': {
      const role: Role = item.level === 'info' ? 'dim' : item.level;
      return { rows: wrapText(item.text, width, { first: '· ', rest: '  ' }).map((row) => paint(role, row)) };
    }
    case 'error': {
      const step = nextSteps[item.error.kind];
      const rows = wrapText(item.error.message, width, { first: '✗ ', rest: '  ' }).map((row) => paint('error', row));
      return {
        rows: step === undefined ? rows : [...rows, ...wrapText(step, width, { first: '  ', rest: '  ' }).map((row) => paint('dim', row))],
      };
    }
    case 'end': {
      const mark = item.reason === 'done' ? '✓' : quietReasons.has(item.reason) ? '·' : '■';
      const role = endRole(item.reason);
      return { rows: wrapText(item.sentence, width, { first: `${mark} `, rest: '  ' }).map((row) => paint(role, row)) };
    }
  }
}

function draftLines(
  title: string,
  text: string,
  options: TranscriptOptions,
): { rows: readonly string[]; folded?: { title: string; text: string } } {
  const { width, paint } = options;
  const rows = wrapText(text.trim(), width, { first: '  ', rest: '  ' });
  const shown = rows.slice(0, shownDraftRows);
  const more = rows.length - shown.length;
  const head = more > 0 ? `~ ${title} · ${more} more rows (Ctrl+O)` : `~ ${title}`;
  const painted = [head, ...shown].map((row) => paint('dim', row));
  return more > 0 ? { rows: painted, folded: { title, text: text.trim() } } : { rows: painted };
}

/** Whether a blank row stands between two neighbouring items. Calls and notices in a row stay together. */
function hasGap(previous: Item['kind'] | undefined, next: Item['kind']): boolean {
  if (previous === undefined) return false;
  const compact: readonly string[] = ['tool', 'notice', 'error', 'draft', 'reasoning'];
  return !(compact.includes(previous) && compact.includes(next));
}

/** Takes out of the view what is finished, as rows for the scrollback. The open text gives what of it is finished. */
export function settleTranscript(
  view: ViewState,
  options: TranscriptOptions,
): { readonly rows: readonly string[]; readonly view: ViewState } {
  const rows: string[] = [];
  let next = view;
  let index = 0;
  while (index < next.items.length) {
    const item = next.items[index];
    if (item === undefined) break;
    if (item.kind === 'text') {
      const { done, tail, live } = advanceMarkdown(item, markdownOptions(options), !item.open);
      if (done.length > 0) {
        if (item.join === 'start' && hasGap(next.lastKind, 'text')) rows.push('');
        rows.push(...done);
        next = { ...next, lastKind: 'text' };
      }
      if (item.open) {
        const rest = { ...item, ...tail };
        liveRows.set(rest, { width: options.width, rows: live });
        next = { ...next, items: next.items.with(index, rest) };
        break;
      }
      if (item.cut) rows.push(options.paint('dim', '… (cut off here)'));
      index += 1;
      continue;
    }
    if (!isClosed(item)) break;
    const { rows: own, folded } = itemLines(item, options);
    if (own.length > 0) {
      if (hasGap(next.lastKind, item.kind)) rows.push('');
      rows.push(...own);
      next = { ...next, lastKind: item.kind };
    }
    if (folded !== undefined) next = addFolded(next, folded.title, folded.text);
    index += 1;
  }
  return { rows, view: index === 0 ? next : { ...next, items: next.items.slice(index) } };
}

/** The rows of what is still open, as they look now. At most about `maxRows` are worked out. */
export function liveTranscript(view: ViewState, options: TranscriptOptions, maxRows: number): readonly string[] {
  const rows: string[] = [];
  let previous = view.lastKind;
  for (const item of view.items) {
    const own = item.kind === 'text' ? textRows(item, options) : openLines(item, options, maxRows);
    if (own.length === 0) continue;
    if (item.kind === 'text' ? item.join === 'start' && hasGap(previous, 'text') : hasGap(previous, item.kind)) rows.push('');
    rows.push(...own);
    previous = item.kind;
  }
  return rows;
}

/** Rows of an open text as the last step left it, so that they are not worked out twice for a frame. */
const liveRows = new WeakMap<Item, { readonly width: number; readonly rows: readonly string[] }>();

function textRows(item: Extract<Item, { kind: 'text' }>, options: TranscriptOptions): readonly string[] {
  const known = liveRows.get(item);
  if (known?.width === options.width) return known.rows;
  const { done, live } = advanceMarkdown(item, markdownOptions(options), !item.open);
  return done.length === 0 ? live : [...done, ...live];
}

function openLines(item: Item, options: TranscriptOptions, maxRows: number): readonly string[] {
  if ((item.kind !== 'draft' && item.kind !== 'reasoning') || !item.open) return itemLines(item, options).rows;
  const { width, paint } = options;
  const room = item.kind === 'draft' ? maxRows : shownDraftRows;
  // Only the end is visible: no more of a long draft is wrapped than can be seen.
  const rows = wrapText(item.text.slice(-room * width).trim(), width, { first: '  ', rest: '  ' }).slice(-room);
  return rows.map((row) => paint('dim', row));
}

function markdownOptions(options: TranscriptOptions): RenderOptions {
  return { width: options.width, paint: options.paint, highlight: options.highlight };
}
