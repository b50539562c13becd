/** Characters of the chunk that must recur, and of the stretch per recurrence within which it must do so. */
const chunkChars = 50;
const stretchChars = 500;

/** Prose of one response, without code fences, tables and lists. */
export type TextLoopState = {
  readonly prose: string;
  /** Characters of prose since the last look. */
  readonly unread: number;
  /** Start of the present line, while its kind is not known, and what the line is once it is. */
  readonly lineStart: string;
  readonly line: 'unknown' | 'prose' | 'skipped';
  readonly inFence: boolean;
};

export const noTextYet: TextLoopState = { prose: '', unread: 0, lineStart: '', line: 'unknown', inFence: false };

/** Enough of a line to tell its kind. */
const kindChars = 5;

export type TextLoopStep = { readonly state: TextLoopState; readonly repeats: boolean };

/**
 * Takes in streamed text; `repeats` when the same 50 characters stood there `limit` times close together. -1 never does. It looks every 50
 * characters, in however large pieces the text comes.
 */
export function stepTextLoop(state: TextLoopState, text: string, limit: number): TextLoopStep {
  let step: TextLoopStep = { state, repeats: false };
  if (limit <= 0) return step;
  for (let at = 0; at < text.length && !step.repeats; at += chunkChars)
    step = stepPiece(step.state, text.slice(at, at + chunkChars), limit);
  return step;
}

function stepPiece(state: TextLoopState, text: string, limit: number): TextLoopStep {
  let { prose, unread, lineStart, line, inFence } = state;
  let position = 0;
  while (position < text.length) {
    const newline = text.indexOf('\n', position);
    const end = newline === -1 ? text.length : newline;
    let piece = text.slice(position, end);
    if (line === 'unknown') {
      lineStart += piece;
      piece = '';
      if (lineStart.trimStart().length >= kindChars || newline !== -1) {
        const kind = kindOfLine(lineStart);
        if (kind === 'fence') inFence = !inFence;
        line = kind === 'prose' && !inFence ? 'prose' : 'skipped';
        piece = lineStart;
        lineStart = '';
      }
    }
    if (line === 'prose' && piece !== '') {
      prose += piece;
      unread += piece.length;
    }
    if (newline === -1) break;
    line = 'unknown';
    lineStart = '';
    position = newline + 1;
  }
  let repeats = false;
  if (unread >= chunkChars) {
    unread = 0;
    prose = prose.slice(-limit * stretchChars);
    repeats = countChunk(prose, limit);
  }
  return { state: { prose, unread, lineStart, line, inFence }, repeats };
}

function kindOfLine(start: string): 'fence' | 'skipped' | 'prose' {
  const trimmed = start.trimStart();
  if (trimmed.startsWith('```') || trimmed.startsWith('~~~')) return 'fence';
  return /^(?:\||[-*+]\s|\d{1,3}[.)])/u.test(trimmed) ? 'skipped' : 'prose';
}

function countChunk(prose: string, limit: number): boolean {
  const chunk = prose.slice(-chunkChars);
  if (!/[\p{L}\p{N}]/u.test(chunk)) return false;
  let found = 0;
  for (let at = prose.indexOf(chunk); at !== -1; at = prose.indexOf(chunk, at + chunkChars)) {
    found += 1;
    if (found >= limit) return true;
  }
  return false;
}
