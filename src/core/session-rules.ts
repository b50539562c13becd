import type { StateFile } from '../lib/state-file.ts';
import { parseRule, type Rule, type RuleKind, type RuleSource, type Rules } from '../permissions/rules.ts';
import { addWorkspaceRule, type WorkspaceRules, workspaceRules } from '../permissions/workspace-rules.ts';
import { UsageError } from '../types/errors.ts';

/** A rule as it was written, and where. `flag` names the command line's; those must be right. */
type WrittenRule = { readonly text: string; readonly kind: RuleKind; readonly source: RuleSource; readonly where: string };

/** The rules in force: what files and flags say, what "always" stored for this workspace, and what was allowed in this session. */
export type SessionRules = {
  rules(): Rules;
  /** `always` is stored for the workspace; resolves with a sentence when that failed. */
  add(text: string, scope: 'session' | 'always'): Promise<string | undefined>;
  readonly warnings: readonly string[];
};

/** Throws UsageError for a rule of the command line that cannot be read. */
export function openSessionRules(deps: {
  readonly written: readonly WrittenRule[];
  readonly file: StateFile<WorkspaceRules>;
  readonly workspace: string;
  /** No stored or written rule may allow anything: settings could not be read. */
  readonly strict: boolean;
}): SessionRules {
  const lists: Record<RuleKind, Rule[]> = { allow: [], ask: [], deny: [] };
  const warnings: string[] = [];
  for (const { text, kind, source, where } of deps.written) {
    if (kind === 'allow' && source === 'project') {
      warnings.push(`${where}: the allow rule '${text}' is ignored: project files may only tighten (ask, deny).`);
      continue;
    }
    const parsed = parseRule(text, kind, source);
    if ('error' in parsed) {
      if (source === 'flag') throw new UsageError(`${where}: ${parsed.error}`);
      warnings.push(`${where}: ${parsed.error}`);
      continue;
    }
    lists[kind].push(parsed.rule);
    if (parsed.warning !== undefined) warnings.push(parsed.warning);
  }
  const stored = deps.file.read();
  if (stored.problem !== undefined) warnings.push(stored.problem);
  if (!deps.strict) {
    const { rules, errors } = workspaceRules(stored.value, deps.workspace);
    lists.allow.push(...rules.allow);
    warnings.push(...errors);
  }
  let rules: Rules = lists;
  return {
    rules: () => rules,
    warnings,
    async add(text, scope) {
      const parsed = parseRule(text, 'allow', 'session');
      if ('error' in parsed) return parsed.error;
      rules = { ...rules, allow: [...rules.allow, parsed.rule] };
      return scope === 'always' ? deps.file.update((state) => addWorkspaceRule(state, deps.workspace, text)) : undefined;
    },
  };
}
