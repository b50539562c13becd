import type { Command } from './command.ts';

/** What a repository may configure to run at a diff is switched off. */
const gitDiff = 'git --no-pager -c core.fsmonitor=false diff --no-ext-diff --no-textconv --no-color HEAD';
const maxLines = 2000;

/** `/diff`: what changed in the working tree since the last commit. */
export const diffCommand: Command = {
  name: 'diff',
  aliases: [],
  usage: '',
  summary: 'what changed since the last commit',
  whileBusy: false,
  async run(_rest, session) {
    let output = '';
    await session.runUserCommand(gitDiff, {
      share: false,
      onOutput: (text) => {
        if (output.length < 1_000_000) output += text;
      },
      signal: new AbortController().signal,
    });
    const lines = output.trimEnd().split('\n');
    if (output.trim() === '') return { kind: 'notice', level: 'info', text: 'Nothing changed since the last commit.' };
    const more = lines.length - maxLines;
    return { kind: 'page', title: 'Changes', lines: more > 0 ? [...lines.slice(0, maxLines), `… ${more} more lines`] : lines };
  },
};
