import type { Frame } from './frame.ts';
import { widthOf } from './text.ts';

/** All rows of a frame from top to bottom. */
export function rowsOfFrame(frame: Frame): readonly string[] {
  return [frame.transcript, frame.activity, frame.panel, frame.box, frame.waiting, frame.editor, frame.menu, frame.status].flat();
}

/**
 * Takes a frame off the screen after the window has become `columns` wide. The cursor stands in the frame's input, or below the frame when
 * there is none; what lies above it was wrapped anew by the terminal, where it `reflows`. Never goes up further than the frame may reach: a
 * row that stays behind is less harm than one that is lost. (xterm.js, in VS Code, moves the cursor down also for what it wraps below it;
 * how far cannot be told, so there a copy of the input row may stay behind.)
 */
export function eraseFrame(frame: Frame, columns: number, options: { readonly reflows: boolean }): string {
  const rows = rowsOfFrame(frame);
  const height = (row: string): number => (options.reflows ? Math.max(1, Math.ceil(widthOf(row) / columns)) : 1);
  const up = rows.slice(0, frame.cursor?.y ?? rows.length).reduce((sum, row) => sum + height(row), 0);
  return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
}

/** Whether the terminal wraps old rows anew in a narrower window: all do but the Linux console, xterm and GNU screen. */
export function reflowsIn(environment: Readonly<Partial<Record<'TERM' | 'XTERM_VERSION' | 'TMUX', string>>>): boolean {
  const { TERM = '', XTERM_VERSION, TMUX } = environment;
  return !(TERM === 'linux' || XTERM_VERSION !== undefined || (TERM.startsWith('screen') && TMUX === undefined));
}
