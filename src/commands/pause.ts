import { countTodos } from '../types/todos.ts';
import type { Command } from './command.ts';

/** `/pause`: holds the list until the user's next prompt or `/continue`. */
export const pauseCommand: Command = {
  name: 'pause',
  aliases: [],
  usage: '[why]',
  summary: 'hold the list until you act',
  whileBusy: true,
  run(rest, session) {
    session.service.pause(rest === '' ? 'by you' : rest.slice(0, 500));
    const { open, total } = countTodos(session.todos.list().items);
    const held = open === 0 ? 'Nothing is open.' : `${open} of ${total} open. /continue to go on.`;
    return { kind: 'notice', level: 'info', text: `Paused. ${held}` };
  },
};
