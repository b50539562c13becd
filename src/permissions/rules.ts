/** Where a rule came from; a project's rules only ever tighten. */
export type RuleSource = 'user' | 'project' | 'workspace' | 'session' | 'flag';

export type RuleMatch =
  /** Words of one simple command; `open` when the rule ends in ` *`. */
  | { readonly kind: 'shell'; readonly words: readonly string[]; readonly open: boolean }
  | { readonly kind: 'read' | 'edit' | 'web'; readonly pattern: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** One tool by its own name. */
  | { readonly kind: 'tool'; readonly name: string };

export type Rule = { readonly text: string; readonly source: RuleSource; readonly match: RuleMatch };

/** Looked at in this order: deny, ask, allow; what no rule settles is the mode's. */
export type Rules = { readonly allow: readonly Rule[]; readonly ask: readonly Rule[]; readonly deny: readonly Rule[] };

export const noRules: Rules = { allow: [], ask: [], deny: [] };
