import type { Settings } from '../config/settings.ts';
import type { ContinuationDecision } from '../follow-through/decide-continuation.ts';
import { nextTodo, nothingNamed } from '../follow-through/next-todo.ts';
import {
  buildNudge,
  closedReminder,
  emptyAnswerNudge,
  idleReminder,
  loopReminder,
  unchangedReminder,
  updateReminder,
} from '../follow-through/prompts.ts';
import type { Todo } from '../types/todos.ts';
import type { Reminder } from './client.ts';
import type { PromptState } from './prompt-state.ts';

/** Turns without progress, after the corrective reminder, that end the run. */
export const idleTurnsAfterReminder = 3;

/** Acting results without a write of the list between two update reminders. */
const actingPerUpdate = 4;

/** What a running prompt owes the model at its next request, beside the nudges. */
export type PendingReminders = {
  /** First strike of the loop detector. */
  readonly loop: string | undefined;
  /** Contents of items closed by the program since the last request. */
  readonly closed: readonly string[];
  /** Asks for a list, on the first request of a complex prompt. */
  readonly complexity: string | undefined;
};

export const nothingPending: PendingReminders = { loop: undefined, closed: [], complexity: undefined };

/** The one reminder of an ordinary request, the most urgent first; undefined when none is due. */
export function chooseReminder(prompt: PromptState, settings: Settings, pending: PendingReminders): Reminder | undefined {
  if (pending.loop !== undefined) return { text: loopReminder(pending.loop), marks: ['loop'] };
  if (prompt.idleTurns >= settings['max-idle-turns'] && !prompt.idleReminded)
    return { text: idleReminder(prompt.idleTurns), marks: ['idle'] };
  if (prompt.turn.calls > 0 && prompt.turn.unchanged === prompt.turn.calls) {
    return { text: unchangedReminder(nextTodo(prompt.todos, nothingNamed)?.todo), marks: ['unchanged'] };
  }
  if (pending.closed.length > 0) return { text: closedReminder(pending.closed), marks: ['closed'] };
  const inHand = dueForUpdate(prompt, settings);
  if (inHand !== undefined)
    return { text: updateReminder(inHand, prompt.update.reminders > 0 ? 'escalated' : 'gentle'), marks: ['update'] };
  if (pending.complexity !== undefined) return { text: pending.complexity, marks: ['complexity'] };
  return undefined;
}

function dueForUpdate(prompt: PromptState, settings: Settings): Todo | undefined {
  if (settings['smart-todo-completion'] === 'off' || !prompt.inPlay) return undefined;
  const inHand = prompt.todos.find((todo) => todo.status === 'in_progress') ?? nextTodo(prompt.todos, nothingNamed)?.todo;
  if (inHand === undefined) return undefined;
  const { sharedTurn, actingSinceWrite, actingAtReminder, reminders } = prompt.update;
  const shared = sharedTurn && reminders === 0 && inHand.status === 'in_progress';
  return shared || actingSinceWrite - actingAtReminder >= actingPerUpdate ? inHand : undefined;
}

/** What a nudge says beside the state of the prompt. */
export type NudgeOptions = { readonly isYoloMode: boolean; readonly runningCommands: readonly string[] };

/** The text of a nudge as the state now demands it; it names dropped items once. */
export function nudgeReminder(
  prompt: PromptState,
  decision: Extract<ContinuationDecision, { kind: 'continue' }>,
  options: NudgeOptions,
): Reminder {
  const dropped = prompt.droppedNamed ? [] : prompt.dropped;
  const nudge = buildNudge({
    todo: decision.todo,
    passedOver: decision.passedOver,
    strength: decision.strength,
    isYoloMode: options.isYoloMode,
    todos: prompt.todos,
    dropped,
    runningCommands: options.runningCommands,
    wasUnchanged: prompt.turn.calls > 0 && prompt.turn.unchanged === prompt.turn.calls,
  });
  return { text: nudge.prompt, marks: dropped.length > 0 ? ['dropped'] : [] };
}

/** The text of a retry in mid-turn: the builder of continuations, gentle at first, or the text for an empty answer. */
export function retryReminder(
  prompt: PromptState,
  cause: 'open-todos' | 'empty',
  decision: ContinuationDecision,
  options: NudgeOptions,
): Reminder {
  if (cause === 'empty' || decision.kind !== 'continue') return { text: emptyAnswerNudge, marks: [] };
  const strength = prompt.nudgesSinceClose > 0 ? 'escalated' : 'gentle';
  // Only continuations pass items over: a retry stays with the item in hand.
  const todo = nextTodo(prompt.todos, { ...prompt.named, times: 0 })?.todo;
  const nudge = nudgeReminder(prompt, { kind: 'continue', todo, passedOver: undefined, strength }, options);
  return todo === undefined ? nudge : { ...nudge, todoId: todo.id };
}
