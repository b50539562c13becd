import type { Command } from './command.ts';

const prompt = [
  'Look at this repository and write a file AGENTS.md at its root, for a coding agent that sees it for the first time.',
  'Say in at most 60 lines: what it is, how the folders are laid out, the exact commands to build, test and lint, and the conventions',
  'that the code follows. State only what you found in the files. If AGENTS.md is there already, improve it and keep what is right.',
].join(' ');

/** `/init`: lets the model write AGENTS.md. */
export const initCommand: Command = {
  name: 'init',
  aliases: [],
  usage: '',
  summary: 'let the model write AGENTS.md for this folder',
  whileBusy: false,
  run: () => ({ kind: 'submit', text: prompt }),
};
