import type { ContinuationPrompt, NudgeStrength } from '../types/continuation.ts';
import { countTodos, type Todo } from '../types/todos.ts';

/** Longest part of an item's content that a nudge quotes, in characters. */
const maxQuotedChars = 200;

export type NudgeInput = {
  readonly todo: Todo | undefined;
  readonly passedOver: Todo | undefined;
  readonly strength: NudgeStrength;
  readonly isYoloMode: boolean;
  readonly todos: readonly Todo[];
  /** Unfinished items that were left out of the list and have not been named yet. */
  readonly dropped: readonly Todo[];
  /** Commands that still run after the wait. */
  readonly runningCommands: readonly string[];
  /** The last write of the list changed nothing. */
  readonly wasUnchanged: boolean;
};

/** One line, cut to 200 characters, with a closing quote that cannot end the quotation early. */
export function quote(content: string): string {
  const line = content.replace(/\s+/gu, ' ').trim().replaceAll("'", '’');
  return `'${line.length > maxQuotedChars ? `${line.slice(0, maxQuotedChars - 1).replace(/[\uD800-\uDBFF]$/u, '')}…` : line}'`;
}

/** The text of a retry or a continuation: the task, how the list stands, and how to go on without asking. */
export function buildNudge(input: NudgeInput): ContinuationPrompt {
  const { todo, passedOver, strength } = input;
  const parts: string[] = [];
  if (todo !== undefined) {
    parts.push(
      `You have an active task: ${quote(todo.content)}. Continue working on this task. Call todo_pause('reason') ONLY if there's an error preventing you from continuing.`,
    );
    if (input.isYoloMode) parts.push('You MUST continue unless there is an error preventing you from proceeding.');
  }
  if (input.dropped.length > 0) {
    parts.push(
      `Your last list left out unfinished items: ${input.dropped
        .slice(0, 10)
        .map((item) => quote(item.content))
        .join(', ')}. Put them back, or list them as cancelled if they are no longer wanted.`,
    );
  }
  if (passedOver !== undefined) {
    parts.push(
      passedOver.id === todo?.id
        ? `It was named several times and is still open: finish it, or mark it blocked with a note that says what is in the way.`
        : `${quote(passedOver.content)} was named several times and is still open: mark it blocked with a note that says what is in the way, and go on with this one.`,
    );
  }
  if (input.wasUnchanged) parts.push('The list already was as you wrote it. Work on the task is next, not another write of the list.');
  if (input.runningCommands.length > 0) {
    parts.push(
      `Still running in the background: ${input.runningCommands.slice(0, 5).map(quote).join(', ')}. Go on without waiting for it.`,
    );
  }
  const counts = countTodos(input.todos);
  parts.push(`Status: ${counts.completed} of ${counts.total} completed, ${counts.open} open.`);
  if (strength !== 'gentle') {
    parts.push(
      'You stopped again although the list is unfinished. Do not describe or announce the next step: make the tool call that does it, now.',
    );
  }
  parts.push('There is no need to ask for permission. If you need an answer, call ask_user. Mark each item completed when it is finished.');
  return { taskDescription: todo?.content ?? '', isYoloMode: input.isYoloMode, prompt: parts.join(' ') };
}

/** For an answer without text and without a call. */
export const emptyAnswerNudge = 'Your last answer was empty. Make the next tool call, or say in a sentence how things stand.';

export function updateReminder(todo: Todo, strength: NudgeStrength): string {
  const base = `If ${quote(todo.content)} is finished, mark it completed with todo_write; otherwise carry on.`;
  return strength === 'gentle' ? base : `The list has not been updated for a while. ${base} Keep the list true as you go.`;
}

export function closedReminder(contents: readonly string[]): string {
  return `Marked completed for you, because the call that it named succeeded: ${contents.map(quote).join(', ')}. Go on with the next item.`;
}

export function complexityReminder(strength: NudgeStrength): string {
  return strength === 'gentle'
    ? 'This request has several parts. Use todo_write to make a todo list that organizes this effort, then work through it.'
    : 'This request has several parts, and so had the last ones, yet there is no todo list. Call todo_write first, with one item for each part, then work through it.';
}

export function unchangedReminder(todo: Todo | undefined): string {
  const next = todo === undefined ? '' : ` The task in hand is ${quote(todo.content)}.`;
  return `The list already was as you wrote it; writing it again does nothing. Work is next, not another write.${next}`;
}

export function idleReminder(turns: number): string {
  return `The last ${turns} turns brought nothing new: no item was closed and no call gave a new result. Do something else: finish an item, mark it blocked with a note, or call todo_pause with the reason.`;
}

export function loopReminder(detail: string): string {
  return `You are repeating yourself: ${detail}. The result will be the same again. Take another way, or call todo_pause with the reason.`;
}
