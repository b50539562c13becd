import { graphemesOf, widthOf } from './text.ts';

export type Cursor = { readonly x: number; readonly y: number };
export type EditorRows = { readonly rows: readonly string[]; readonly cursor: Cursor };

/** The input as rows of the screen, each at most `width` columns, with the cursor's place. Long rows break anywhere, as in a terminal. */
export function editorLines(
  text: string,
  cursor: number,
  options: { readonly width: number; readonly maxRows: number; readonly mark: string },
): EditorRows {
  const indent = ' '.repeat(widthOf(options.mark));
  const inner = Math.max(1, options.width - indent.length - 1);
  const rows: string[] = [];
  let place: Cursor = { x: 0, y: 0 };
  let offset = 0;
  for (const line of text.split('\n')) {
    let row = '';
    let used = 0;
    let at = offset;
    for (const grapheme of graphemesOf(line)) {
      const shown = grapheme === '\t' ? '    ' : grapheme;
      const columns = widthOf(shown);
      if (used + columns > inner && used > 0) {
        rows.push(row);
        row = '';
        used = 0;
      }
      if (at === cursor) place = { x: used, y: rows.length };
      row += shown;
      used += columns;
      at += grapheme.length;
    }
    if (at === cursor) place = { x: used, y: rows.length };
    rows.push(row);
    offset += line.length + 1;
  }
  const top = Math.max(0, place.y - options.maxRows + 1);
  const shown = rows.slice(top, top + options.maxRows);
  return {
    rows: shown.map((row, index) => (index === 0 && top === 0 ? options.mark : indent) + row),
    cursor: { x: place.x + indent.length, y: place.y - top },
  };
}
