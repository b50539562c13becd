import { describeExplanation, explainCommand } from '../permissions/explain.ts';
import { joinRules, noRules, parseRules, type Rules } from '../permissions/rules.ts';
import { type ApprovalMode, approvalModes } from '../types/effects.ts';
import { UsageError } from '../types/errors.ts';

export type ExplainOptions = {
  readonly command: string;
  /** Rules given on the command line, before those of the settings. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly mode?: string;
  readonly json?: boolean;
};

export type ExplainSurroundings = {
  /** Real path. */
  readonly workspace: string;
  readonly extraDirs?: readonly string[];
  readonly home: string;
  /** Left out, the explanation says nothing of the sandbox. */
  readonly sandboxed?: boolean;
  /** The rules in force, from settings and the workspace's state. */
  readonly rules?: Rules;
  readonly mode?: ApprovalMode;
};

/** `tilldone permissions explain 'cmd'`: what would happen to a command and why. Throws UsageError for a bad mode or rule. */
export function explainPermission(options: ExplainOptions, around: ExplainSurroundings): { readonly text: string; readonly exitCode: 0 } {
  const parsed = parseRules({ allow: options.allow ?? [], ask: options.ask ?? [], deny: options.deny ?? [] }, 'flag');
  const [problem] = parsed.errors;
  if (problem !== undefined) throw new UsageError(problem);
  const { workspace, extraDirs = [], home, sandboxed = true, rules = noRules } = around;
  const mode = options.mode === undefined ? (around.mode ?? 'default') : parseMode(options.mode);
  const explanation = explainCommand(options.command, workspace, {
    mode,
    rules: joinRules(parsed.rules, rules),
    workspace,
    extraDirs,
    home,
    sandboxed,
  });
  const text = options.json
    ? JSON.stringify({ ...explanation, warnings: parsed.warnings }, undefined, 2)
    : [...describeExplanation(explanation), ...parsed.warnings].join('\n');
  return { text: `${text}\n`, exitCode: 0 };
}

/** An approval mode as people write it: `auto_edit` and `acceptEdits` are `auto-edit`. Throws UsageError for another word. */
export function parseMode(text: string): ApprovalMode {
  const plain = text
    .trim()
    .replace(/([a-z])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .replace(/_/gu, '-');
  const known = approvalModes.find((mode) => mode === plain);
  if (known) return known;
  if (plain === 'accept-edits') return 'auto-edit';
  throw new UsageError(`Unknown approval mode '${text}'. Accepted: ${approvalModes.join(', ')}.`);
}
