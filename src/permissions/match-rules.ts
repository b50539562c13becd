import { join, relative } from 'node:path';
import { foldName, isInside, isProtectedPath, isSecretLike } from '../lib/paths.ts';
import { type CommandScan, commandName } from './command-scan.ts';
import { matchesPath, matchesWildcard } from './glob-match.ts';
import { frees, type Rule } from './rules.ts';

export type Places = { /** Real path. */ readonly workspace: string; readonly home: string };

/** The first rule for that tool by its own name, or for the MCP tool `mcp__server__tool`. */
export function findToolRule(rules: readonly Rule[], toolName: string): Rule | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(toolName) ?? [];
  return rules.find(({ match }) => {
    if (match.kind === 'tool') return match.name === toolName;
    return (
      match.kind === 'mcp' &&
      server !== undefined &&
      tool !== undefined &&
      matchesWildcard(server, match.server) &&
      matchesWildcard(tool, match.tool)
    );
  });
}

/** The first rule that covers a host. `*.example.com` covers what lies below example.com; for a tightening rule, example.com as well. */
export function findHostRule(rules: readonly Rule[], host: string, tightening: boolean): Rule | undefined {
  const name = host.toLowerCase().replace(/\.$/u, '');
  return rules.find(({ match }) => {
    if (match.kind !== 'web') return false;
    return matchesWildcard(name, match.pattern) || (tightening && match.pattern === `*.${name}`);
  });
}

/** The first deny or ask rule that covers a path. Case and composition do not matter, and a pattern without `/` holds at any depth. */
export function findTighteningPathRule(rules: readonly Rule[], kind: 'read' | 'edit', path: string, places: Places): Rule | undefined {
  const folded = foldPath(path);
  return rules.find(({ match }) => {
    if (match.kind !== kind) return false;
    const pattern = match.pattern.includes('/') ? match.pattern : `**/${match.pattern}`;
    const absolute = absolutePattern(pattern, places);
    // what lies below a folder that is named is meant, too
    return [absolute, `${absolute}/**`].some((each) => matchesPath(path, each) || matchesPath(folded, foldPath(each)));
  });
}

/** The first allow rule that covers a path. A protected or secret-like path is covered only by a pattern that spells it out. */
export function findAllowPathRule(rules: readonly Rule[], kind: 'read' | 'edit', path: string, places: Places): Rule | undefined {
  return rules.find(({ match }) => {
    if (match.kind !== kind || !matchesPath(path, absolutePattern(match.pattern, places))) return false;
    if (kind === 'edit' && isProtectedPath(path, places.workspace) && !isProtectedPath(literalPart(match.pattern))) return false;
    return !isSecretLike(path, places.workspace) || isSecretLike(match.pattern);
  });
}

function foldPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (/[*?]/u.test(segment) ? segment.toLowerCase() : foldName(segment) || segment))
    .join('/');
}

function absolutePattern(pattern: string, { workspace, home }: Places): string {
  if (pattern.startsWith('/')) return pattern;
  if (pattern.startsWith('~/')) return join(home, pattern.slice(2));
  return `${workspace}/${pattern.replace(/^\.\//u, '')}`;
}

/** The segments of a pattern before its first wildcard. */
function literalPart(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => /[*?]/u.test(segment));
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
}

/** The pattern that "always" would store for a path, when one can be written. */
export function offerForPath(kind: 'read' | 'edit', path: string, places: Places): readonly string[] {
  if (/[*?\n]/u.test(path) || path !== path.trim()) return [];
  const inside = isInside(path, places.workspace);
  const shown = inside ? relative(places.workspace, path) : path;
  const exact = isProtectedPath(path, places.workspace) || isSecretLike(path, places.workspace) || (kind === 'edit' && !inside);
  const folder = shown.slice(0, Math.max(0, shown.lastIndexOf('/')));
  return [`${kind}(${exact || folder === '' ? shown || '**' : `${folder}/**`})`];
}

/** The first deny or ask rule for a command word that the scan found, anywhere; the rule's further words may stand anywhere behind it. */
export function findTighteningShellRule(rules: readonly Rule[], scan: CommandScan): Rule | undefined {
  return rules.find(({ match }) => {
    if (match.kind !== 'shell') return false;
    const [head, ...rest] = match.words;
    if (head === undefined) return true;
    const name = commandName(head);
    return scan.commands.some((found) => matchesWildcard(found.name, name) && hasInOrder(found.words, found.at + 1, rest));
  });
}

function hasInOrder(words: readonly string[], start: number, wanted: readonly string[]): boolean {
  let place = 0;
  for (let at = start; at < words.length && place < wanted.length; at += 1) {
    if (matchesWildcard((words[at] ?? '').toLowerCase(), (wanted[place] ?? '').toLowerCase())) place += 1;
  }
  return place === wanted.length;
}

/** The allow rules that match the words of one simple command, word by word. */
export function matchingAllowRules(
  rules: readonly Rule[],
  words: readonly string[],
): { readonly rule: Rule; readonly frees: boolean; readonly literal: ReadonlySet<string> }[] {
  return rules.flatMap((rule) => {
    const { match } = rule;
    if (match.kind !== 'shell') return [];
    if (match.open ? words.length < match.words.length : words.length !== match.words.length) return [];
    if (!match.words.every((pattern, at) => matchesWildcard(words[at] ?? '', pattern))) return [];
    return [{ rule, frees: frees(match), literal: new Set(match.words) }];
  });
}
