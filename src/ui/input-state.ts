import { graphemesOf, nextBoundary, previousBoundary } from './text.ts';

/** A long paste: shown as its placeholder, sent as its text. */
type Folded = { readonly placeholder: string; readonly text: string };
type Snapshot = { readonly text: string; readonly cursor: number };

/** The line being edited, with what its keys need to remember. `cursor` is an offset into `text`, always between graphemes. */
export type InputState = {
  readonly text: string;
  readonly cursor: number;
  readonly folded: readonly Folded[];
  readonly pasteCount: number;
  readonly kills: readonly string[];
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  /** Oldest first. */
  readonly history: readonly string[];
  /** Index into history while leafing through it; `draft` is what stood there before. */
  readonly historyIndex: number | undefined;
  readonly draft: string;
  /** What the last action was: typing is undone in one piece, kills in a row are joined, a yank may be rotated. */
  readonly last: 'type' | 'kill' | 'yank' | 'other';
  readonly yanked: { readonly start: number; readonly end: number; readonly index: number } | undefined;
};

export type InputAction =
  | { readonly type: 'insert'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'set'; readonly text: string }
  | { readonly type: 'replace'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly type: 'backspace' | 'delete' | 'left' | 'right' | 'word-left' | 'word-right' | 'line-start' | 'line-end' | 'start' | 'end' }
  | { readonly type: 'up' | 'down' | 'history-previous' | 'history-next' }
  | { readonly type: 'kill-to-end' | 'kill-to-start' | 'kill-word-left' | 'kill-word-right' | 'kill-space-word-left' }
  | { readonly type: 'yank' | 'yank-pop' | 'transpose' | 'undo' | 'redo' | 'clear' }
  /** The line was sent: it is empty now, and the newest of the history. */
  | { readonly type: 'sent'; readonly line: string }
  | { readonly type: 'load-history'; readonly lines: readonly string[] };

export const emptyInput: InputState = {
  text: '',
  cursor: 0,
  folded: [],
  pasteCount: 0,
  kills: [],
  undo: [],
  redo: [],
  history: [],
  historyIndex: undefined,
  draft: '',
  last: 'other',
  yanked: undefined,
};

const maxUndo = 200;
const maxKills = 20;
const maxHistory = 1000;
/** A paste above one of these is folded. */
const foldChars = 1000;
const foldLines = 10;

/** The text as it is sent: placeholders replaced by what was pasted. */
export function expandInput(state: InputState): string {
  return state.folded.reduce((text, { placeholder, text: pasted }) => text.replace(placeholder, () => pasted), state.text);
}

/** Pasted text as it may enter the line: LF line ends, no control characters but TAB. */
export function cleanPaste(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

function placeholderAt(state: InputState, offset: number, side: 'before' | 'after'): Folded | undefined {
  return state.folded.find(({ placeholder }) =>
    side === 'before' ? state.text.endsWith(placeholder, offset) : state.text.startsWith(placeholder, offset),
  );
}

function leftOf(state: InputState, offset: number): number {
  const folded = placeholderAt(state, offset, 'before');
  return folded === undefined ? previousBoundary(state.text, offset) : offset - folded.placeholder.length;
}

function rightOf(state: InputState, offset: number): number {
  const folded = placeholderAt(state, offset, 'after');
  return folded === undefined ? nextBoundary(state.text, offset) : offset + folded.placeholder.length;
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

function wordLeft(state: InputState): number {
  let offset = state.cursor;
  while (offset > 0 && !wordCharacter.test(state.text.slice(leftOf(state, offset), offset))) offset = leftOf(state, offset);
  while (offset > 0 && wordCharacter.test(state.text.slice(leftOf(state, offset), offset))) offset = leftOf(state, offset);
  return offset;
}

function wordRight(state: InputState): number {
  let offset = state.cursor;
  const end = state.text.length;
  while (offset < end && !wordCharacter.test(state.text.slice(offset, rightOf(state, offset)))) offset = rightOf(state, offset);
  while (offset < end && wordCharacter.test(state.text.slice(offset, rightOf(state, offset)))) offset = rightOf(state, offset);
  return offset;
}

function spaceWordLeft(state: InputState): number {
  return state.text.slice(0, state.cursor).replace(/\s+$/u, '').replace(/\S+$/u, '').length;
}

function lineStart(state: InputState): number {
  return state.text.lastIndexOf('\n', state.cursor - 1) + 1;
}

function lineEnd(state: InputState): number {
  const end = state.text.indexOf('\n', state.cursor);
  return end < 0 ? state.text.length : end;
}

function moved(state: InputState, cursor: number): InputState {
  return { ...state, cursor, last: 'other', yanked: undefined };
}

function edited(state: InputState, text: string, cursor: number, last: InputState['last'] = 'other'): InputState {
  const joins = last === 'type' && state.last === 'type';
  const undo = joins ? state.undo : [...state.undo.slice(1 - maxUndo), { text: state.text, cursor: state.cursor }];
  const folded = state.folded.filter(({ placeholder }) => text.includes(placeholder));
  return { ...state, text, cursor, folded, undo, redo: [], last, yanked: undefined, historyIndex: undefined };
}

function spliced(state: InputState, from: number, to: number, text: string, last?: InputState['last']): InputState {
  return edited(state, state.text.slice(0, from) + text + state.text.slice(to), from + text.length, last);
}

function killed(state: InputState, from: number, to: number): InputState {
  if (from === to) return moved(state, state.cursor);
  const text = state.text.slice(from, to);
  const [newest = '', ...older] = state.kills;
  const kills =
    state.last === 'kill' ? [to === state.cursor ? text + newest : newest + text, ...older] : [text, ...state.kills.slice(0, maxKills - 1)];
  return { ...spliced(state, from, to, '', 'kill'), kills };
}

function pasted(state: InputState, raw: string): InputState {
  const text = cleanPaste(raw);
  const lines = text.split('\n').length;
  if (text.length <= foldChars && lines <= foldLines) return spliced(state, state.cursor, state.cursor, text);
  const number = state.pasteCount + 1;
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  const placeholder = `[Pasted #${number}: ${size}]`;
  const next = spliced(state, state.cursor, state.cursor, placeholder);
  return { ...next, folded: [...next.folded, { placeholder, text }], pasteCount: number };
}

function leafed(state: InputState, index: number | undefined): InputState {
  if (index !== undefined && (index < 0 || index >= state.history.length)) return state;
  const text = index === undefined ? state.draft : (state.history[index] ?? '');
  const draft = state.historyIndex === undefined ? state.text : state.draft;
  return { ...state, text, cursor: text.length, historyIndex: index, draft, last: 'other', yanked: undefined };
}

function historyPrevious(state: InputState): InputState {
  return leafed(state, (state.historyIndex ?? state.history.length) - 1);
}

function historyNext(state: InputState): InputState {
  if (state.historyIndex === undefined) return state;
  return leafed(state, state.historyIndex + 1 < state.history.length ? state.historyIndex + 1 : undefined);
}

/** Moves by one line of text, keeping the column; at the first or last line it leafs through history. */
function vertical(state: InputState, direction: 'up' | 'down'): InputState {
  const start = lineStart(state);
  const end = lineEnd(state);
  if (direction === 'up' && start === 0) return historyPrevious(state);
  if (direction === 'down' && end === state.text.length) return historyNext(state);
  const column = graphemesOf(state.text.slice(start, state.cursor)).length;
  const targetStart = direction === 'up' ? state.text.lastIndexOf('\n', start - 2) + 1 : end + 1;
  const targetEnd = state.text.indexOf('\n', targetStart);
  const target = state.text.slice(targetStart, targetEnd < 0 ? state.text.length : targetEnd);
  return moved(state, targetStart + graphemesOf(target).slice(0, column).join('').length);
}

function yanked(state: InputState): InputState {
  const text = state.kills[0];
  if (text === undefined) return state;
  const next = spliced(state, state.cursor, state.cursor, text, 'yank');
  return { ...next, yanked: { start: state.cursor, end: next.cursor, index: 0 } };
}

function yankPopped(state: InputState): InputState {
  if (state.yanked === undefined || state.last !== 'yank') return state;
  const index = (state.yanked.index + 1) % state.kills.length;
  const text = state.kills[index] ?? '';
  const next = spliced(state, state.yanked.start, state.yanked.end, text, 'yank');
  return { ...next, yanked: { start: state.yanked.start, end: next.cursor, index } };
}

function transposed(state: InputState): InputState {
  const at = state.cursor === state.text.length ? leftOf(state, state.cursor) : state.cursor;
  const before = leftOf(state, at);
  const after = rightOf(state, at);
  if (before === at || after === at) return state;
  return edited(
    state,
    state.text.slice(0, before) + state.text.slice(at, after) + state.text.slice(before, at) + state.text.slice(after),
    after,
  );
}

function travelled(state: InputState, from: 'undo' | 'redo'): InputState {
  const snapshot = state[from].at(-1);
  if (snapshot === undefined) return state;
  const here = { text: state.text, cursor: state.cursor };
  const other = from === 'undo' ? 'redo' : 'undo';
  return { ...moved(state, snapshot.cursor), text: snapshot.text, [from]: state[from].slice(0, -1), [other]: [...state[other], here] };
}

function sent(state: InputState, line: string): InputState {
  const history = line === '' || state.history.at(-1) === line ? state.history : [...state.history.slice(1 - maxHistory), line];
  return { ...emptyInput, history, kills: state.kills };
}

/** The editor: one action, one new state. */
export function reduceInput(state: InputState, action: InputAction): InputState {
  switch (action.type) {
    case 'insert':
      return spliced(state, state.cursor, state.cursor, action.text, /\s/u.test(action.text) ? 'other' : 'type');
    case 'paste':
      return pasted(state, action.text);
    case 'set':
      return { ...edited(state, action.text, action.text.length), folded: state.folded.filter((f) => action.text.includes(f.placeholder)) };
    case 'replace':
      return spliced(state, action.from, action.to, action.text);
    case 'backspace':
      return spliced(state, leftOf(state, state.cursor), state.cursor, '');
    case 'delete':
      return edited(state, state.text.slice(0, state.cursor) + state.text.slice(rightOf(state, state.cursor)), state.cursor);
    case 'left':
      return moved(state, leftOf(state, state.cursor));
    case 'right':
      return moved(state, rightOf(state, state.cursor));
    case 'word-left':
      return moved(state, wordLeft(state));
    case 'word-right':
      return moved(state, wordRight(state));
    case 'line-start':
      return moved(state, lineStart(state));
    case 'line-end':
      return moved(state, lineEnd(state));
    case 'start':
      return moved(state, 0);
    case 'end':
      return moved(state, state.text.length);
    case 'up':
    case 'down':
      return vertical(state, action.type);
    case 'history-previous':
      return historyPrevious(state);
    case 'history-next':
      return historyNext(state);
    case 'kill-to-end':
      // At the end of a line the line break goes, as readline users expect.
      return killed(state, state.cursor, lineEnd(state) === state.cursor ? rightOf(state, state.cursor) : lineEnd(state));
    case 'kill-to-start':
      return killed(state, lineStart(state), state.cursor);
    case 'kill-word-left':
      return killed(state, wordLeft(state), state.cursor);
    case 'kill-word-right':
      return killed(state, state.cursor, wordRight(state));
    case 'kill-space-word-left':
      return killed(state, spaceWordLeft(state), state.cursor);
    case 'yank':
      return yanked(state);
    case 'yank-pop':
      return yankPopped(state);
    case 'transpose':
      return transposed(state);
    case 'undo':
    case 'redo':
      return travelled(state, action.type);
    case 'clear':
      return edited(state, '', 0);
    case 'sent':
      return sent(state, action.line);
    case 'load-history':
      return { ...state, history: action.lines.slice(-maxHistory) };
  }
}
