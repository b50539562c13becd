import type { Completion } from '../commands/command.ts';
import type { EngineState } from '../continuation/state.ts';
import type { ApprovalRequest } from '../types/ask.ts';
import { emptyInput, type InputState } from './input-state.ts';
import { emptyView, type ViewState } from './view-state.ts';

export type Size = { readonly columns: number; readonly rows: number };

/** The approval being shown. It takes answers only when its end was on screen and no key came for a while. */
export type ApprovalBox = {
  readonly request: ApprovalRequest;
  /** First row of the preview that is shown. */
  readonly top: number;
  readonly seenEnd: boolean;
  /** Since when no key was pressed that was not an answer, ms. */
  readonly quietSince: number;
  /** While the user writes why not. */
  readonly refusing: boolean;
};

export type CompletionMenu = {
  readonly items: readonly Completion[];
  readonly index: number;
  /** Whether the user chose the entry with the arrows. */
  readonly moved: boolean;
  /** The part of the input that a chosen item replaces. */
  readonly from: number;
  readonly to: number;
};

export type HistorySearch = { readonly query: string; readonly match: string | undefined; readonly skip: number };

export type Picker = {
  readonly kind: 'model' | 'session' | 'provider';
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly label: string; readonly detail: string }[];
  readonly index: number;
  readonly filter: string;
};

/** What the status line says of the session; read anew when something may have changed it. */
export type Facts = {
  readonly model: string;
  readonly mode: string;
  readonly sandbox: string;
  /** Share of the context window in use, 0 to 1; undefined when the window is unknown. */
  readonly contextShare: number | undefined;
  readonly saving: string;
};

export type Waiting = readonly { readonly kind: 'steer' | 'queue'; readonly text: string }[];

/** Everything that a frame is drawn from. */
export type UiState = {
  readonly size: Size;
  readonly view: ViewState;
  readonly input: InputState;
  readonly engine: EngineState;
  readonly waiting: Waiting;
  readonly facts: Facts;
  readonly todoPanel: boolean;
  /** The selected row while the panel is being edited. */
  readonly todoIndex: number | undefined;
  readonly approval: ApprovalBox | undefined;
  /** The highlighted option of the open question. */
  readonly questionIndex: number;
  readonly completion: CompletionMenu | undefined;
  readonly search: HistorySearch | undefined;
  readonly picker: Picker | undefined;
  /** A passing remark in place of the status line. */
  readonly hint: string;
  /** A side question or a command of the user's that runs beside the engine. */
  readonly aside: string | undefined;
};

export const emptyUi: UiState = {
  size: { columns: 80, rows: 24 },
  view: emptyView,
  input: emptyInput,
  engine: { kind: 'idle' },
  waiting: [],
  facts: { model: '', mode: 'default', sandbox: '', contextShare: undefined, saving: 'saving' },
  todoPanel: false,
  todoIndex: undefined,
  approval: undefined,
  questionIndex: 0,
  completion: undefined,
  search: undefined,
  picker: undefined,
  hint: '',
  aside: undefined,
};

/** How long an approval takes no answer after it appeared or after a stray key, ms (safety.md, Terminal). */
export const inertMs = 300;

/** Whether the approval takes an answer now. */
export function isAnswerable(box: ApprovalBox, now: number): boolean {
  return box.seenEnd && now - box.quietSince >= inertMs;
}

/** Shows the oldest open approval, each with a fresh start; one that is settled goes away. */
export function followApprovals(state: UiState, now: number): UiState {
  const request = state.view.approvals[0];
  if (request?.requestId === state.approval?.request.requestId) return state;
  if (request === undefined) return { ...state, approval: undefined };
  return { ...state, approval: { request, top: 0, seenEnd: false, quietSince: now, refusing: false } };
}

/** Whether the engine works on a prompt. */
export function isBusy(state: UiState): boolean {
  return state.engine.kind !== 'idle' || state.view.activity.kind === 'busy';
}
