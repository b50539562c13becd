import type { Frame } from './frame.ts';
import { widthOf } from './text.ts';

/** All rows of a frame from top to bottom. */
export function rowsOfFrame(frame: Frame): readonly string[] {
  return [frame.transcript, frame.activity, frame.panel, frame.box, frame.waiting, frame.editor, frame.menu, frame.status].flat();
}

/** How many rows of a window `columns` wide a row takes: terminals wrap what was wider anew. */
function height(row: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(row) / columns));
}

/**
 * Takes a frame off the screen after the window has become `columns` wide. The cursor stands in the frame's input, or below the frame when
 * there is none; what lies above it was wrapped anew by the terminal. `drifts`: xterm.js, which VS Code uses, moves the cursor down also for
 * what it wraps at and below it.
 */
export function eraseFrame(frame: Frame, columns: number, options: { readonly drifts: boolean }): string {
  const rows = rowsOfFrame(frame);
  const cursorRow = frame.cursor?.y ?? rows.length;
  const above = rows.slice(0, cursorRow).reduce((sum, row) => sum + height(row, columns), 0);
  const drift = options.drifts ? rows.slice(cursorRow).reduce((sum, row) => sum + height(row, columns) - 1, 0) : 0;
  const up = above + drift;
  return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
}
