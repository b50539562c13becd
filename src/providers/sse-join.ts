/** Where a piece of text stands in a chunk; the text is all that follows in its delta. */
const beginnings = ['"delta":{"content":"', '"delta":{"role":"assistant","content":"'];
/** Reads of fewer bytes bring too few chunks to be worth looking at. */
const minBytes = 1024;

/** A chunk that adds to the text: what stands before its text, the text as JSON writes it, and what stands behind. */
type Piece = { readonly before: string; readonly text: string; readonly behind: string };

/**
 * Joins neighbouring chunks of one network read that differ in nothing but their piece of text, byte for byte: a fast model sends dozens a read,
 * and the SDK takes ten times as long for each as for looking at it here. Everything else passes as it came.
 */
export function createJoiner(): (bytes: Uint8Array) => Uint8Array {
  /** Whether the last read ended where a chunk ends. */
  let isAtStart = true;
  return (bytes) => {
    const wasAtStart = isAtStart;
    isAtStart = bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0a;
    if (bytes.length < minBytes) return bytes;
    // one character a byte, whatever the bytes mean
    const events = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n\n');
    let joined = wasAtStart ? '' : `${events.shift() ?? ''}${events.length > 0 ? '\n\n' : ''}`;
    const rest = events.pop() ?? '';
    let open: Piece | undefined;
    for (const event of events) {
      const piece = readPiece(event);
      if (open !== undefined && piece?.before === open.before && piece.behind === open.behind) {
        open = { ...open, text: open.text + piece.text };
        continue;
      }
      if (open !== undefined) joined += `${open.before}${open.text}${open.behind}\n\n`;
      if (piece === undefined) joined += `${event}\n\n`;
      open = piece;
    }
    if (open !== undefined) joined += `${open.before}${open.text}${open.behind}\n\n`;
    return Buffer.from(joined + rest, 'latin1');
  };
}

/** Undefined for anything but a chunk of one choice that adds to the text and ends nothing. */
function readPiece(event: string): Piece | undefined {
  if (!event.startsWith('data: {') || event.includes('\n')) return undefined;
  for (const beginning of beginnings) {
    const at = event.indexOf(beginning);
    if (at === -1) continue;
    const from = at + beginning.length;
    const to = endOfText(event, from);
    const behind = event.slice(to);
    if (!behind.startsWith('"}') || behind.includes('"delta"') || behind.includes('"finish_reason":"')) return undefined;
    return { before: event.slice(0, from), text: event.slice(from, to), behind };
  }
  return undefined;
}

/** The place of the quote that ends a text of JSON; the end of all when there is none. */
function endOfText(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote;
  }
  return json.length;
}
