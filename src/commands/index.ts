import type { Session } from '../continuation/session.ts';
import { didYouMean } from '../lib/nearest.ts';
import { askCommand } from './ask.ts';
import { clearCommand } from './clear.ts';
import type { Command, Completion } from './command.ts';
import { compactCommand } from './compact.ts';
import { contextCommand } from './context.ts';
import { continueCommand } from './continue.ts';
import { copyCommand } from './copy.ts';
import { diffCommand } from './diff.ts';
import { exportCommand } from './export.ts';
import { goalCommand } from './goal.ts';
import { createHelpCommand } from './help.ts';
import { initCommand } from './init.ts';
import { modelCommand } from './model.ts';
import { nameCommand } from './name.ts';
import { pauseCommand } from './pause.ts';
import { permissionsCommand } from './permissions.ts';
import { providerCommand } from './provider.ts';
import { quitCommand } from './quit.ts';
import { resumeCommand } from './resume.ts';
import { setCommand } from './set.ts';
import { statsCommand } from './stats.ts';
import { todoCommand } from './todo.ts';
import { toolsCommand } from './tools.ts';
import { whyCommand } from './why.ts';

/** Every slash command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  createHelpCommand(() => commands),
  todoCommand,
  continueCommand,
  pauseCommand,
  whyCommand,
  goalCommand,
  askCommand,
  setCommand,
  modelCommand,
  providerCommand,
  permissionsCommand,
  toolsCommand,
  contextCommand,
  compactCommand,
  statsCommand,
  clearCommand,
  resumeCommand,
  nameCommand,
  copyCommand,
  diffCommand,
  exportCommand,
  initCommand,
  quitCommand,
];

export type FoundCommand = { readonly command: Command; readonly rest: string } | { readonly error: string };

/** The command that a line calls; undefined when the line is no command but text: it does not start with `/`, or starts with a path. */
export function findCommand(line: string): FoundCommand | undefined {
  const match = /^\/(\S*)\s*([\s\S]*)$/u.exec(line);
  const [, name = '', rest = ''] = match ?? [];
  if (match === null || name.includes('/')) return undefined;
  if (name === '') return { error: 'Type a command after /. /help lists them.' };
  const wanted = name.toLowerCase();
  const command = commands.find((known) => known.name === wanted || known.aliases.includes(wanted));
  if (command !== undefined) return { command, rest: rest.trim() };
  const names = commands.flatMap((known) => [known.name, ...known.aliases]).map((known) => `/${known}`);
  return { error: `Unknown command '/${name.slice(0, 40)}'.${didYouMean(`/${name}`, names)} To send it as text, put a space before it.` };
}

/** What could stand in place of the last word of a command line, best first; empty when the line is no command. */
export function completeCommand(line: string, session: Session): readonly Completion[] {
  const name = /^\/(\S*)$/u.exec(line)?.[1];
  if (name !== undefined) {
    return commands
      .flatMap((command) => [command.name, ...command.aliases].map((known) => ({ value: `/${known}`, help: command.summary })))
      .filter(({ value }) => value.startsWith(`/${name.toLowerCase()}`));
  }
  const found = findCommand(line);
  if (found === undefined || 'error' in found) return [];
  const rest = line.replace(/^\/\S+\s+/u, '');
  return found.command.complete?.(rest, session) ?? [];
}
