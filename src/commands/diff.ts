import type { Command } from './command.ts';

/** What a repository may configure to run at a diff is switched off. */
const git = 'git --no-pager -c core.fsmonitor=false';
const noRepository = 'not a repository';
/** Changes against the last commit, or against nothing where there is none yet, then the files that git does not know. */
const script = [
  `git rev-parse --is-inside-work-tree > /dev/null 2>&1 || { echo '${noRepository}'; exit; }`,
  'base=$(git rev-parse -q --verify HEAD || git hash-object -t tree /dev/null)',
  `${git} diff --no-ext-diff --no-textconv --no-color "$base" --`,
  `${git} ls-files --others --exclude-standard | sed 's/^/new file: /'`,
].join('\n');
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
    await session.runUserCommand(script, {
      share: false,
      onOutput: (text) => {
        if (output.length < 1_000_000) output += text;
      },
      signal: new AbortController().signal,
    });
    const lines = output.trimEnd().split('\n');
    if (output.trim() === noRepository) return { kind: 'notice', level: 'info', text: 'This folder is in no git repository.' };
    if (output.trim() === '') return { kind: 'notice', level: 'info', text: 'Nothing changed since the last commit.' };
    const more = lines.length - maxLines;
    return { kind: 'page', title: 'Changes', lines: more > 0 ? [...lines.slice(0, maxLines), `… ${more} more lines`] : lines };
  },
};
