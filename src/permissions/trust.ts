import { join } from 'node:path';
import { isRecord } from '../lib/record.ts';

/** Folders that the user trusts, by real path. Trust in a folder says nothing of those inside it. */
export type TrustState = { readonly version: 1; readonly folders: Readonly<Record<string, { readonly trustedAt: number }>> };
export const noTrust: TrustState = { version: 1, folders: {} };

/** By hand: it is read before the first frame, and zod takes as long to load as the rest of the settings. */
export function parseTrustState(json: unknown): TrustState | undefined {
  if (!isRecord(json) || json.version !== 1 || !isRecord(json.folders)) return undefined;
  const isEntry = (entry: unknown): entry is { trustedAt: number } => isRecord(entry) && typeof entry.trustedAt === 'number';
  const folders = Object.entries(json.folders).map(([path, entry]) =>
    isEntry(entry) ? ([path, { trustedAt: entry.trustedAt }] as const) : undefined,
  );
  const known = folders.filter((entry) => entry !== undefined);
  return known.length === folders.length ? { version: 1, folders: Object.fromEntries(known) } : undefined;
}

export function isTrusted(state: TrustState, realPath: string): boolean {
  return Object.hasOwn(state.folders, realPath);
}

export function rememberTrust(state: TrustState, realPath: string, now: number): TrustState {
  return { ...state, folders: { ...state.folders, [realPath]: { trustedAt: now } } };
}

export function forgetTrust(state: TrustState, realPath: string): TrustState {
  return { ...state, folders: Object.fromEntries(Object.entries(state.folders).filter(([path]) => path !== realPath)) };
}

/** What a project can bring that acts on its own, by name, and what it would do once trusted. */
const traces: readonly { readonly path: string; readonly effect: string }[] = [
  { path: '.tilldone/settings.json', effect: 'project settings' },
  { path: '.tilldone/settings.local.json', effect: 'project settings' },
  { path: '.tilldone/commands', effect: 'commands' },
  { path: '.tilldone/hooks', effect: 'hooks, which run programs' },
  { path: '.mcp.json', effect: 'MCP servers, which run programs' },
  { path: 'AGENTS.md', effect: 'instructions for the model' },
  { path: 'CLAUDE.md', effect: 'instructions for the model' },
  { path: 'GEMINI.md', effect: 'instructions for the model' },
  { path: '.git/hooks', effect: 'git hooks, run by git commands' },
  { path: '.envrc', effect: 'a start-up file of direnv' },
  { path: '.vscode', effect: 'editor tasks' },
  { path: 'package.json', effect: 'scripts, run by npm' },
  { path: 'Makefile', effect: 'targets, run by make' },
];

export type ProjectTrace = { readonly path: string; readonly effect: string };

/** What of the traces is there. Looks at names only: nothing is opened. */
export async function findTraces(workspace: string, exists: (path: string) => Promise<boolean>): Promise<readonly ProjectTrace[]> {
  const found = await Promise.all(traces.map(({ path }) => exists(join(workspace, path))));
  return traces.filter((_trace, index) => found[index]);
}

export type TrustChoice = 'trust' | 'restricted' | 'quit';

/** The question of a first start: what was found, and what each answer means. */
export function trustQuestion(
  workspace: string,
  found: readonly ProjectTrace[],
): { readonly lines: readonly string[]; readonly choices: readonly { readonly choice: TrustChoice; readonly text: string }[] } {
  return {
    lines: [
      `Do you trust the files in ${workspace}?`,
      found.length === 0 ? 'Nothing was found in it that acts on its own.' : 'It brings, found by name and not read yet:',
      ...found.map(({ path, effect }) => `  ${path}  (${effect})`),
    ],
    choices: [
      { choice: 'trust', text: 'Trust: use its settings, and remember this folder' },
      { choice: 'restricted', text: 'Restricted: start without its settings, hooks, commands and MCP servers' },
      { choice: 'quit', text: 'Quit' },
    ],
  };
}

/** What a one-shot call says when a project brings things that it leaves alone. */
export function untrustedNotice(workspace: string, ignored: readonly string[]): string | undefined {
  if (ignored.length === 0) return undefined;
  return `Ignored in ${workspace}, because the folder is not trusted: ${ignored.join(', ')}. Use --trust for this call, or 'tilldone trust' to remember it.`;
}
