import { didYouMean } from '../lib/nearest.ts';
import { launchers, unruledBuiltins, wrappers } from './shell-words.ts';

/** Where a rule came from; a project's rules only ever tighten. */
export type RuleSource = 'user' | 'project' | 'workspace' | 'session' | 'flag';
export type RuleKind = 'allow' | 'ask' | 'deny';

export type RuleMatch =
  /** Words of one simple command; `open` when more words may follow. */
  | { readonly kind: 'shell'; readonly words: readonly string[]; readonly open: boolean }
  | { readonly kind: 'read' | 'edit' | 'web'; readonly pattern: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** One tool by its own name. */
  | { readonly kind: 'tool'; readonly name: string };

export type Rule = { readonly text: string; readonly source: RuleSource; readonly match: RuleMatch };

/** Looked at in this order: deny, ask, allow; what no rule settles is the mode's. */
export type Rules = { readonly allow: readonly Rule[]; readonly ask: readonly Rule[]; readonly deny: readonly Rule[] };

export const noRules: Rules = { allow: [], ask: [], deny: [] };

/** A rule, or in words why it is none. `warning`: it is a rule, but covers less than it seems to. */
export type ParsedRule = { readonly rule: Rule; readonly warning?: string } | { readonly error: string };

const ruleKinds = ['shell', 'read', 'edit', 'web', 'mcp'] as const;
const examples: Readonly<Record<(typeof ruleKinds)[number], string>> = {
  shell: 'shell(npm test *)',
  read: 'read(docs/**)',
  edit: 'edit(src/**)',
  web: 'web(*.example.com)',
  mcp: 'mcp(server/tool)',
};
/** Names that others use for the same. */
const otherNames: Readonly<Record<string, string>> = {
  bash: 'shell',
  run_shell_command: 'shell',
  write: 'edit',
  webfetch: 'web',
  fetch: 'web',
};
const toolNames = [
  'read_file',
  'list_dir',
  'glob',
  'grep',
  'write_file',
  'edit_file',
  'shell_output',
  'shell_kill',
  'web_fetch',
  'ask_user',
  'todo_write',
  'todo_read',
  'todo_pause',
];

/** Reads one rule, such as `shell(npm test *)` or a tool's name. A rule that names no tool or can never match is an error. */
export function parseRule(text: string, kind: RuleKind, source: RuleSource): ParsedRule {
  const trimmed = text.trim();
  const [, name = '', inside] = /^([A-Za-z][\w-]*)(?:\(([\s\S]*)\))?$/u.exec(trimmed) ?? [];
  const quoted = `rule '${trimmed}'`;
  if (name === '') return { error: `The ${quoted} is not of the form tool(pattern), for example ${examples.shell}.` };
  const known = ruleKinds.find((each) => each === name);
  const rule = (match: RuleMatch, warning?: string): ParsedRule => ({
    rule: { text: trimmed, source, match },
    ...(warning === undefined ? {} : { warning: `The ${quoted}: ${warning}` }),
  });
  if (!known) {
    if (toolNames.includes(name) && inside === undefined) return rule({ kind: 'tool', name });
    const same = otherNames[name.toLowerCase()] ?? ruleKinds.find((each) => each === name.toLowerCase());
    const hint = same === undefined ? didYouMean(name, [...ruleKinds, ...toolNames]) : ` Did you mean '${same}'?`;
    return { error: `The ${quoted} names no known tool.${hint} Accepted: ${ruleKinds.join(', ')}, each with a pattern, or a tool's name.` };
  }
  const pattern = inside?.trim();
  if (pattern === '') return { error: `The ${quoted} has an empty pattern and can never match; for example ${examples[known]}.` };
  switch (known) {
    case 'shell':
      return shellRule(pattern ?? '*', kind, quoted, rule);
    case 'read':
    case 'edit': {
      const problem = pathProblem(pattern ?? '**');
      return problem ? { error: `The ${quoted} can never match: ${problem}.` } : rule({ kind: known, pattern: pattern ?? '**' });
    }
    case 'web': {
      const host = (pattern ?? '*').toLowerCase();
      if (!/^[a-z0-9*?.:_[\]-]+$/u.test(host))
        return { error: `The ${quoted} can never match: it takes a host name, for example ${examples.web}.` };
      return rule({ kind: 'web', pattern: host });
    }
    case 'mcp': {
      const [server = '', tool = '*', ...more] = (pattern ?? '*/*').split('/');
      if (server === '' || tool === '' || more.length > 0)
        return { error: `The ${quoted} can never match: it takes server/tool, for example ${examples.mcp}.` };
      return rule({ kind: 'mcp', server, tool });
    }
  }
}

function shellRule(pattern: string, kind: RuleKind, quoted: string, rule: (match: RuleMatch, warning?: string) => ParsedRule): ParsedRule {
  const pieces = patternWords(pattern);
  if (!pieces) return { error: `The ${quoted} has a quote that is not closed.` };
  const last = pieces.at(-1) ?? '';
  const open = last === '*';
  const words = open ? pieces.slice(0, -1) : pieces;
  const match: RuleMatch = { kind: 'shell', words, open };
  if (kind !== 'allow') return rule(match);
  const [head] = words;
  const never = (why: string): ParsedRule => ({ error: `The ${quoted} can never match: ${why}.` });
  if (head === undefined || /[*?]/u.test(head))
    return never(`it must name the command, for example ${examples.shell}; to run every command use the mode yolo`);
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/u.test(head)) return never(`'${head}' is not a bare command name`);
  const special = /[^\x20-\x7e]/u.exec(pattern)?.[0] ?? /&&|\|\||[;|]/u.exec(pattern.replace(/'[^']*'|"[^"]*"/gu, ''))?.[0];
  if (special !== undefined) return never(`it covers one command at a time, and '${special}' stands between two`);
  if (!frees(match)) return rule(match, whyNot(head));
  return last.length > 2 && last.endsWith(':*')
    ? rule(match, `it covers the word '${last}' only; for further words write '${last.slice(0, -2)} *'`)
    : rule(match);
}

/** Whether an allow rule makes what it matches automatic: an open rule for a launcher must name what is launched, one for a wrapper never does. */
export function frees(match: Extract<RuleMatch, { kind: 'shell' }>): boolean {
  const [head = '', ...rest] = match.words;
  if (unruledBuiltins.has(head)) return false;
  const isLiteral = (word: string): boolean => !/[*?]/u.test(word);
  if (!match.open && rest.every(isLiteral)) return true;
  if (wrappers.has(head)) return false;
  if (!launchers.has(head)) return true;
  const [first = '-', second = '-'] = rest;
  const named = first === '-m' ? second : first; // `python -m pytest`
  return !named.startsWith('-') && isLiteral(named);
}

/** Why a rule that matches does not make the command automatic. */
export function whyNot(head: string): string {
  if (unruledBuiltins.has(head)) return `the shell builtin '${head}' always asks`;
  if (wrappers.has(head))
    return `'${head}' runs whatever command it is given, so only a rule that spells the whole line makes it automatic`;
  return `'${head}' can run other programs or write any file, so a rule must name its first argument, as in shell(npm test *)`;
}

/** Words of a rule, where quotes group and `*` and `?` are wildcards. */
function patternWords(pattern: string): string[] | undefined {
  const words: string[] = [];
  const rest = pattern.replace(/((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/gu, (_all, word: string) => {
    words.push(word.replace(/'([^']*)'|"([^"]*)"/gu, (_quote, single?: string, double?: string) => single ?? double ?? ''));
    return '';
  });
  return rest.trim() === '' ? words : undefined;
}

function pathProblem(pattern: string): string | undefined {
  if (pattern.includes('\0')) return 'a path has no NUL byte';
  if (pattern.split('/').includes('..')) return "paths are resolved first, so '..' is never in them";
  return undefined;
}

export type RuleTexts = Readonly<Record<RuleKind, readonly string[]>>;

/** Reads the rules of one source. A project's allow rules are dropped, with a warning: its files may only tighten. */
export function parseRules(
  texts: Partial<RuleTexts>,
  source: RuleSource,
): { rules: Rules; errors: readonly string[]; warnings: readonly string[] } {
  const errors: string[] = [];
  const warnings: string[] = [];
  const parse = (kind: RuleKind): Rule[] =>
    (texts[kind] ?? []).flatMap((text) => {
      if (kind === 'allow' && source === 'project') {
        warnings.push(`The project's allow rule '${text}' is ignored: project files may only tighten (ask, deny).`);
        return [];
      }
      const parsed = parseRule(text, kind, source);
      if ('error' in parsed) {
        errors.push(parsed.error);
        return [];
      }
      if (parsed.warning !== undefined) warnings.push(parsed.warning);
      return [parsed.rule];
    });
  return { rules: { allow: parse('allow'), ask: parse('ask'), deny: parse('deny') }, errors, warnings };
}

/** All rules of all sources together. */
export function joinRules(...parts: readonly Rules[]): Rules {
  return {
    allow: parts.flatMap((part) => part.allow.filter((rule) => rule.source !== 'project')),
    ask: parts.flatMap((part) => part.ask),
    deny: parts.flatMap((part) => part.deny),
  };
}
