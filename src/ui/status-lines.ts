import { oneLine, truncateLine, widthOf, wrapText } from './text.ts';
import type { Paint } from './theme.ts';
import { todoRow, todoSummary } from './tool-lines.ts';
import type { UiState } from './ui-state.ts';
import { formatCount } from './view-state.ts';

type Options = { readonly width: number; readonly paint: Paint; readonly now: number };

const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** One step of the spinner, ms. */
export const spinnerMs = 120;

export function spinnerAt(now: number): string {
  return spinnerFrames[Math.floor(now / spinnerMs) % spinnerFrames.length] ?? '⠋';
}

function seconds(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  if (total < 60) return `${total} s`;
  return total < 3600
    ? `${Math.floor(total / 60)} m ${total % 60} s`
    : `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} m`;
}

const engineWaits: Readonly<Record<string, string>> = {
  question: 'waiting for your answer',
  permission: 'waiting for your permission',
  recovering: 'recovering',
  background: 'waiting for background commands',
};

const activities = {
  waiting: 'waiting for the model',
  thinking: 'thinking',
  writing: 'writing',
  tool: 'running',
  retry: 'waiting',
} as const;

/** The banner before a continuation. */
export function countdownLine(
  countdown: { readonly remainingMs: number; readonly open: number; readonly held: boolean },
  options: Pick<Options, 'width' | 'paint'>,
): string {
  const held = countdown.held ? ' · held while you type' : '';
  const text = `Continuing in ${Math.ceil(countdown.remainingMs / 1000)} s · ${countdown.open} open${held} · Esc to stop`;
  return options.paint('accent', truncateLine(text, options.width));
}

/** What goes on: the countdown, what is waited for, or the spinner with time. Empty when nothing does. */
export function activityLine(state: UiState, options: Options): string {
  const { engine, view } = state;
  const { paint, width } = options;
  if (engine.kind === 'counting') {
    return countdownLine({ remainingMs: engine.remainingMs, open: engine.open, held: engine.heldByTyping }, options);
  }
  if (state.aside !== undefined) return truncateLine(`${paint('accent', spinnerAt(options.now))} ${state.aside} · Esc to stop`, width);
  if (engine.kind === 'waiting') {
    const commands =
      engine.reason === 'background' ? (Object.values(view.processes).map((command) => `: ${oneLine(command)}`)[0] ?? '') : '';
    return truncateLine(`${paint('accent', spinnerAt(options.now))} ${engineWaits[engine.reason]}${commands} · Esc to stop`, width);
  }
  if (view.activity.kind === 'idle')
    return engine.kind === 'idle' ? '' : truncateLine(`${paint('accent', spinnerAt(options.now))} working · Esc to stop`, width);
  const { what, since, detail } = view.activity;
  const asks = view.approvals.length > 0 ? engineWaits.permission : view.questions.length > 0 ? engineWaits.question : undefined;
  const doing = asks ?? (what === 'retry' ? detail : `${activities[what]}${what === 'tool' && detail !== '' ? ` ${detail}` : ''}`);
  const spinner = asks === undefined ? spinnerAt(options.now) : '…';
  const { input, output } = view.tokens;
  const tokens = input + output === 0 ? '' : ` · ${formatCount(input + output)} tokens`;
  return truncateLine(
    `${paint('accent', spinner)} ${doing} ${paint('dim', `· ${seconds(options.now - since)}${tokens} · Esc to stop`)}`,
    width,
  );
}

/** Tokens, context and the like make room for so much of the item that is worked on. */
const minTodoWidth = 20;

const todoKeys = 'd done · x drop · b block · e edit · a add · u undo · Shift+↑↓ move · Esc';

type Part = { readonly text: string; readonly keep: number };

/** The one quiet line at the bottom. What does not fit is left out, least important first. */
export function statusLine(state: UiState, options: Options): string {
  const { facts, view } = state;
  const { width, paint } = options;
  if (state.hint !== '') return paint('warning', truncateLine(state.hint, width));
  if (state.todoPanel && state.todoIndex !== undefined) return paint('accent', truncateLine(todoKeys, width));
  const todos = todoSummary(view.todos.items);
  const { input, output, costUsd } = view.tokens;
  const running = Object.keys(view.processes).length;
  const parts: Part[] = [
    { text: facts.model, keep: 5 },
    { text: facts.mode, keep: 8 },
    { text: facts.sandbox, keep: 7 },
    { text: todos?.count ?? '', keep: 9 },
    { text: running === 0 ? '' : `${running} running`, keep: 4 },
    { text: facts.contextShare === undefined ? '' : `context ${Math.round(facts.contextShare * 100)} %`, keep: 3 },
    { text: input + output === 0 ? '' : `${formatCount(input + output)} tokens`, keep: 2 },
    { text: costUsd === undefined ? '' : `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`, keep: 1 },
    { text: facts.saving === 'saving' ? '' : `NOT BEING SAVED: ${facts.saving}`, keep: 10 },
  ].filter(({ text }) => text !== '');
  let shown = parts;
  const widthOfParts = (): number => shown.reduce((sum, { text }) => sum + widthOf(text) + 3, -3);
  const least = (): number => Math.min(...shown.map(({ keep }) => keep));
  const roomForTodo = Math.min(minTodoWidth, widthOf(todos?.current ?? ''));
  while (shown.length > 1 && (widthOfParts() > width || (least() <= 4 && widthOfParts() + roomForTodo >= width))) {
    const dropped = least();
    shown = shown.filter(({ keep }) => keep !== dropped);
  }
  const spare = width - widthOfParts() - 1;
  const current = todos !== undefined && todos.current !== '' && spare > 8 ? ` ${truncateLine(todos.current, spare)}` : '';
  const line = shown.map(({ text, keep }) => (keep === 9 ? text + current : text)).join(' · ');
  return paint(facts.saving === 'saving' ? 'dim' : 'warning', truncateLine(line, width));
}

/** The todo list in at most `maxRows` rows, around the item that is worked on or selected. */
export function todoPanelLines(state: UiState, options: Options & { readonly maxRows: number }): readonly string[] {
  const { items } = state.view.todos;
  const { width, paint, maxRows } = options;
  if (maxRows <= 0) return [];
  if (items.length === 0) return [paint('dim', truncateLine('No todos yet: /todo add …', width))];
  const focus =
    state.todoIndex ??
    Math.max(
      0,
      items.findIndex((todo) => todo.status === 'in_progress'),
    );
  const room = items.length <= maxRows ? maxRows : Math.max(1, maxRows - 1);
  const top = Math.max(0, Math.min(focus - Math.floor(room / 2), items.length - room));
  const rows = items.slice(top, top + room).map((todo, index) => {
    const row = todoRow(todo, width, paint);
    return state.todoIndex === top + index ? paint('inverse', row) : row;
  });
  const more = items.length - rows.length;
  return more > 0 && maxRows > 1 ? [...rows, paint('dim', `+${more} more`)] : rows;
}

/** What the user typed that has not been delivered yet. */
export function waitingLines(state: UiState, options: Options, maxRows: number): readonly string[] {
  const { paint, width } = options;
  const rows = state.waiting.map(({ kind, text }) =>
    paint('dim', truncateLine(`${kind === 'steer' ? '↳ next step' : '⋯ queued'}: ${oneLine(text)}`, width)),
  );
  return rows.length <= maxRows
    ? rows
    : [...rows.slice(0, Math.max(0, maxRows - 1)), paint('dim', `+${rows.length - maxRows + 1} more`)].slice(0, maxRows);
}

/** The question with its options; the answer is typed or chosen. */
export function questionLines(state: UiState, options: Options): readonly string[] {
  const question = state.view.questions[0];
  if (question === undefined) return [];
  const { paint, width } = options;
  const rows = wrapText(question.question, width, { first: '? ', rest: '  ' }).map((row) => paint('warning', row));
  const choices = question.options.map((option, index) => {
    const row = truncateLine(`${index === state.questionIndex ? '›' : ' '} ${index + 1} ${oneLine(option)}`, width);
    return index === state.questionIndex ? paint('accent', row) : row;
  });
  const help = question.options.length > 0 ? '↑↓ and Enter, or type an answer' : 'Type an answer and press Enter';
  return [...rows, ...choices, paint('dim', truncateLine(help, width))];
}
