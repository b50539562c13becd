import { textOf } from '../types/messages.ts';
import type { Command } from './command.ts';

/** `/copy`: the last answer, or the nth from the end, to the clipboard. */
export const copyCommand: Command = {
  name: 'copy',
  aliases: [],
  usage: '[n]',
  summary: 'copy the last answer, or the nth from the end',
  whileBusy: true,
  run(rest, session) {
    const nth = rest === '' ? 1 : Number(rest);
    if (!Number.isInteger(nth) || nth < 1) {
      return { kind: 'notice', level: 'error', text: `'${rest}' is no number of an answer. Accepted: a whole number from 1.` };
    }
    const answers = session.history().flatMap((message) => (message.role === 'assistant' ? [textOf(message)] : []));
    const written = answers.filter((text) => text.trim() !== '');
    const text = written.at(-nth);
    if (text !== undefined) return { kind: 'copy', text };
    const there = written.length === 0 ? 'There is no answer yet.' : `There are ${written.length} answers.`;
    return { kind: 'notice', level: 'warning', text: there };
  },
};
