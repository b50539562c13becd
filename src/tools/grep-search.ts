import { constants } from 'node:fs';
import { basename, join } from 'node:path';
import { type OpenFolder, openExactly } from '../lib/atomic-file.ts';
import { compileGlob } from './glob-pattern.ts';
import { type Ripgrep, runRipgrep } from './ripgrep.ts';
import { compileRustRegex } from './rust-regex.ts';
import { maxFileBytes } from './targets.ts';
import { decodeText } from './text-file.ts';
import { walkFiles } from './walk-files.ts';

export type GrepMode = 'content' | 'files' | 'count';
export type GrepQuery = {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly mode: GrepMode;
  /** Lines around each match. */
  readonly context: number;
  /** Globs of which the name of a file must match one of each group. */
  readonly names: readonly (readonly string[])[];
  /** A first sieve for paths relative to the folder. */
  readonly wants: (path: string) => boolean;
};

/** `matches` is the number of matching lines; in mode files 1. `lines` only in mode content, with context. */
export type FileHits = {
  readonly path: string;
  readonly matches: number;
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isMatch: boolean }[];
};
export type GrepResult = { readonly hits: readonly FileHits[]; readonly complete: boolean } | { readonly error: string };

/** An open folder, or the bytes of one file, whose path is then empty in the result. */
export type GrepSource = { readonly kind: 'folder'; readonly folder: OpenFolder } | { readonly kind: 'file'; readonly bytes: Uint8Array };

/** Searches with ripgrep where there is one, else by hand, with equal results. Files in order of their paths. */
export async function searchText(
  source: GrepSource,
  query: GrepQuery,
  options: { ripgrep: Ripgrep | undefined; signal: AbortSignal },
): Promise<GrepResult> {
  const result =
    options.ripgrep === undefined
      ? await searchByHand(source, query, options.signal)
      : await searchWith(options.ripgrep, source, query, options.signal);
  if ('error' in result) return result;
  const hits = result.hits.filter((hit) => query.wants(hit.path));
  return { hits: hits.sort((left, right) => (left.path < right.path ? -1 : 1)), complete: result.complete };
}

type Hits = { path: string; matches: number; lines: { number: number; text: string; isMatch: boolean }[] };
type Found = { hits: Hits[]; complete: boolean } | { error: string };

async function searchWith(ripgrep: Ripgrep, source: GrepSource, query: GrepQuery, signal: AbortSignal): Promise<Found> {
  const args = ['--with-filename', '--no-heading', '--line-number', '--crlf', '--engine=auto'];
  if (query.ignoreCase) args.push('--ignore-case');
  if (query.mode === 'files') args.push('--files-with-matches');
  if (query.mode === 'count') args.push('--count');
  if (query.mode === 'content' && query.context > 0) args.push(`--context=${query.context}`);
  // a type and not --glob: that would bring back files which ignore files leave out; a second group is left to the sieve
  const [names = []] = query.names;
  if (source.kind === 'folder') {
    for (const name of names) args.push(`--type-add=wanted:${name}`);
    if (names.length > 0) args.push('--type=wanted');
  }
  args.push(`--regexp=${query.pattern}`, '--', source.kind === 'folder' ? './' : '-');
  const result = await runRipgrep(
    ripgrep,
    args,
    source.kind === 'folder' ? { folder: source.folder, signal } : { input: source.bytes, signal },
  );
  if (result.failure !== undefined) return { error: `ripgrep could not be started: ${result.failure}` };
  if (result.code !== null && result.code > 1 && result.stdout.length === 0) return { error: describeProblem(result.stderr) };
  const text = result.stdout.toString('utf8');
  const whole = result.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  const hits = query.mode === 'files' ? parsePaths(text) : parseLines(whole, query.mode);
  if (source.kind === 'file') return { hits: hits.map((hit) => ({ ...hit, path: '' })), complete: !result.truncated };
  const sieve = sieveOf(query);
  return { hits: hits.filter((hit) => sieve(hit.path)), complete: !result.truncated };
}

function describeProblem(stderr: string): string {
  const text = stderr.replace(/^rg: /u, '').trim();
  return text === '' ? 'the search failed' : text;
}

function parsePaths(text: string): Hits[] {
  return text
    .split('\0')
    .slice(0, -1)
    .map((path) => ({ path: path.slice(2), matches: 1, lines: [] }));
}

/** Reads `path NUL 12:match` and `path NUL 11-context`; what has no NUL is a separator or a remark on a binary file. */
function parseLines(text: string, mode: GrepMode): Hits[] {
  const hits = new Map<string, Hits>();
  for (const line of text.split('\n')) {
    const cut = line.indexOf('\0');
    if (cut === -1) {
      const remark = /^\.\/(.*): (?:WARNING: stopped searching )?binary file/u.exec(line);
      if (remark?.[1] !== undefined) hits.delete(remark[1]);
      continue;
    }
    const path = line.slice(2, cut);
    const hit = hits.get(path) ?? { path, matches: 0, lines: [] };
    hits.set(path, hit);
    if (mode === 'count') {
      hit.matches = Number(line.slice(cut + 1));
      continue;
    }
    const found = /^(\d+)([:-])(.*)$/su.exec(line.slice(cut + 1));
    if (found === null) continue;
    const isMatch = found[2] === ':';
    if (isMatch) hit.matches += 1;
    hit.lines.push({ number: Number(found[1]), text: (found[3] ?? '').replace(/\r$/u, ''), isMatch });
  }
  return [...hits.values()];
}

function sieveOf(query: GrepQuery): (path: string) => boolean {
  const groups = query.names.map((names) => names.map((name) => compileGlob(name, true)));
  return (path) => groups.every((group) => group.some((matches) => matches(basename(path))));
}

async function searchByHand(source: GrepSource, query: GrepQuery, signal: AbortSignal): Promise<Found> {
  let pattern: RegExp;
  try {
    pattern = compileRustRegex(query.pattern, query.ignoreCase);
  } catch (error) {
    return { error: `regex parse error: ${error instanceof Error ? error.message : String(error)}` };
  }
  const hits: Hits[] = [];
  const look = (path: string, bytes: Uint8Array): void => {
    const decoded = decodeText(bytes);
    const hit = decoded.kind === 'binary' ? undefined : searchLines(decoded.text, pattern, query);
    if (hit !== undefined) hits.push({ path, ...hit });
  };
  if (source.kind === 'file') {
    look('', source.bytes);
    return { hits, complete: true };
  }
  const { folder } = source;
  const sieve = sieveOf(query);
  for await (const path of walkFiles(folder.at('.'), folder.path, signal)) {
    if (!sieve(path) || !query.wants(path)) continue;
    const bytes = await readBelow(folder, path).catch(() => undefined);
    if (bytes !== undefined) look(path, bytes);
  }
  return { hits, complete: true };
}

/** The file at that place of the folder; one that became a link or lies behind one is not read. */
async function readBelow(folder: OpenFolder, path: string): Promise<Buffer | undefined> {
  const handle = await openExactly(join(folder.path, path), constants.O_RDONLY);
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxFileBytes ? await handle.readFile() : undefined;
  } finally {
    await handle.close();
  }
}

function searchLines(text: string, pattern: RegExp, query: GrepQuery): Omit<Hits, 'path'> | undefined {
  const lines = text.replace(/^\ufeff/u, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const bare = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const matching = bare.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  if (matching.length === 0) return undefined;
  if (query.mode === 'files') return { matches: 1, lines: [] };
  if (query.mode === 'count') return { matches: matching.length, lines: [] };
  const isMatch = new Set(matching);
  const shown = new Set(
    matching.flatMap((index) => Array.from({ length: 2 * query.context + 1 }, (_, step) => index - query.context + step)),
  );
  const inside = [...shown].filter((index) => index >= 0 && index < bare.length).sort((left, right) => left - right);
  return {
    matches: matching.length,
    lines: inside.map((index) => ({ number: index + 1, text: bare[index] ?? '', isMatch: isMatch.has(index) })),
  };
}
