import type { Command } from './command.ts';

/** `/goal`: make a list for a goal and work it through to the end. */
export const goalCommand: Command = {
  name: 'goal',
  aliases: [],
  usage: 'TEXT',
  summary: 'make a list for a goal and run it to the end',
  whileBusy: false,
  run(rest, session) {
    if (rest === '') return { kind: 'notice', level: 'error', text: 'Write it so: /goal TEXT' };
    if (!session.settings.get()['todo-continuation']) {
      const error = session.settings.set('todo-continuation', 'true');
      if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
    }
    const order =
      'First write a todo list for this goal with todo_write, with a last item that checks the result. Then work through it until every item is done.';
    return { kind: 'submit', text: `${rest}\n\n${order}` };
  },
};
