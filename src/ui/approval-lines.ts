import { revealText, sanitizeText } from '../lib/sanitize.ts';
import { diffLines } from './diff-lines.ts';
import { truncateLine, wrapText } from './text.ts';
import type { Paint } from './theme.ts';
import { type ApprovalBox, isAnswerable } from './ui-state.ts';

type Options = { readonly width: number; readonly paint: Paint };

/** All rows of what is to be approved: the whole command or change, where it runs, what it touches. */
export function approvalPreview(box: ApprovalBox, options: Options): readonly string[] {
  const { request } = box;
  const { width, paint } = options;
  const inner = { first: '  ', rest: '  ' };
  const rows: string[] = [];
  const { preview } = request;
  if (preview?.kind === 'diff') {
    rows.push(...wrapText(`${revealText(preview.path)}${preview.isNew ? ' (new file)' : ''}`, width, inner));
    rows.push(...diffLines(sanitizeText(preview.diff), { width: Math.max(1, width - 2), paint }).map((row) => `  ${row}`));
  } else if (preview?.kind === 'text') rows.push(...wrapText(sanitizeText(preview.text), width, inner));
  for (const effect of request.effects) {
    if (effect.kind === 'command') {
      rows.push(...wrapText(revealText(effect.command), width, { first: '  $ ', rest: '    ' }));
      rows.push(...wrapText(`in ${revealText(effect.cwd)}`, width, inner).map((row) => paint('dim', row)));
      if (effect.background === true) rows.push(paint('dim', '  in the background'));
    } else if (effect.kind === 'host') rows.push(...wrapText(`fetches ${revealText(effect.url)}`, width, inner));
    else {
      const verb = effect.kind === 'read' ? 'reads' : 'writes';
      const real = revealText(effect.path);
      const wanted = isPlain(effect.wanted, effect.path) ? '' : ` (asked for as ${revealText(effect.wanted ?? '')})`;
      if (preview?.kind === 'diff' && effect.path === preview.path && wanted === '') continue;
      rows.push(...wrapText(`${verb} ${real}${wanted}`, width, inner));
    }
  }
  return rows;
}

/** Whether the path leads where it says: no link and no `..` on the way. */
function isPlain(wanted: string | undefined, path: string): boolean {
  if (wanted === undefined || wanted === path) return true;
  return !wanted.split('/').includes('..') && path.endsWith(`/${wanted.replace(/^\.\//, '')}`);
}

/** The answers that the box offers, as one line each for narrow windows or all in one. */
function answers(box: ApprovalBox): readonly string[] {
  const { rule } = box.request;
  const lasting = rule === undefined ? [] : ['s for this session', `a always: ${revealText(rule)}`];
  return ['y yes', ...lasting, 'n no', 'r no, because…'];
}

export type ApprovalRows = {
  readonly rows: readonly string[] /** Whether the last row of the preview is among them. */;
  readonly showsEnd: boolean;
};

/** The approval in at most `maxRows` rows. What does not fit is scrolled, and the answers wait until its end was seen. */
export function approvalLines(box: ApprovalBox, options: Options & { readonly maxRows: number; readonly now: number }): ApprovalRows {
  const { width, paint, maxRows } = options;
  const preview = approvalPreview(box, options);
  const title = paint('warning', truncateLine(`? Allow ${sanitizeText(box.request.toolName)}`, width));
  const reason = wrapText(sanitizeText(box.request.reason), width, { first: '  ', rest: '  ' }).map((row) => paint('dim', row));
  const offered = answers(box).join(' · ');
  const keys = wrapText(offered, width);
  const room = maxRows - 1;
  const fullHead = [title, ...reason];
  const fullKeys = isAnswerable(box, options.now) ? keys : keys.map((row) => paint('dim', row));
  if (fullHead.length + preview.length + keys.length <= maxRows) return { rows: [...fullHead, ...preview, ...fullKeys], showsEnd: true };
  const head = room >= 8 ? fullHead.slice(0, 3) : room >= 3 ? [title] : [];
  const keyRows = Math.min(keys.length, Math.max(1, maxRows - head.length - 2));
  const body = Math.max(1, maxRows - head.length - keyRows);
  const top = Math.min(box.top, Math.max(0, preview.length - body));
  const shown = preview.slice(top, top + body);
  const showsEnd = top + body >= preview.length;
  const scroll = `↑↓ rows ${top + 1}–${top + shown.length} of ${preview.length}`;
  const foot =
    showsEnd || box.seenEnd
      ? fullKeys.slice(0, keyRows)
      : [paint('warning', truncateLine(`${scroll}: see the end before you answer`, width))];
  const lines = preview.length > body && foot.length > 0 ? [truncateLine(`${foot[0]} · ${scroll}`, width), ...foot.slice(1)] : foot;
  return { rows: [...head, ...shown, ...(showsEnd || box.seenEnd ? lines : foot)], showsEnd };
}
