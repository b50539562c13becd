import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IgnoreRules, parseIgnoreFile } from './ignore-rules.ts';

/** Names of ignore files, the strongest first, as ripgrep ranks them. */
const ignoreFileNames = ['.rgignore', '.ignore', '.gitignore'] as const;

/** The ignore files of one folder. `path` is that folder relative to the start of the walk; of a parent of it, undefined. */
type Level = {
  readonly rules: readonly (IgnoreRules | undefined)[];
  readonly hasGit: boolean;
  /** Turns a path relative to the start into one relative to this level. */
  readonly relative: (path: string) => string;
};

async function readLevel(folder: string, relative: Level['relative']): Promise<Level> {
  const rules = await Promise.all(
    ignoreFileNames.map((name) => readFile(join(folder, name), 'utf8').then(parseIgnoreFile, () => undefined)),
  );
  return { rules, hasGit: existsSync(join(folder, '.git')), relative };
}

/** Whether a folder lies in a git repository or work tree, or is the top of one. */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** The nearest level decides first, a stronger kind of ignore file before a weaker one. */
function isIgnored(path: string, isFolder: boolean, levels: readonly Level[], endsAtRepository: boolean): boolean {
  for (const [kind, name] of ignoreFileNames.entries()) {
    for (const level of levels) {
      const verdict = level.rules[kind]?.(level.relative(path), isFolder);
      if (verdict !== undefined) return verdict === 'ignored';
      if (endsAtRepository && name === '.gitignore' && level.hasGit) break;
    }
  }
  return false;
}

/**
 * Every regular file below a folder, by path relative to it, hidden ones too but nothing in `.git`; ignore files honoured, those of the
 * folders above as well, within a repository up to its top; links not followed. `root` opens the folder, `realPath` is where it lies. The fall-back where there is no ripgrep.
 */
export async function* walkFiles(root: string, realPath: string, signal: AbortSignal): AsyncGenerator<string> {
  const inRepository = isInRepository(realPath);
  const above: Level[] = [];
  for (let folder = realPath, prefix = ''; dirname(folder) !== folder; ) {
    prefix = `${folder.slice(folder.lastIndexOf('/') + 1)}/${prefix}`;
    folder = dirname(folder);
    const start = prefix;
    above.push(await readLevel(folder, (path) => start + path));
  }

  async function* walk(folder: string, levels: readonly Level[]): AsyncGenerator<string> {
    if (signal.aborted) return;
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    const own = await readLevel(join(root, folder), (path) => path.slice(folder.length));
    const here = [own, ...levels];
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.name === '.git' || (!entry.isDirectory() && !entry.isFile())) continue;
      const path = folder + entry.name;
      if (isIgnored(path, entry.isDirectory(), here, inRepository)) continue;
      if (entry.isDirectory()) yield* walk(`${path}/`, here);
      else yield path;
    }
  }
  yield* walk('', above);
}
