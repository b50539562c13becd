import type { Command } from './command.ts';

/** `/name`: a name for the session, to find it again. */
export const nameCommand: Command = {
  name: 'name',
  aliases: ['rename'],
  usage: 'TEXT',
  summary: 'name this session',
  whileBusy: true,
  run(rest, session) {
    const name = rest.replace(/\s+/gu, ' ').slice(0, 80);
    if (name === '') return { kind: 'notice', level: 'error', text: 'Write it so: /name TEXT' };
    session.rename(name);
    return { kind: 'notice', level: 'info', text: `This session is now called '${name}'.` };
  },
};
