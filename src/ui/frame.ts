import { approvalLines } from './approval-lines.ts';
import { type Cursor, editorLines } from './editor-lines.ts';
import type { Highlight } from './markdown.ts';
import { menuLines, pickerLines, searchLine } from './menu-lines.ts';
import { activityLine, questionLines, spinnerAt, statusLine, todoPanelLines, waitingLines } from './status-lines.ts';
import { truncateLine } from './text.ts';
import type { Paint } from './theme.ts';
import { liveTranscript } from './transcript.ts';
import type { UiState } from './ui-state.ts';

/** The live part of the screen, section by section from top to bottom. Together it has at most rows − 2 rows. */
export type Frame = {
  readonly transcript: readonly string[];
  readonly activity: readonly string[];
  readonly panel: readonly string[];
  readonly box: readonly string[];
  readonly waiting: readonly string[];
  readonly editor: readonly string[];
  readonly menu: readonly string[];
  readonly status: readonly string[];
  /** Where the cursor stands, counted from the top left of the frame. */
  readonly cursor: Cursor | undefined;
  /** Whether the end of what is to be approved is on screen. */
  readonly showsEnd: boolean;
};

export type FrameOptions = { readonly paint: Paint; readonly highlight: Highlight; readonly now: number };

const maxMenuRows = 6;
const maxWaitingRows = 3;
const placeholder = 'Ask for something, or / for commands';

/** Shares the rows of the window out: what needs an answer first, then the input, then everything else. */
export function composeFrame(state: UiState, options: FrameOptions): Frame {
  const { columns: width, rows } = state.size;
  const { paint, now } = options;
  const line = { width, paint, now };
  let room = Math.max(1, rows - 2);
  const take = (wanted: readonly string[], atMost: number): readonly string[] => {
    const taken = wanted.slice(0, Math.max(0, Math.min(atMost, room)));
    room -= taken.length;
    return taken;
  };
  const roomy = room >= 10;
  const approval = state.approval;
  const tight = approval !== undefined && room < 5;
  const status = room >= 2 && !tight ? take([statusLine(state, line)], 1) : [];
  const asks = approval !== undefined && !approval.refusing;
  const hidesEditor = asks && (room < 8 || state.input.text === '');
  const keptForEditor = hidesEditor ? 0 : 1;
  const box =
    approval === undefined
      ? undefined
      : approvalLines(approval, { ...line, maxRows: Math.max(1, room - keptForEditor - (room > 8 ? 1 : 0)) });
  const boxRows = take(box?.rows ?? (state.view.questions.length > 0 ? questionLines(state, line) : []), room - keptForEditor);
  const editor = hidesEditor ? undefined : editorOf(state, options, Math.max(1, Math.min(room, Math.max(1, Math.floor(room / 2)))));
  const editorRows = take(editor?.rows ?? [], room);
  const gapRows = roomy && room >= 6 ? 1 : 0;
  room -= gapRows;
  // While something is asked, the question says what is waited for.
  const activityText = box === undefined ? activityLine(state, line) : '';
  const activity = activityText === '' ? [] : take([activityText], 1);
  const menu = take(menuOf(state, line), Math.min(maxMenuRows, room));
  const waiting = take(waitingLines(state, line, maxWaitingRows), maxWaitingRows);
  const panel = state.todoPanel
    ? take(todoPanelLines(state, { ...line, maxRows: Math.min(room, Math.max(1, Math.floor(rows / 4))) }), room)
    : [];
  const live = liveTranscript(state.view, { ...options, width, spinner: spinnerAt(now) }, room);
  const transcript = live.slice(Math.max(0, live.length - room));
  const above = [transcript, activity, panel, boxRows, waiting];
  const gap = gapRows === 1 ? [''] : [];
  return {
    transcript: [...transcript, ...gap],
    activity,
    panel,
    box: boxRows,
    waiting,
    editor: editorRows,
    menu,
    status,
    cursor: cursorOf(editor?.cursor, editorRows.length, gap.length + above.reduce((sum, part) => sum + part.length, 0)),
    showsEnd: box?.showsEnd ?? false,
  };
}

function cursorOf(cursor: Cursor | undefined, editorRows: number, above: number): Cursor | undefined {
  if (cursor === undefined || editorRows === 0) return undefined;
  return { x: cursor.x, y: Math.min(cursor.y, editorRows - 1) + above };
}

function editorOf(state: UiState, options: FrameOptions, maxRows: number): { rows: readonly string[]; cursor: Cursor } {
  const { paint } = options;
  const width = state.size.columns;
  if (state.search !== undefined) return searchLine(state.search, { width, paint });
  const mark = state.approval?.refusing === true ? 'why not? ' : state.input.text.startsWith('!') ? '! ' : '> ';
  const { rows, cursor } = editorLines(state.input.text, state.input.cursor, { width, maxRows, mark });
  const painted = rows.map((row, index) => {
    const text = index === 0 && row.startsWith(mark) ? paint('accent', mark.trimEnd()) + row.slice(mark.trimEnd().length) : row;
    return text.trimEnd();
  });
  if (state.input.text !== '') return { rows: painted, cursor };
  const hint = state.approval?.refusing === true ? 'Enter sends it, Esc goes back' : state.view.questions.length > 0 ? '' : placeholder;
  return { rows: [`${paint('accent', mark.trimEnd())} ${paint('dim', truncateLine(hint, width - mark.length))}`.trimEnd()], cursor };
}

function menuOf(state: UiState, options: { width: number; paint: Paint }): readonly string[] {
  if (state.picker !== undefined) return pickerLines(state.picker, options, maxMenuRows);
  return state.completion === undefined ? [] : menuLines(state.completion, options, maxMenuRows);
}
