import stringWidth from 'string-width';

const printableAscii = /^[\x20-\x7e]*$/;
/** Characters of one column that combine with nothing: Latin, punctuation, arrows, lines and blocks, Braille, and our own marks. */
const narrow = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2298\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/;
const styles = /\u001b\[[0-9;]*m/g;
const escapeSequence = /\u001b\[[0-9;]*m/y;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Intl.Segmenter is quadratic in its input on Node 20: it gets short pieces only. */
const maxSegmentChars = 2048;

/** Columns that a line takes on screen, styles not counted. */
export function widthOf(line: string): number {
  if (printableAscii.test(line)) return line.length;
  const plain = line.includes('\u001b') ? line.replace(styles, '') : line;
  return narrow.test(plain) ? plain.length : stringWidth(plain);
}

/** The user-perceived characters of a line. Pieces are cut only before an ASCII character, so none is torn apart. */
export function graphemesOf(line: string): readonly string[] {
  if (narrow.test(line)) return line.split('');
  const graphemes: string[] = [];
  let from = 0;
  while (from < line.length) {
    let to = Math.min(line.length, from + maxSegmentChars);
    while (to < line.length && line.charCodeAt(to) >= 0x80 && to - from < 2 * maxSegmentChars) to += 1;
    if (to < line.length && line.charCodeAt(to) >= 0xdc00 && line.charCodeAt(to) <= 0xdfff) to += 1;
    for (const { segment } of segmenter.segment(line.slice(from, to))) graphemes.push(segment);
    from = to;
  }
  return graphemes;
}

/** Offset of the grapheme boundary before `offset` (or 0). */
export function previousBoundary(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (text.charCodeAt(offset - 1) < 0x80 && text.charCodeAt(offset - 1) !== 0x0a) {
    if (offset < 2 || text.charCodeAt(offset - 2) !== 0x0d) return offset - 1;
  }
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (lineStart === offset) return offset - 1;
  const start = Math.max(lineStart, offset - 256);
  return offset - (graphemesOf(text.slice(start, offset)).at(-1)?.length ?? 1);
}

/** Offset of the grapheme boundary after `offset` (or the end). */
export function nextBoundary(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (text.charCodeAt(offset) === 0x0a) return offset + 1;
  const lineEnd = text.indexOf('\n', offset);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, offset + 256);
  return offset + (graphemesOf(text.slice(offset, end))[0]?.length ?? 1);
}

type Token = { readonly text: string; readonly width: number; readonly kind: 'style' | 'space' | 'char' };

function tokensOf(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < line.length) {
    if (line.charCodeAt(index) === 0x1b) {
      escapeSequence.lastIndex = index;
      const match = escapeSequence.exec(line);
      if (match !== null) {
        tokens.push({ text: match[0], width: 0, kind: 'style' });
        index += match[0].length;
        continue;
      }
    }
    const next = line.indexOf('\u001b', index + 1);
    const run = next < 0 ? line.slice(index) : line.slice(index, next);
    for (const grapheme of graphemesOf(run)) {
      tokens.push({ text: grapheme, width: widthOf(grapheme), kind: grapheme === ' ' ? 'space' : 'char' });
    }
    index += run.length;
  }
  return tokens;
}

/** Styles that are on at the end of `text`, as one string of sequences; `0m` and closing codes end them. */
function openStyles(open: readonly string[], sequence: string): readonly string[] {
  const code = sequence.slice(2, -1);
  if (code === '' || code === '0') return [];
  const closes: Record<string, (other: string) => boolean> = {
    '22': (other) => other === '1' || other === '2',
    '23': (other) => other === '3',
    '24': (other) => other === '4',
    '27': (other) => other === '7',
    '29': (other) => other === '9',
    '39': (other) => /^(?:3[0-7]|9[0-7]|38;)/.test(other),
    '39;49': (other) => /^(?:3[0-7]|9[0-7]|38;|4[0-7]|48;)/.test(other),
  };
  const closed = closes[code];
  if (closed === undefined) return [...open, sequence];
  return open.filter((other) => !closed(other.slice(2, -1)));
}

function wrapAscii(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    let end = rest.lastIndexOf(' ', width);
    const indent = rest.length - rest.trimStart().length;
    if (end <= indent) end = width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(rest.charCodeAt(end) === 0x20 ? end + 1 : end);
  }
  lines.push(rest.trimEnd());
  return lines;
}

/**
 * Breaks one line into rows of at most `width` columns, at spaces where there are any, inside a word where not. Styles go on in the next row.
 * Rows have no trailing spaces.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  const columns = Math.max(1, width);
  if (line.length <= columns && printableAscii.test(line)) return [line.trimEnd()];
  if (printableAscii.test(line)) return wrapAscii(line, columns);
  const tokens = tokensOf(line);
  const rows: string[] = [];
  let row: Token[] = [];
  let rowWidth = 0;
  let lastSpace = -1;
  let styles: readonly string[] = [];
  const finish = (upTo: number): void => {
    const kept = row.slice(0, upTo);
    const rest = row.slice(upTo);
    let text = styles.join('');
    for (const token of kept) {
      text += token.text;
      if (token.kind === 'style') styles = openStyles(styles, token.text);
    }
    rows.push(styles.length > 0 ? `${trimStyled(text)}\u001b[0m` : trimStyled(text));
    row = rest[0]?.kind === 'space' ? rest.slice(1) : rest;
    rowWidth = row.reduce((sum, token) => sum + token.width, 0);
    lastSpace = row.findLastIndex((token) => token.kind === 'space');
  };
  let sawText = false;
  for (const token of tokens) {
    if (rowWidth + token.width > columns && token.width > 0) {
      if (token.kind === 'space') {
        finish(row.length);
        lastSpace = -1;
        continue;
      }
      const breakable = lastSpace > 0 && sawText;
      const wide = token.width > 1 && (row.at(-1)?.width ?? 0) > 1;
      if (breakable && !wide) finish(lastSpace);
      if (rowWidth + token.width > columns && row.length > 0) finish(row.length);
    }
    if (token.kind === 'space' && sawText) lastSpace = row.length;
    if (token.kind === 'char') sawText = true;
    row.push(token);
    rowWidth += token.width;
  }
  let text = styles.join('');
  for (const token of row) text += token.text;
  rows.push(trimStyled(text));
  return rows;
}

function trimStyled(row: string): string {
  return row.replace(/ +((?:\u001b\[[0-9;]*m)*)$/, '$1');
}

/** Wraps text of several lines, with what stands before the first row and before the others. */
export function wrapText(
  text: string,
  width: number,
  indent: { first: string; rest: string } = { first: '', rest: '' },
): readonly string[] {
  const inner = Math.max(1, width - Math.max(widthOf(indent.first), widthOf(indent.rest)));
  const rows: string[] = [];
  for (const line of text.split('\n')) {
    for (const row of wrapLine(line.replaceAll('\t', '    '), inner)) {
      rows.push(((rows.length === 0 ? indent.first : indent.rest) + row).trimEnd());
    }
  }
  return rows;
}

/** Cuts a line to `width` columns, with "…" in place of what was cut. */
export function truncateLine(line: string, width: number): string {
  if (width <= 0) return '';
  if (widthOf(line) <= width) return line;
  let text = '';
  let used = 0;
  let styled = false;
  for (const token of tokensOf(line)) {
    if (used + token.width > width - 1) break;
    text += token.text;
    used += token.width;
    if (token.kind === 'style') styled = true;
  }
  return `${text}…${styled ? '\u001b[0m' : ''}`;
}

/** Cuts the beginning off: for paths, whose end says more. */
export function truncateStart(line: string, width: number): string {
  if (width <= 0) return '';
  if (widthOf(line) <= width) return line;
  let text = '';
  let used = 0;
  for (const grapheme of graphemesOf(line).toReversed()) {
    const columns = widthOf(grapheme);
    if (used + columns > width - 1) break;
    text = grapheme + text;
    used += columns;
  }
  return `…${text}`;
}

/** White space of any kind as single spaces, for text that must stay on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
