import type { Command } from './command.ts';

/** `/quit`, `/exit`: leave; the session can be resumed. */
export const quitCommand: Command = {
  name: 'quit',
  aliases: ['exit'],
  usage: '',
  summary: 'leave; tilldone -c goes on later',
  whileBusy: true,
  run: () => ({ kind: 'quit' }),
};
