/** A line of a log: its bytes without the line feed, and whether the line feed was there. */
export type LogLine = { readonly bytes: Buffer; readonly end: number; readonly terminated: boolean };

const lineFeed = 0x0a;

/** The lines in order; the last one is not terminated when the log ends without a line feed. `end` counts the line feed. */
export function* linesOf(log: Buffer): Generator<LogLine> {
  let start = 0;
  while (start < log.length) {
    const at = log.indexOf(lineFeed, start);
    if (at < 0) {
      yield { bytes: log.subarray(start), end: log.length, terminated: false };
      return;
    }
    yield { bytes: log.subarray(start, at), end: at + 1, terminated: true };
    start = at + 1;
  }
}

/** The lines of a stream of text pieces, without their line feeds; the last one also when no line feed ends it. */
export async function* linesOfStream(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * One JSON value on one line that is safe to print: control, invisible and direction-changing characters are escaped, so that the
 * value is unchanged for a parser and harmless for a terminal.
 */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
}
