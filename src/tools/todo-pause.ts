import * as z from 'zod';
import { isActive } from '../types/todos.ts';
import { defineTool, failure, success } from './tool.ts';

/** Longest reason of a pause, in characters after trimming. */
export const maxPauseChars = 500;

export const todoPause = defineTool({
  name: 'todo_pause',
  kind: 'todo',
  description: 'Stop work on the list and tell the user why. Only when an error prevents you from continuing.',
  schema: () => z.object({ reason: z.string().describe('1 to 500 characters') }),
  async prepare({ reason }, context) {
    const text = reason.trim();
    if (text === '') return failure('todo_pause needs a reason of 1 to 500 characters; this one is empty');
    if (text.length > maxPauseChars) return failure(`todo_pause needs a reason of 1 to 500 characters; this one has ${text.length}`);
    return {
      effects: [],
      async run() {
        if (!context.todos.list().items.some(isActive)) return failure('Nothing to pause: the list has no pending or in_progress item');
        context.pause(text);
        return success('Paused. The user sees the reason; stop here');
      },
    };
  },
});
