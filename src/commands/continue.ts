import { countTodos } from '../types/todos.ts';
import type { Command } from './command.ts';

/** `/continue`: carry on with the list now; `off` holds it for this session, `on` lets it go on again. */
export const continueCommand: Command = {
  name: 'continue',
  aliases: [],
  usage: '[on|off]',
  summary: 'carry on with the list now; off holds it',
  whileBusy: true,
  run(rest, session) {
    if (!['', 'on', 'off'].includes(rest)) {
      return {
        kind: 'notice',
        level: 'error',
        text: `'/continue ${rest}' is not known. Accepted: /continue, /continue on, /continue off.`,
      };
    }
    const { open, active, total } = countTodos(session.todos.list().items);
    if (rest === 'off') {
      const error = session.settings.set('todo-continuation', 'false');
      if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
      session.service.cancelCountdown();
      const held = open === 0 ? '' : ` ${open} of ${total} open.`;
      return {
        kind: 'notice',
        level: 'info',
        text: `Held: the list does not go on by itself in this session.${held} /continue on to go on.`,
      };
    }
    if (rest === 'on' || !session.settings.get()['todo-continuation']) {
      const error = session.settings.set('todo-continuation', 'true');
      if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
    }
    if (session.service.state.get().kind === 'running')
      return { kind: 'notice', level: 'info', text: 'It is at work. The list goes on by itself.' };
    if (active > 0) return { kind: 'resume-work' };
    const why = open > 0 ? `${open} of ${total} are blocked, nothing else is open. /todo shows them.` : 'Nothing is open.';
    return { kind: 'notice', level: 'info', text: why };
  },
  complete: (rest) =>
    [
      { value: 'on', help: 'let the list go on by itself' },
      { value: 'off', help: 'hold it for this session' },
    ].filter(({ value }) => value.startsWith(rest)),
};
