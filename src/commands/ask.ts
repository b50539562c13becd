import type { Command } from './command.ts';

/** `/ask`: a side question, answered from the history and kept out of it. */
export const askCommand: Command = {
  name: 'ask',
  aliases: [],
  usage: 'TEXT',
  summary: 'a side question that the history does not keep',
  whileBusy: false,
  run: (rest) => (rest === '' ? { kind: 'notice', level: 'error', text: 'Write it so: /ask TEXT' } : { kind: 'aside', text: rest }),
};
