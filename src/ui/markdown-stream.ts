import type { Token, Tokens } from 'marked';
import { hasGap, lexMarkdown, paragraphMark, type RenderOptions, renderBlock, renderInline } from './markdown.ts';
import { widthOf, wrapLine } from './text.ts';

/** Markdown that is still arriving: `text` has not been shown for good, `carry` must be read before it, `join` is what comes before its next block. */
export type MarkdownTail = { readonly text: string; readonly carry: string; readonly join: 'start' | 'gap' | 'none' };

export type Advance = {
  /** Rows that will not change any more, for the scrollback. */
  readonly done: readonly string[];
  readonly tail: MarkdownTail;
  /** Rows of the tail, as they look now. */
  readonly live: readonly string[];
};

/** An open block above one of these is shown in parts, so that the work per chunk does not grow with its length. */
const maxOpenChars = 8_192;
const maxOpenRows = 150;
/** How far back an unclosed mark may lie and still be waited for. */
const maxMarkChars = 600;
const markOpener = /[*`[]|~~|(?<![\p{L}\p{N}])_/gu;

type Cut = { readonly done: readonly string[]; readonly text: string; readonly carry: string };

/** Moves what is finished out of the tail. With `final` everything is. */
export function advanceMarkdown(tail: MarkdownTail, options: RenderOptions, final: boolean): Advance {
  const source = tail.carry + tail.text;
  const tokens = lexMarkdown(source).filter((token) => token.raw !== '');
  const open = final ? -1 : openIndex(tokens);
  const finished = open < 0 ? (final ? tokens : []) : tokens.slice(0, open);
  const done: string[] = [];
  let join = tail.join;
  let previous: Token | undefined;
  const gap = (): boolean => (previous === undefined ? join === 'gap' : hasGap(previous));
  for (const token of finished) {
    const rows = renderBlock(token, options);
    if (rows.length === 0) continue;
    if (gap()) done.push('');
    done.push(...rows);
    previous = token;
    join = 'gap';
  }
  const last = tokens[open];
  if (last === undefined) {
    const kept = final ? '' : source;
    return { done, tail: { text: kept, carry: '', join: previous !== undefined && !hasGap(previous) ? 'none' : join }, live: [] };
  }
  const rest = source.slice(offsetOf(tokens, open, source));
  const before = gap() ? [''] : [];
  const cut = open === tokens.findLastIndex((token) => token.type !== 'space') ? cutBlock(last, rest, options) : undefined;
  if (cut !== undefined && cut.done.length > 0) {
    const next = { text: cut.text, carry: cut.carry, join: 'none' as const };
    const rows = lexMarkdown(cut.carry + cut.text).flatMap((token) => renderBlock(token, options));
    return { done: [...done, ...before, ...cut.done], tail: next, live: rows };
  }
  const carry = finished.length === 0 ? tail.carry : '';
  const joinNext = previous === undefined ? tail.join : hasGap(previous) ? 'gap' : 'none';
  return {
    done,
    tail: { text: carry === '' ? rest : rest.slice(carry.length), carry, join: joinNext },
    live: [...before, ...tokens.slice(open).flatMap((token) => renderBlock(token, options))],
  };
}

/** The block that may still grow: the last one, and with it a list whose next item may just have begun. */
function openIndex(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  const before = tokens.slice(0, Math.max(0, last)).findLastIndex((token) => token.type !== 'space');
  const isMarker = /^ {0,3}(?:\d{1,9}[.)]?|[-*+])\s*$/.test(tokens[last]?.raw ?? '');
  return isMarker && tokens[before]?.type === 'list' ? before : last;
}

/** Where a token begins. The lexer drops white space at the end of lists, so lengths alone do not say. */
function offsetOf(tokens: readonly Token[], index: number, source: string): number {
  let at = 0;
  for (const token of tokens.slice(0, index)) at = Math.max(at, source.indexOf(token.raw, at)) + token.raw.length;
  return Math.max(at, source.indexOf(tokens[index]?.raw ?? '', at));
}

/** The part of an open block that can be shown for good. `raw` is the block with whatever white space follows it. */
function cutBlock(token: Token, raw: string, options: RenderOptions): Cut | undefined {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return cutParagraph(token, raw, options);
    case 'list':
      return cutList(token as Tokens.List, raw, options) ?? cutLong(raw, options);
    case 'code':
      return cutCode(token as Tokens.Code, raw, options);
    case 'table':
      return cutTable(token as Tokens.Table, raw, options);
    default:
      return cutLong(raw, options);
  }
}

/** Where rows of a paragraph begin, in its displayed text: found by walking the rows along it. */
function rowStarts(display: string, rows: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const row of rows) {
    while (display.charCodeAt(at) === 0x20) at += 1;
    starts.push(at);
    at += row.replace(/\u001b\[[0-9;]*m/g, '').length;
  }
  return starts;
}

/** Full rows of a long paragraph, up to the last break that lies outside of any mark and before any mark that is still open. */
function cutParagraph(token: Token, raw: string, options: RenderOptions): Cut | undefined {
  const spans: readonly Token[] = 'tokens' in token ? (token.tokens ?? []) : [];
  const styled = renderInline(spans, options.paint);
  if (styled.includes('\n') || widthOf(styled) <= 2 * options.width) return raw.length > maxOpenChars ? cutLong(raw, options) : undefined;
  const rows = wrapLine(styled, options.width);
  const display = styled.replace(/\u001b\[[0-9;]*m/g, '');
  const starts = rowStarts(display, rows);
  let bound = display.length;
  let displayAt = 0;
  let rawAt = raw.indexOf(spans[0]?.raw ?? '');
  const plain: { display: number; raw: number; length: number }[] = [];
  for (const span of spans) {
    const shown = renderInline([span], options.paint).replace(/\u001b\[[0-9;]*m/g, '');
    if (span.type === 'text' && shown === span.raw.replace(/\n/g, ' ').replaceAll(paragraphMark, '')) {
      const hidden = span.raw.startsWith(paragraphMark) ? 1 : 0;
      plain.push({ display: displayAt, raw: rawAt + hidden, length: shown.length });
      const from = Math.max(0, display.length - maxMarkChars - displayAt);
      for (const match of shown.slice(from).matchAll(markOpener)) bound = Math.min(bound, displayAt + from + match.index);
    }
    displayAt += shown.length;
    rawAt += span.raw.length;
  }
  for (let row = rows.length - 1; row > 0; row -= 1) {
    const start = starts[row] ?? 0;
    // The row broke where it did because of the word that follows: that word must be whole, and no part of an open mark.
    if (start > bound || (bound < display.length && !display.slice(start, bound).includes(' '))) continue;
    const span = plain.find((part) => start > part.display && start <= part.display + part.length);
    if (span === undefined) continue;
    return { done: rows.slice(0, row), text: raw.slice(span.raw + start - span.display), carry: paragraphMark };
  }
  return undefined;
}

/** All items but the last, which may still grow. */
function cutList(list: Tokens.List, raw: string, options: RenderOptions): Cut | undefined {
  // A bare marker may still turn out to be a rule.
  const isBare = /^\s*(?:\d{1,9}[.)]|[-*+])\s*$/.test(list.items.at(-1)?.raw ?? '');
  const finished = list.items.slice(0, isBare ? -2 : -1);
  if (finished.length === 0) return undefined;
  const from = offsetOf(list.items, finished.length, raw);
  return { done: renderBlock({ ...list, items: finished }, options), text: raw.slice(from), carry: '' };
}

/** The whole lines of a code block that has become long. */
function cutCode(code: Tokens.Code, raw: string, options: RenderOptions): Cut | undefined {
  const lines = raw.split('\n');
  if (raw.length < maxOpenChars && lines.length < maxOpenRows) return undefined;
  const fenced = /^ {0,3}(?:`{3,}|~{3,})[^\n]*/.exec(raw)?.[0];
  const opening = fenced === undefined ? '' : `${fenced}\n`;
  const end = raw.lastIndexOf('\n') + 1;
  if (end <= opening.length) return undefined;
  const text = raw.slice(opening.length, end - 1);
  return { done: renderBlock({ ...code, text } as Tokens.Code, options), text: raw.slice(end), carry: opening };
}

/** The whole rows of a table that has become long; its head is carried on and shown again. */
function cutTable(table: Tokens.Table, raw: string, options: RenderOptions): Cut | undefined {
  if (raw.length < maxOpenChars && table.rows.length < maxOpenRows) return undefined;
  const head = raw.split('\n').slice(0, 2).join('\n');
  const end = raw.lastIndexOf('\n') + 1;
  if (end <= head.length + 1 || table.rows.length < 2) return undefined;
  const rows = lexMarkdown(raw.slice(0, end)).flatMap((token) => renderBlock(token, options));
  return { done: rows, text: raw.slice(end), carry: `${head}\n` };
}

/** Anything else that has become long is cut at a line break, or a space, or where it is. */
function cutLong(raw: string, options: RenderOptions): Cut | undefined {
  if (raw.length < maxOpenChars) return undefined;
  const lineBreak = raw.lastIndexOf('\n') + 1;
  const space = raw.lastIndexOf(' ') + 1;
  const end = lineBreak > maxOpenChars / 2 ? lineBreak : space > maxOpenChars / 2 ? space : raw.length;
  const done = lexMarkdown(raw.slice(0, end)).flatMap((token) => renderBlock(token, options));
  return { done, text: raw.slice(end), carry: lineBreak > maxOpenChars / 2 ? '' : paragraphMark };
}
