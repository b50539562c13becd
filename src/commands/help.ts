import { didYouMean } from '../lib/nearest.ts';
import type { Command } from './command.ts';

const keys = [
  'Enter sends; while busy it steers. Tab or Alt+Enter while busy: after this prompt.',
  'Shift+Enter or Ctrl+J: new line. Esc: stop and hold. Ctrl+C twice: leave.',
  'Shift+Tab: approval mode. Ctrl+T: todos. Ctrl+O: whole tool output. Ctrl+R: history.',
  '!cmd runs a command and shows it to the model, !!cmd does not. @path completes files.',
];

/** `/help`: all commands, or one of them. The list comes as a function, because this command is on it. */
export function createHelpCommand(list: () => readonly Command[]): Command {
  return {
    name: 'help',
    aliases: [],
    usage: '[command]',
    summary: 'what you can type',
    whileBusy: true,
    run(rest) {
      const wanted = rest.replace(/^\//u, '').toLowerCase();
      if (wanted === '') return { kind: 'page', title: 'Commands', lines: [...list().map(lineOf), '', ...keys] };
      const command = list().find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
      const names = list().map(({ name }) => name);
      if (command === undefined)
        return { kind: 'notice', level: 'error', text: `Unknown command '/${wanted}'.${didYouMean(wanted, names)}` };
      const also = command.aliases.length === 0 ? [] : [`also ${command.aliases.map((alias) => `/${alias}`).join(', ')}`];
      const busy = command.whileBusy ? 'works while the agent is busy' : 'waits until the agent is idle';
      return { kind: 'page', title: callOf(command), lines: [command.summary, ...also, busy] };
    },
    complete: (rest) =>
      list()
        .filter(({ name }) => name.startsWith(rest))
        .map(({ name, summary }) => ({ value: name, help: summary })),
  };
}

function callOf(command: Command): string {
  return `/${command.name}${command.usage === '' ? '' : ` ${command.usage}`}`;
}

function lineOf(command: Command): string {
  return `${callOf(command).padEnd(30)}  ${command.summary}`;
}
