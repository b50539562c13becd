import { compileGlob } from './glob-pattern.ts';

/** What the rules of one ignore file say of a path relative to its folder; undefined when none matches. */
export type IgnoreRules = (path: string, isFolder: boolean) => 'ignored' | 'kept' | undefined;

/** Reads an ignore file as git does (gitignore(5)): the last matching rule counts, `!` keeps, a closing `/` means folders only. */
export function parseIgnoreFile(content: string): IgnoreRules {
  const rules = content
    .replace(/^\ufeff/u, '')
    .split(/\r?\n/u)
    .flatMap((line) => {
      let pattern = line.replace(/(?<!\\)\s+$/u, '');
      if (pattern === '' || pattern.startsWith('#')) return [];
      const keeps = pattern.startsWith('!');
      if (keeps) pattern = pattern.slice(1);
      const foldersOnly = pattern.endsWith('/');
      if (foldersOnly) pattern = pattern.slice(0, -1);
      const anchored = pattern.includes('/');
      if (pattern.startsWith('/')) pattern = pattern.slice(1);
      if (pattern === '') return [];
      return [{ matches: compileGlob(pattern, anchored), keeps, foldersOnly }];
    })
    .reverse();
  return (path, isFolder) => {
    const rule = rules.find((candidate) => (isFolder || !candidate.foldersOnly) && candidate.matches(path));
    if (rule === undefined) return undefined;
    return rule.keeps ? 'kept' : 'ignored';
  };
}
