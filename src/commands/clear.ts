import type { Command } from './command.ts';

/** `/clear`, `/new`: a new session; the old one stays on disk. */
export const clearCommand: Command = {
  name: 'clear',
  aliases: ['new'],
  usage: '',
  summary: 'start a new session; /resume finds the old one',
  whileBusy: false,
  run(_rest, session) {
    session.service.cancelCountdown();
    return { kind: 'new-session', from: 'empty' };
  },
};
