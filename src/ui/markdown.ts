import type { Token, Tokens } from 'marked';
import { Lexer } from 'marked';
import { oneLine, widthOf, wrapLine, wrapText } from './text.ts';
import type { Paint } from './theme.ts';

/** Colours code, or leaves it as it is while the highlighter is not loaded or does not know the language. */
export type Highlight = (code: string, language: string) => string;

export type RenderOptions = { readonly width: number; readonly paint: Paint; readonly highlight: Highlight };

/** Stands before text that goes on in the middle of a paragraph, so that it is not read as a list or a heading; never shown. */
export const paragraphMark = '\u2060';

/** Blocks of a Markdown text, inline marks included. */
export function lexMarkdown(text: string): readonly Token[] {
  return new Lexer({ gfm: true }).lex(text);
}

/** A run of text on one line with its marks turned into styles. */
export function renderInline(tokens: readonly Token[], paint: Paint): string {
  return tokens.map((token) => renderSpan(token, paint)).join('');
}

function renderSpan(token: Token, paint: Paint): string {
  switch (token.type) {
    case 'strong':
      return paint('bold', renderInline(token.tokens ?? [], paint));
    case 'em':
      return paint('italic', renderInline(token.tokens ?? [], paint));
    case 'del':
      return paint('strike', renderInline(token.tokens ?? [], paint));
    case 'codespan':
      return paint('code', softBreaks(String(token.text)));
    case 'br':
      return '\n';
    case 'link':
      return renderLink(token as Tokens.Link, paint);
    case 'image':
      return `${paint('link', softBreaks(String(token.text || 'image')))} ${paint('dim', `(${String(token.href)})`)}`;
    case 'text':
      return token.tokens === undefined ? softBreaks(String(token.text)) : renderInline(token.tokens, paint);
    case 'escape':
      return String(token.text);
    default:
      return softBreaks(token.raw);
  }
}

function renderLink(token: Tokens.Link, paint: Paint): string {
  const text = renderInline(token.tokens, paint);
  const plain = token.href.replace(/^mailto:/, '');
  return token.text === plain || token.text === token.href
    ? paint('link', plain)
    : `${paint('link', text)} ${paint('dim', `(${token.href})`)}`;
}

function softBreaks(text: string): string {
  return text.replace(/\n/g, ' ').replaceAll(paragraphMark, '');
}

/** One block as rows of the screen. */
export function renderBlock(token: Token, options: RenderOptions): readonly string[] {
  const { width, paint } = options;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const text = paint('bold', renderInline(token.tokens ?? [], paint));
      return wrapText(token.depth === 1 ? paint('underline', text) : text, width);
    }
    case 'paragraph':
    case 'text':
      return wrapText(renderInline(token.tokens ?? [], paint) || softBreaks(token.raw), width);
    case 'code':
      return renderCode(token as Tokens.Code, options);
    case 'list':
      return renderList(token as Tokens.List, options);
    case 'blockquote':
      return renderBlocks(token.tokens ?? [], { ...options, width: Math.max(1, width - 2) }).map((row) =>
        `${paint('dim', '>')} ${row}`.trimEnd(),
      );
    case 'table':
      return renderTable(token as Tokens.Table, options);
    case 'hr':
      return [paint('dim', '─'.repeat(Math.min(width, 40)))];
    default:
      return wrapText(token.raw.replace(/\n+$/, '').replaceAll(paragraphMark, ''), width);
  }
}

/** Blocks with one blank row between them; none after a heading. */
export function renderBlocks(tokens: readonly Token[], options: RenderOptions): readonly string[] {
  const rows: string[] = [];
  let previous: Token | undefined;
  for (const token of tokens) {
    const block = renderBlock(token, options);
    if (block.length === 0) continue;
    if (previous !== undefined && hasGap(previous)) rows.push('');
    rows.push(...block);
    previous = token;
  }
  return rows;
}

/** Whether a blank row stands after a block. */
export function hasGap(previous: Token): boolean {
  return previous.type !== 'heading';
}

function renderCode(token: Tokens.Code, options: RenderOptions): readonly string[] {
  const language = (token.lang ?? '').trim().split(/[\s,{]/)[0] ?? '';
  const code = token.text.replaceAll('\t', '    ');
  const colored = language === '' ? options.paint('code', '') || code : options.highlight(code, language);
  const plain = colored === code;
  return colored.split('\n').flatMap((line) => wrapLine(plain ? options.paint('code', line) : line, options.width));
}

function renderList(list: Tokens.List, options: RenderOptions): readonly string[] {
  return list.items.flatMap((item) => {
    // The numbers as they were written: a list that is shown in parts could not be counted.
    const bullet = list.ordered ? (/^\s*(\d+[.)])/.exec(item.raw)?.[1] ?? '1.') : '-';
    const task = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : '';
    const mark = `${bullet} ${task}`;
    const indent = ' '.repeat(bullet.length + 1);
    const rows = renderItem(item, { ...options, width: Math.max(1, options.width - mark.length) });
    return (rows.length === 0 ? [''] : rows).map((row, at) => ((at === 0 ? mark : indent) + row).trimEnd());
  });
}

/** The parts of an item follow one another without blank rows, but for code and further paragraphs. */
function renderItem(item: Tokens.ListItem, options: RenderOptions): readonly string[] {
  const rows: string[] = [];
  for (const token of item.tokens) {
    if (token.type === 'checkbox') continue;
    const block = renderBlock(token, options);
    if (rows.length > 0 && block.length > 0 && token.type === 'paragraph') rows.push('');
    rows.push(...block);
  }
  return rows;
}

const columnGap = 2;
const minColumn = 6;

function renderTable(table: Tokens.Table, options: RenderOptions): readonly string[] {
  const { width, paint } = options;
  const header = table.header.map((cell) => paint('bold', oneLine(renderInline(cell.tokens, paint))));
  const body = table.rows.map((row) => row.map((cell) => oneLine(renderInline(cell.tokens, paint))));
  const natural = header.map((cell, column) => Math.max(1, widthOf(cell), ...body.map((row) => widthOf(row[column] ?? ''))));
  const room = width - columnGap * (header.length - 1);
  if (room < minColumn * header.length && natural.reduce((sum, size) => sum + size, 0) > room) {
    return renderRecords(header, body, options);
  }
  const widths = fitColumns(natural, room);
  const rule = paint('dim', widths.map((size) => '─'.repeat(size)).join(' '.repeat(columnGap)));
  const row = (cells: readonly string[]): readonly string[] => renderRow(cells, widths, table.align);
  return [...row(header), rule, ...body.flatMap(row)];
}

/** Takes columns from the widest until all fit. */
function fitColumns(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, size) => sum + size, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const size = widths[widest] ?? 0;
    if (size <= minColumn) break;
    const second = Math.max(minColumn, ...widths.filter((_, index) => index !== widest));
    const cut = Math.max(1, Math.min(excess, size - Math.min(second, size - 1)));
    widths[widest] = size - cut;
    excess -= cut;
  }
  return widths;
}

function renderRow(cells: readonly string[], widths: readonly number[], align: Tokens.Table['align']): readonly string[] {
  const wrapped = widths.map((size, column) => wrapLine(cells[column] ?? '', size));
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, at) =>
    widths
      .map((size, column) => {
        const text = wrapped[column]?.[at] ?? '';
        const space = Math.max(0, size - widthOf(text));
        const left = align[column] === 'right' ? space : align[column] === 'center' ? Math.floor(space / 2) : 0;
        return ' '.repeat(left) + text + ' '.repeat(space - left);
      })
      .join(' '.repeat(columnGap))
      .trimEnd(),
  );
}

/** A table that does not fit: one block per row, a line per cell. */
function renderRecords(header: readonly string[], body: readonly (readonly string[])[], options: RenderOptions): readonly string[] {
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap((cell, column) => wrapText(`${header[column] ?? ''}: ${cell}`, options.width, { first: '', rest: '  ' })),
  ]);
}
