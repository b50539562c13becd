import type { Command } from './command.ts';

/** `/why`: which gate decided that work goes on or stops, with the values it saw. */
export const whyCommand: Command = {
  name: 'why',
  aliases: [],
  usage: '',
  summary: 'why work went on or stopped',
  whileBusy: true,
  run: (_rest, session) => ({ kind: 'page', title: 'Why', lines: session.service.explain() }),
};
