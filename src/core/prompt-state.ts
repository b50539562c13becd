import { type NamedTodos, nameTodo, nothingNamed } from '../follow-through/next-todo.ts';
import { callKey, newlyClosed, noProgressYet, type ProgressMemory, rememberCall, rememberList } from '../follow-through/progress.ts';
import type { AgentEvent, EventOf } from '../types/events.ts';
import { toolCallsOf } from '../types/messages.ts';
import type { Reason, RunEnd } from '../types/reasons.ts';
import { contentKey, countTodos, diffTodos, type Todo } from '../types/todos.ts';

/** Reminders to update the list: acting results since the last write, and when it was last reminded. */
export type UpdateState = {
  readonly actingSinceWrite: number;
  readonly actingAtReminder: number;
  readonly reminders: number;
  /** A write and, after it, an acting tool shared a turn. */
  readonly sharedTurn: boolean;
  readonly writeInTurn: boolean;
};

/**
 * Budgets and counters of a prompt, across its runs: a fold over the durable events, so that a resumed prompt has the very same.
 * Nudges are retries and continuations; a newly closed item gives back those spent since the previous one closed.
 */
export type PromptState = {
  readonly promptId: string;
  readonly inPlay: boolean;
  readonly requests: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Ms, as of the last request. */
  readonly elapsedMs: number;
  readonly continuations: number;
  readonly nudgesSinceClose: number;
  readonly nudgesWithoutProgress: number;
  /** Accepted turns in a row without progress. */
  readonly idleTurns: number;
  /** The corrective reminder about them went out. */
  readonly idleReminded: boolean;
  readonly progress: ProgressMemory;
  readonly todos: readonly Todo[];
  readonly dropped: readonly Todo[];
  readonly droppedNamed: boolean;
  readonly named: NamedTodos;
  readonly pause: { readonly by: 'model' | 'user'; readonly text: string } | undefined;
  readonly denied: boolean;
  /** Of the present run: acting calls, those refused for want of a person, and whether a question was. */
  readonly run: { readonly acting: number; readonly refused: number; readonly questionRefused: boolean };
  /** Calls of the last turn, how many of them were writes that changed nothing, and whether one waited for a background command. */
  readonly turn: { readonly calls: number; readonly unchanged: number; readonly waited: boolean };
  readonly update: UpdateState;
  /** How the last run ended. */
  readonly end: { readonly end: RunEnd; readonly detail: string | undefined };
  /** The reason with which the prompt gave control back; undefined while it runs. */
  readonly reason: Reason | undefined;
};

const noUpdates: UpdateState = { actingSinceWrite: 0, actingAtReminder: 0, reminders: 0, sharedTurn: false, writeInTurn: false };

export function newPromptState(promptId: string, todos: readonly Todo[], inPlay: boolean): PromptState {
  return {
    promptId,
    inPlay,
    requests: 0,
    tokens: 0,
    costUsd: 0,
    elapsedMs: 0,
    continuations: 0,
    nudgesSinceClose: 0,
    nudgesWithoutProgress: 0,
    idleTurns: 0,
    idleReminded: false,
    progress: noProgressYet,
    todos,
    dropped: [],
    droppedNamed: false,
    named: nothingNamed,
    pause: undefined,
    denied: false,
    run: { acting: 0, refused: 0, questionRefused: false },
    turn: { calls: 0, unchanged: 0, waited: false },
    update: noUpdates,
    end: { end: 'complete', detail: undefined },
    reason: undefined,
  };
}

export function reducePrompt(state: PromptState, event: AgentEvent): PromptState {
  switch (event.type) {
    case 'user-message':
      if (event.kind === 'shell') return state;
      if (event.kind === 'steer') return { ...steered(state), denied: false };
      return afterPrompt(state, event);
    case 'run-start':
      return { ...state, run: { acting: 0, refused: 0, questionRefused: false }, reason: undefined };
    case 'run-end':
      return { ...state, end: { end: event.end, detail: event.detail } };
    case 'prompt-end':
      return { ...state, reason: event.reason };
    case 'turn-start':
      return { ...state, requests: state.requests + 1, elapsedMs: event.elapsedMs };
    case 'usage':
      return {
        ...state,
        tokens: state.tokens + event.usage.inputTokens + event.usage.outputTokens,
        costUsd: state.costUsd + (event.usage.costUsd ?? 0),
      };
    case 'turn-end':
      return {
        ...state,
        idleTurns: state.idleTurns + 1,
        turn: { calls: toolCallsOf(event.message).length, unchanged: 0, waited: false },
        update: { ...state.update, writeInTurn: false },
      };
    case 'attempt-retry':
      return nudged(state);
    case 'continuation-start':
      return {
        ...nudged(state),
        continuations: event.continuation,
        named: event.todoId === '' ? state.named : nameTodo(state.named, event.todoId, event.strength === 'skip'),
      };
    case 'tool-result':
      return afterResult(state, event);
    case 'todos-change':
      return afterList(state, event);
    case 'pause':
      return { ...state, pause: { by: event.by, text: event.text } };
    case 'permission-decision':
      if (event.endsRun) return { ...state, denied: true };
      // A no with a reason says how to go on. One that the gate only remembered, or that a rule gave, does not.
      return event.verdict === 'refuse' && event.by === 'user' ? steered(state) : state;
    case 'reminder-sent':
      if (event.reminder === 'dropped') return { ...state, droppedNamed: true };
      if (event.reminder === 'idle') return { ...state, idleReminded: true };
      if (event.reminder !== 'update') return state;
      return {
        ...state,
        update: {
          ...state.update,
          reminders: state.update.reminders + 1,
          actingAtReminder: state.update.actingSinceWrite,
          sharedTurn: false,
        },
      };
    default:
      return state;
  }
}

function afterPrompt(state: PromptState, event: EventOf<'user-message'>): PromptState {
  const resumes = event.resumes === true;
  const next = newPromptState(event.promptId, state.todos, resumes && countTodos(state.todos).open > 0);
  // A prompt that never ended was cut off by a crash: a go-ahead carries it on, so its caps hold across the crash.
  if (!resumes || state.promptId === '' || state.reason !== undefined) return next;
  const { requests, tokens, costUsd, elapsedMs } = state;
  return { ...next, requests, tokens, costUsd, elapsedMs };
}

/** The user said how to go on: that gives back nudges, but no cap. */
function steered(state: PromptState): PromptState {
  return { ...state, nudgesSinceClose: 0, nudgesWithoutProgress: 0, named: nothingNamed };
}

function nudged(state: PromptState): PromptState {
  return { ...state, nudgesSinceClose: state.nudgesSinceClose + 1, nudgesWithoutProgress: state.nudgesWithoutProgress + 1 };
}

function afterResult(state: PromptState, event: EventOf<'tool-result'>): PromptState {
  const succeeded = !event.isError;
  const { memory, isNew } =
    succeeded && event.working && event.waiting !== true
      ? rememberCall(state.progress, callKey(event.name, event.arguments, event.output))
      : { memory: state.progress, isNew: false };
  const acted = event.acting && succeeded;
  const refused = event.needsPerson === true;
  const isWrite = event.name === 'todo_write' && succeeded;
  const update = isWrite
    ? { ...noUpdates, writeInTurn: true }
    : acted
      ? {
          ...state.update,
          actingSinceWrite: state.update.actingSinceWrite + 1,
          sharedTurn: state.update.sharedTurn || state.update.writeInTurn,
        }
      : state.update;
  return {
    ...state,
    progress: memory,
    inPlay: state.inPlay || (acted && countTodos(state.todos).open > 0),
    nudgesWithoutProgress: isNew ? 0 : state.nudgesWithoutProgress,
    idleTurns: isNew ? 0 : event.waiting === true && !state.turn.waited ? Math.max(0, state.idleTurns - 1) : state.idleTurns,
    idleReminded: state.idleReminded && !isNew,
    run: {
      acting: state.run.acting + (event.acting ? 1 : 0),
      refused: state.run.refused + (refused && event.acting ? 1 : 0),
      questionRefused: acted ? false : state.run.questionRefused || (refused && !event.acting),
    },
    turn: {
      ...state.turn,
      unchanged: state.turn.unchanged + (event.unchanged === true ? 1 : 0),
      waited: state.turn.waited || event.waiting === true,
    },
    update,
  };
}

function afterList(state: PromptState, event: EventOf<'todos-change'>): PromptState {
  const todos = event.list.items;
  if (event.by === 'resume') return { ...state, todos };
  const missing = stillMissing(state.dropped, state.todos, todos);
  if (event.by === 'user') return { ...state, todos, dropped: todos.length === 0 ? [] : missing };
  const closed = newlyClosed(state.progress, state.todos, todos);
  const { memory, isFirst } = rememberList(state.progress, closed);
  const leftOut = diffTodos(state.todos, todos).dropped;
  const progressed = closed.length > 0 || isFirst;
  return {
    ...state,
    todos,
    progress: memory,
    inPlay: true,
    dropped: [...missing, ...leftOut],
    droppedNamed: leftOut.length > 0 ? false : state.droppedNamed,
    nudgesSinceClose: closed.length > 0 ? 0 : state.nudgesSinceClose,
    nudgesWithoutProgress: progressed ? 0 : state.nudgesWithoutProgress,
    named: closed.length > 0 ? nothingNamed : state.named,
    idleTurns: progressed ? 0 : state.idleTurns,
    idleReminded: state.idleReminded && !progressed,
  };
}

/** A dropped item is back under its content, or under its id if no other item had that id in between. */
function stillMissing(dropped: readonly Todo[], previous: readonly Todo[], todos: readonly Todo[]): readonly Todo[] {
  if (dropped.length === 0) return dropped;
  const contents = new Set(todos.map(contentKey));
  const reused = new Set(previous.map((todo) => todo.id));
  const ids = new Set(todos.map((todo) => todo.id).filter((id) => !reused.has(id)));
  return dropped.filter((left) => !contents.has(contentKey(left)) && !ids.has(left.id));
}
