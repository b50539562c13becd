import type { Command } from './command.ts';

/** `/export`: the session as Markdown or JSON, secrets redacted. */
export const exportCommand: Command = {
  name: 'export',
  aliases: [],
  usage: '[file.md|file.json]',
  summary: 'write the session to a file, secrets redacted',
  whileBusy: false,
  async run(rest, session) {
    const format = rest.toLowerCase().endsWith('.json') || rest === 'json' ? 'json' : 'markdown';
    const path = ['', 'json', 'markdown', 'md'].includes(rest) ? undefined : rest;
    return { kind: 'notice', level: 'info', text: await session.export(format, path) };
  },
  complete: (rest) =>
    [
      { value: 'markdown', help: 'to read' },
      { value: 'json', help: 'for programs' },
    ].filter(({ value }) => value.startsWith(rest)),
};
