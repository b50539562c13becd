import type { OpenFolder } from '../lib/atomic-file.ts';
import { type ProgramResult, runProgram, searchPath } from '../lib/process.ts';
import { isInRepository } from './walk-files.ts';

/** A ripgrep that works, and the PATH it is found on. */
export type Ripgrep = { readonly file: string; readonly path: string };
export type FindRipgrep = () => Promise<Ripgrep | undefined>;

/** Output of one search that is read, in bytes. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Searches alike everywhere: no settings of the user's, hidden files but not git's own. */
const commonFlags = [
  '--no-config',
  '--no-messages',
  '--hidden',
  '--glob=!.git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--color=never',
  '--null',
];

async function works(candidate: Ripgrep): Promise<boolean> {
  const { file, path } = candidate;
  const result = await runProgram({ file, args: ['--no-config', '--version'], cwd: '/', env: { PATH: path } }, { maxBytes: 4096 });
  return result.code === 0 && result.stdout.toString().startsWith('ripgrep');
}

async function lookForRipgrep(): Promise<Ripgrep | undefined> {
  // the package throws when its binary for this machine is not installed
  const bundled = await import('@vscode/ripgrep').then(
    (module) => module.rgPath,
    () => undefined,
  );
  const candidates = [...(bundled === undefined ? [] : [{ file: bundled, path: '' }]), { file: 'rg', path: searchPath() }];
  for (const candidate of candidates) if (await works(candidate)) return candidate;
  return undefined;
}

let found: Promise<Ripgrep | undefined> | undefined;

/** Bundled ripgrep, else `rg` on the PATH, else none; looked for once. */
export const findRipgrep: FindRipgrep = () => {
  found ??= lookForRipgrep();
  return found;
};

/** Runs ripgrep in an open folder, or on `input`, with our common flags; `.gitignore` counts outside of a repository too. */
export function runRipgrep(
  ripgrep: Ripgrep,
  args: readonly string[],
  { folder, input, signal }: { folder?: OpenFolder; input?: Uint8Array; signal: AbortSignal },
): Promise<ProgramResult> {
  // in a repository git's own way, which stops at its top: a .gitignore in the home folder says nothing of it
  const scope = folder === undefined || isInRepository(folder.path) ? [] : ['--no-require-git'];
  const all = [...commonFlags, ...scope, ...args];
  const spec = { file: ripgrep.file, args: all, cwd: folder?.at('.') ?? '/', env: { PATH: ripgrep.path } };
  return runProgram(spec, { maxBytes: maxOutputBytes, signal, ...(input === undefined ? {} : { input }) });
}
