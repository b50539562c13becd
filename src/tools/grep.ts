import * as z from 'zod';
import { countOf, headOf } from '../lib/text.ts';
import { fileTypes } from './file-types.ts';
import { type FileHits, type GrepMode, type GrepResult, type GrepSource, searchText } from './grep-search.ts';
import type { FindRipgrep } from './ripgrep.ts';
import { describeWithheld, resolveScope, type SearchScope } from './search-scope.ts';
import { openTargetFolder, readTarget } from './targets.ts';
import { defineTool, failure, success, type Tool, type ToolOutcome } from './tool.ts';

/** Shown of one search: matches or files when the call does not say, characters of a line, characters in all. */
export const grepLimits = { results: 100, lineChars: 400, chars: 30_000 };

/** One file in mode content: its path, then its lines with number, `:` for a match and `-` for context, gaps marked. */
function* contentLines(hit: FileHits, shown: string, withContext: boolean): Generator<{ line: string; isMatch: boolean }> {
  yield { line: shown, isMatch: false };
  let last = 0;
  for (const { number, text, isMatch } of hit.lines) {
    if (withContext && last > 0 && number > last + 1) yield { line: '--', isMatch: false };
    last = number;
    const short = headOf(text, grepLimits.lineChars);
    yield { line: `${number}${isMatch ? ':' : '-'} ${short}${short === text ? '' : '…'}`, isMatch };
  }
}

/** The answer, and how much of all was left out. */
function formatHits(hits: readonly FileHits[], scope: SearchScope, options: { mode: GrepMode; context: number; limit: number }): string[] {
  const { mode, context, limit } = options;
  const total = hits.reduce((sum, hit) => sum + hit.matches, 0);
  if (total === 0) return ['No match'];
  const lines: string[] = [];
  let chars = 0;
  let shown = 0;
  const add = (line: string): boolean => {
    chars += line.length + 1;
    if (chars > grepLimits.chars) return false;
    lines.push(line);
    return true;
  };
  if (mode !== 'content') {
    for (const hit of hits) {
      if (shown === limit || !add(mode === 'files' ? scope.show(hit.path) : `${scope.show(hit.path)}: ${hit.matches}`)) break;
      shown += 1;
    }
    if (shown < hits.length) lines.push(`(${shown} of ${hits.length} files; narrow the search or raise limit)`);
    if (mode === 'count') lines.push(`(${countOf(total, 'matching line')} in ${countOf(hits.length, 'file')})`);
    return lines;
  }
  search: for (const hit of hits) {
    if (shown === limit) break;
    for (const { line, isMatch } of contentLines(hit, scope.show(hit.path), context > 0)) {
      if ((isMatch && shown === limit) || !add(line)) break search;
      if (isMatch) shown += 1;
    }
  }
  if (shown < total)
    lines.push(`(${shown} of ${countOf(total, 'matching line')} in ${countOf(hits.length, 'file')}; narrow the search or raise limit)`);
  return lines;
}

function describeResult(result: GrepResult, scope: SearchScope, options: { mode: GrepMode; context: number; limit: number }): ToolOutcome {
  if ('error' in result) return failure(`The pattern is not accepted: ${result.error}`);
  const open = result.hits.filter((hit) => !scope.withholds(hit.path));
  const lines = formatHits(open, scope, options);
  if (!result.complete) lines.push('(too many matches to read all of them; narrow the search)');
  const withheld = describeWithheld(result.hits.length - open.length);
  return success([...lines, ...(withheld === '' ? [] : [withheld])].join('\n'));
}

/** The tool, on the ripgrep that `find` finds, or on our own search when it finds none. */
export function createGrep(find: FindRipgrep): Tool {
  return defineTool({
    name: 'grep',
    kind: 'read',
    description: 'Search file contents by regex, line by line; ignored files are left out.',
    schema: () =>
      z.object({
        pattern: z.string(),
        path: z.string().optional(),
        glob: z.string().optional(),
        type: z.string().optional().describe('ts, py, go, …'),
        mode: z.enum(['content', 'files', 'count']).optional(),
        context: z.number().int().min(0).max(50).optional(),
        ignore_case: z.boolean().optional(),
        limit: z.number().int().min(1).optional(),
      }),
    async prepare(args, context) {
      const { pattern, path = '.', glob, type, mode = 'content' } = args;
      if (pattern === '') return failure('The pattern is empty; give a regular expression');
      if (/[\n\0]/u.test(pattern)) return failure('The pattern has a line break or NUL in it; the search goes line by line');
      const types = type === undefined ? [] : Object.hasOwn(fileTypes, type) ? (fileTypes[type] ?? []) : undefined;
      if (types === undefined) return failure(`Unknown type '${type}'. Accepted: ${Object.keys(fileTypes).join(', ')}; or use glob`);
      const scope = await resolveScope(path, glob, context.cwd);
      if ('error' in scope) return failure(scope.error);
      const { target } = scope;
      const names = [types, scope.names].filter((group) => group.length > 0);
      const options = { mode, context: args.context ?? 0, limit: args.limit ?? grepLimits.results };
      return {
        effects: [{ kind: 'read', path: target.path, wanted: path }],
        async run(signal) {
          if (target.kind === 'missing') return failure(`'${target.shown}' does not exist`);
          const query = { pattern, ignoreCase: args.ignore_case ?? false, mode, context: options.context, names, wants: scope.wants };
          const search = async (source: GrepSource): Promise<ToolOutcome> => {
            const result = await searchText(source, query, { ripgrep: await find(), signal });
            return signal.aborted ? failure('Cancelled') : describeResult(result, scope, options);
          };
          if (target.kind === 'file') {
            const read = await readTarget(target);
            return 'error' in read ? failure(read.error) : search({ kind: 'file', bytes: read.bytes });
          }
          const folder = await openTargetFolder(target);
          if ('error' in folder) return failure(folder.error);
          try {
            return await search({ kind: 'folder', folder });
          } finally {
            await folder.handle.close();
          }
        },
      };
    },
  });
}
