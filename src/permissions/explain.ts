import type { JudgeContext } from './decide.ts';
import { type CommandJudgement, decideCommand } from './decide-command.ts';

/** Why a command is allowed, asked or denied, in the shape that `permissions explain --json` prints. */
export type Explanation = {
  readonly command: string;
  readonly mode: JudgeContext['mode'];
  readonly verdict: CommandJudgement['verdict'];
  readonly by: CommandJudgement['by'];
  readonly reason: string;
  /** Whether the grammar understands the command. */
  readonly understood: boolean;
  readonly segments: readonly {
    readonly join: string;
    readonly words: readonly string[];
    readonly redirects: readonly string[];
    readonly automatic: boolean;
    readonly why: string;
  }[];
  /** Command words that the over-approximating scan found, for deny rules and the catastrophic set. */
  readonly commands: readonly string[];
  /** Rules that would make it automatic. */
  readonly rulesToAllow: readonly string[];
};

/** Judges a command that will not be run. */
export function explainCommand(command: string, cwd: string, context: JudgeContext): Explanation {
  const judged = decideCommand(command, cwd, context);
  return {
    command,
    mode: context.mode,
    verdict: judged.verdict,
    by: judged.by,
    reason: judged.reason,
    understood: judged.unclear === undefined,
    segments: judged.segments.map(({ join, words, redirects, allowedBy, why }) => ({
      join,
      words,
      redirects,
      automatic: allowedBy !== undefined,
      why,
    })),
    commands: judged.commands,
    rulesToAllow: judged.offer,
  };
}

const sentences = { allow: 'runs without asking', ask: 'asks first', deny: 'is refused' } as const;

/** The explanation for people, one line each. */
export function describeExplanation(explanation: Explanation): readonly string[] {
  const { verdict, mode, reason, understood, segments, commands, rulesToAllow } = explanation;
  return [
    `${verdict}: in mode ${mode} it ${sentences[verdict]}. ${reason}`,
    ...(understood ? [] : [`The grammar does not understand it; command words found in it: ${commands.join(', ') || 'none'}.`]),
    ...segments.map(({ join, words, redirects, automatic, why }) => {
      const shown = [...words.map((word) => (/^[\w./:=@%+,-]+$/u.test(word) ? word : JSON.stringify(word))), ...redirects].join(' ');
      return `  ${join === '' ? '  ' : join.padEnd(2)} ${shown}  (${automatic ? 'automatic' : 'not automatic'}: ${why})`;
    }),
    ...(rulesToAllow.length > 0 ? [`To allow it: ${rulesToAllow.join(' and ')}`] : []),
  ];
}
