const nextRow = /\u001b\[E/g;
/** A frame over the one before it: the cursor leaves the input for the last row, and goes up to the first. */
const overOlder = /^\u001b\[\?25l(?:\u001b\[(\d+)B)?\u001b\[1G((?:\u001b\[2K\u001b\[1A)*)(\u001b\[2K\u001b\[G)?\u001b\[(\d+)A/;
/** Back from below the last row to the input. */
const toInput = /(?:\u001b\[(\d+)A)?\u001b\[\d+G\u001b\[\?25h$/;
const cutRows = '\u001b[?7l';
const wrapRows = '\u001b[?7h';

/**
 * Lets a frame of Ink's hold when the window changes while it is on its way. Ink finds the first row by way of the last, and a window that
 * loses rows drops those below the cursor first: moves down stop at its edge then, those up go too far, and the frame is drawn over what
 * is above it. What this leaves goes up only, and down by line feeds, which make the rows that are missing. And in a window that has become
 * narrower the rows from the input on are cut, not wrapped: the cursor comes back to the input.
 */
export function anchorFrame(text: string): string {
  const head = overOlder.exec(text);
  const body = head === null ? text : text.slice(head[0].length).replace(nextRow, '\n');
  const suffix = toInput.exec(body);
  if (head === null && suffix === null) return text;
  const rows = body.slice(0, suffix?.index);
  const start = head === null ? '' : `\u001b[?25l\u001b[1G${upTo(head)}`;
  // Rows that the new frame does not have: they were erased from below, now they are from above.
  const rest = head?.[3] === undefined ? '' : '\u001b[J';
  if (suffix === null || rows === '') return start + rows + rest + (suffix?.[0] ?? '');
  const input = inputStart(rows, Number(suffix[1] ?? 0));
  return start + rows.slice(0, input) + cutRows + rows.slice(input) + wrapRows + rest + suffix[0];
}

/** The way from the input to the first row. */
function upTo([, down = '0', erased = '', , up = '0']: RegExpExecArray): string {
  const rows = Number(up) + erased.split('A').length - 1 - Number(down);
  return rows > 0 ? `\u001b[${rows}A` : rows < 0 ? `\u001b[${-rows}B` : '';
}

/** Where the input's row begins, so many rows above the end. */
function inputStart(rows: string, above: number): number {
  let at = rows.length;
  for (let row = 0; row <= above && at > 0; row += 1) at = rows.lastIndexOf('\n', at - 1);
  return at + 1;
}
