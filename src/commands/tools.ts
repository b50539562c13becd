import type { Command } from './command.ts';

/** `/tools`: what the model can use. */
export const toolsCommand: Command = {
  name: 'tools',
  aliases: [],
  usage: '',
  summary: 'what the model can use',
  whileBusy: true,
  run(_rest, session) {
    const tools = session.tools();
    const lines = tools.map(({ name, description }) => `${name.padEnd(14)}  ${(description.split(/(?<=[.!?])\s|\n/u)[0] ?? '').trim()}`);
    return { kind: 'page', title: `${tools.length} tools`, lines };
  },
};
