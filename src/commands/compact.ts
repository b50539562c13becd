import type { Command } from './command.ts';

/** `/compact`, `/compress`: replace old history by a summary. */
export const compactCommand: Command = {
  name: 'compact',
  aliases: ['compress'],
  usage: '[what to keep]',
  summary: 'shorten the history to a summary',
  whileBusy: false,
  async run(rest, session) {
    session.service.cancelCountdown();
    return { kind: 'notice', level: 'info', text: await session.compact(rest === '' ? undefined : rest) };
  },
};
