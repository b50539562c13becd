import { lstatSync, realpathSync } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { lazy } from '../types/lazy.ts';

export type RealPath =
  /** `path` has no link in it, as far as it exists; `missing` are the segments at its end that do not exist yet. */
  { readonly path: string; readonly missing: readonly string[] } | { readonly error: string };

const maxLinks = 40;

/**
 * The real path behind a path as a model wrote it: `~` is the home folder, `..` is taken away by name, then every link in the part
 * that exists is resolved, dangling links too. Never throws.
 */
export async function resolveRealPath(wanted: string, cwd: string): Promise<RealPath> {
  if (wanted === '') return { error: 'The path is empty; give a path such as src/main.ts' };
  if (wanted.includes('\0')) return { error: `The path ${JSON.stringify(wanted)} has a NUL byte in it` };
  const expanded = wanted === '~' || wanted.startsWith('~/') ? join(homedir(), wanted.slice(1)) : wanted;
  let current = isAbsolute(expanded) ? resolve(expanded) : resolve(cwd, expanded);
  if (wanted === '.') {
    // every start asks where it is: at once, without a trip to the thread pool
    try {
      return { path: realpathSync.native(current), missing: [] };
    } catch {
      // said below, in words
    }
  }
  const missing: string[] = [];
  let links = 0;
  for (;;) {
    try {
      const real = await realpath(current);
      return { path: join(real, ...missing), missing };
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT') return { error: `Cannot resolve '${wanted}': ${describeCode(code)}` };
    }
    const target = await readlink(current).catch(() => undefined);
    if (target === undefined) {
      const parent = dirname(current);
      if (parent === current) return { error: `Cannot resolve '${wanted}': ${describeCode('ENOENT')}` };
      missing.unshift(basename(current));
      current = parent;
      continue;
    }
    links += 1;
    if (links > maxLinks) return { error: `Cannot resolve '${wanted}': ${describeCode('ELOOP')}` };
    const folder = await resolveRealPath(dirname(current), cwd);
    if ('error' in folder) return folder;
    current = resolve(folder.path, target);
  }
}

/** Whether `path` is `folder` or lies below it, by segments; both absolute real paths. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Characters that some file systems ignore in names, so that `.g\u200cit` opens `.git`. */
const ignoredInNames = lazy(() => /\p{Default_Ignorable_Code_Point}/gu);

/** What only some file systems read as another name: beyond printable ASCII, streams, backslashes, closing dots. */
const oddNames = /[^!-~]|[:\\]|\.(?:\/|$)/u;

/** A name as the most forgiving file system compares it: case, composition, ignored characters, closing dots and spaces. */
export function foldName(name: string): string {
  if (!oddNames.test(name)) return name.toLowerCase();
  return name
    .replace(ignoredInNames(), '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:.*$/u, '')
    .replace(/[. ]+$/u, '');
}

const protectedFolders = new Set(['.git', 'git~1', '.tilldone', '.vscode']);
/** Our own settings and state, where no variable moves them (`config/folders.ts`). */
const ownFolder = /(?:^|\/)(?:\.config|\.local\/state|appdata\/(?:local|roaming))\/tilldone(?:\/|$)/u;
const protectedFiles = new Set([
  '.mcp.json',
  '.envrc',
  '.gitconfig',
  '.gitmodules',
  '.profile',
  '.login',
  '.logout',
  '.inputrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.mkshrc',
  '.cshrc',
  '.tcshrc',
  'config.fish',
]);

/**
 * Whether a change there could run code later or loosen a guard: git's own files, our settings and state, editor and shell start-up
 * files. By name alone, so also when absent. With `below`, segments above that folder do not count.
 */
export function isProtectedPath(path: string, below?: string): boolean {
  const segments = segmentsOf(path, below);
  const isNamed = segments.some((segment) => protectedFolders.has(segment)) || protectedFiles.has(segments.at(-1) ?? '');
  return isNamed || ownFolder.test(segments.join('/'));
}

/** A folder of secrets on the way, or a name as of a file with secrets at the end, of a path in folded segments. */
const secretPath = new RegExp(
  [
    '(?:^|/)(?:',
    '\\.(?:ssh|gnupg|aws|azure|kube)/',
    '|(?:\\.env[^/]*|id_[^/]*|[^/]*\\.(?:pem|key|p12|pfx|keystore|jks)|credentials(?:\\.[^/]*)?)$',
    '|\\.(?:npmrc|pypirc|netrc|pgpass|git-credentials|htpasswd)$|_netrc$',
    ')',
  ].join(''),
  'iu',
);

/** Whether a file by its name is likely to hold keys or passwords. With `below`, segments above that folder do not count. */
export function isSecretLike(path: string, below?: string): boolean {
  const relevant = below !== undefined && isInside(path, below) ? path.slice(below.length) : path;
  // most paths are plain, and a search judges them by the ten thousand
  return secretPath.test(oddNames.test(relevant) ? segmentsOf(relevant, undefined).join('/') : relevant);
}

function segmentsOf(path: string, below: string | undefined): string[] {
  const relevant = below !== undefined && isInside(path, below) ? path.slice(below.length) : path;
  return relevant
    .split(/[/\\]/u)
    .filter((segment) => segment !== '')
    .map(foldName);
}

/** A path for people and models: relative to `cwd` when it lies inside, else as it is. */
export function displayPath(path: string, cwd: string): string {
  if (path === cwd) return '.';
  return isInside(path, cwd) ? path.slice(cwd.endsWith(sep) ? cwd.length : cwd.length + 1) : path;
}

/** Whether something of that name is there, a dangling link included. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The same at once, for a start, which has nothing else to do meanwhile. */
export function pathExistsSync(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
}

const codeSentences: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'it is a link, or links that lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EEXIST: 'it is there already',
  EMFILE: 'too many files are open',
  ENXIO: 'it is no regular file',
};

function describeCode(code: string): string {
  return codeSentences[code] ?? code;
}

/** A file system error in words, without the path. */
export function describeFileError(error: unknown): string {
  const code = codeOf(error);
  if (codeSentences[code] !== undefined) return codeSentences[code];
  return error instanceof Error ? error.message : String(error);
}
