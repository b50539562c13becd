import type { Settings } from '../config/settings.ts';
import { type ComplexityState, decideComplexity, neverAsked } from '../follow-through/complexity.ts';
import { complexityReminder } from '../follow-through/prompts.ts';
import type { Reminder } from './client.ts';
import type { PromptState } from './prompt-state.ts';
import { chooseReminder, nothingPending, type PendingReminders } from './reminders.ts';

/** What the next request is to say at its tail, beside what the state of the prompt says by itself. */
export type ReminderQueue = {
  /** Forgets what was due; a complex request makes the one for a list due. */
  startPrompt(request: Parameters<typeof decideComplexity>[1]): void;
  /** The program closed an item. */
  closed(content: string): void;
  /** The loop detector's first strike. */
  loop(detail: string): void;
  /** The one for the next request: `first` when there is one, else the most urgent. */
  next(first: Reminder | undefined, prompt: PromptState, settings: Settings): Reminder | undefined;
};

export function createReminderQueue(): ReminderQueue {
  let complexity: ComplexityState = neverAsked;
  let pending: PendingReminders = nothingPending;
  return {
    startPrompt(request) {
      const judged = decideComplexity(complexity, request);
      complexity = judged.state;
      pending = judged.ask === undefined ? nothingPending : { ...nothingPending, complexity: complexityReminder(judged.ask) };
    },
    closed(content) {
      pending = { ...pending, closed: [...pending.closed, content] };
    },
    loop(detail) {
      pending = { ...pending, loop: detail };
    },
    next(first, prompt, settings) {
      const chosen = first ?? chooseReminder(prompt, settings, pending);
      // What the program closed is said once, at the first request that has room for it.
      pending = { ...nothingPending, closed: chosen?.marks.includes('closed') === true ? [] : pending.closed };
      return chosen;
    },
  };
}
