import { isAbsolute, join } from 'node:path';
import { displayPath, isSecretLike } from '../lib/paths.ts';
import { compileGlob, hasSlash, splitGlob } from './glob-pattern.ts';
import { inspectTarget, type Refusal, type Target } from './targets.ts';

/** Where a search looks and which files it shows. */
export type SearchScope = {
  /** The folder, or the one file, that is searched. */
  readonly target: Target;
  /** Whether a path relative to the folder is wanted. */
  readonly wants: (path: string) => boolean;
  /** Globs of which a file name must match one; all of what is wanted lies among them. Empty for any name. */
  readonly names: readonly string[];
  /** A path relative to the folder as people and models see it. */
  readonly show: (path: string) => string;
  /** Whether the file is kept back because it looks like one with secrets; never the one file that was named. */
  readonly withholds: (path: string) => boolean;
};

/** Turns a folder or file and a glob into a scope. What the glob names before its first special character is looked up, not matched. */
export async function resolveScope(path: string, glob: string | undefined, cwd: string): Promise<SearchScope | Refusal> {
  const { base, rest } = splitGlob(glob ?? '');
  const anchored = base !== '' || hasSlash(rest);
  const target = await inspectTarget(isAbsolute(base) ? base : join(path, base), cwd);
  if ('error' in target) return target;
  const isFile = target.kind === 'file';
  const name = rest.slice(rest.lastIndexOf('/') + 1);
  const wants = glob === undefined || isFile ? (): boolean => true : compileGlob(rest, anchored);
  return {
    target,
    wants,
    names: glob === undefined || isFile || isEveryName(name) ? [] : [name],
    show: (found) => (isFile ? target.shown : displayPath(join(target.path, found), cwd)),
    withholds: (found) => !isFile && isSecretLike(found),
  };
}

/** Whether the last segment of a glob sorts nothing out by name, or is only a piece of it, as `c}` of `{a/b,c}`. */
function isEveryName(name: string): boolean {
  if (name === '' || name === '*' || name === '**' || name.includes('\\')) return true;
  const count = (character: string): number => name.split(character).length;
  return count('{') !== count('}') || count('[') !== count(']');
}

/** A sentence on files that were kept back; empty for none. */
export function describeWithheld(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '(1 file that may hold secrets was left out)' : `(${count} files that may hold secrets were left out)`;
}
