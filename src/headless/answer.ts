import type { AgentEvent } from '../types/events.ts';
import { textOf } from '../types/messages.ts';

/** The final text of the run under way, as far as it is known. */
export type AnswerState = { readonly text: string };
export const noAnswer: AnswerState = { text: '' };

/** Folds the events of a run; `done` is its final text, once, when the run has ended and said something. */
export function stepAnswer(state: AnswerState, event: AgentEvent): { readonly state: AnswerState; readonly done?: string } {
  switch (event.type) {
    case 'run-start':
      return { state: noAnswer };
    case 'turn-end':
      return { state: { text: textOf(event.message) } };
    case 'run-end':
      return state.text.trim() === '' ? { state: noAnswer } : { state: noAnswer, done: state.text };
    default:
      return { state };
  }
}
