import * as z from 'zod';
import { listFiles } from './list-files.ts';
import type { FindRipgrep } from './ripgrep.ts';
import { describeWithheld, resolveScope, type SearchScope } from './search-scope.ts';
import { openTargetFolder } from './targets.ts';
import { defineTool, failure, success, type Tool, type ToolOutcome } from './tool.ts';

/** Paths shown of one search. */
export const maxGlobPaths = 300;

async function search(scope: SearchScope, find: FindRipgrep, signal: AbortSignal): Promise<ToolOutcome> {
  const folder = await openTargetFolder(scope.target);
  if ('error' in folder) return failure(folder.error);
  try {
    const listing = await listFiles(folder, scope, { ripgrep: await find(), signal });
    if (signal.aborted) return failure('Cancelled');
    const open = listing.paths.filter((path) => !scope.withholds(path));
    const lines = open.slice(0, maxGlobPaths).map(scope.show);
    if (open.length === 0) lines.push('No file matches');
    if (open.length > maxGlobPaths) lines.push(`(the newest ${maxGlobPaths} of ${open.length}; narrow the pattern for others)`);
    if (!listing.complete) lines.push('(too many files to look at all of them; name a folder)');
    lines.push(describeWithheld(listing.paths.length - open.length));
    return success(lines.filter((line) => line !== '').join('\n'));
  } catch (error) {
    return failure(`The search failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await folder.handle.close();
  }
}

/** The tool, on the ripgrep that `find` finds, or on our own walk when it finds none. */
export function createGlob(find: FindRipgrep): Tool {
  return defineTool({
    name: 'glob',
    kind: 'read',
    description: 'Find files by glob (**/*.ts), newest first; ignored files are left out.',
    schema: () => z.object({ pattern: z.string(), path: z.string().optional() }),
    async prepare({ pattern, path = '.' }, context) {
      if (pattern.trim() === '') return failure('The pattern is empty; give a glob such as **/*.ts');
      const scope = await resolveScope(path, pattern, context.cwd);
      if ('error' in scope) return failure(scope.error);
      const { target } = scope;
      return {
        effects: [{ kind: 'read', path: target.path, wanted: path }],
        async run(signal) {
          if (target.kind === 'missing') return failure(`'${target.shown}' does not exist`);
          if (target.kind === 'file') return failure(`'${target.shown}' is a file; give a folder as path`);
          return search(scope, find, signal);
        },
      };
    },
  });
}
