import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export type FileLayer = 'user' | 'project' | 'project-local';

/** A settings file as it was read; `problem` when there is one but it could not be read. */
export type ConfigFile = { readonly layer: FileLayer; readonly path: string } & ({ readonly text: string } | { readonly problem: string });

/** One key of a settings file, or of a section of it. */
export type Entry = { readonly key: string; readonly value: unknown; readonly line: number; readonly entries: readonly Entry[] };

export type ParsedFile = { readonly entries: readonly Entry[] } | { readonly problem: string; readonly line: number | undefined };

/** Reads JSON with comments and closing commas. Never throws; the problem says what is wrong. */
export function parseSettingsFile(text: string): ParsedFile {
  const source = text.replace(/^\uFEFF/u, '');
  const lineAt = createLineIndex(source);
  if (source.trim() === '') return { entries: [] };
  if (deepest(source) > 100) return { problem: 'it is nested too deeply', line: undefined };
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) return { problem: sentenceOf(printParseErrorCode(error.error)), line: lineAt(error.offset) };
  if (root?.type !== 'object') return { problem: 'it must be one object, { "key": value }', line: 1 };
  return { entries: entriesOf(root, lineAt) };
}

/** How deep brackets nest at most, strings not set apart: enough to keep a hostile file from exhausting the stack. */
function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/gu)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

/** The entries of an object; a key that comes twice counts as it came last. */
function entriesOf(object: Node, lineAt: (offset: number) => number): readonly Entry[] {
  const byKey = new Map<string, Entry>();
  for (const property of object.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    const entries = value.type === 'object' ? entriesOf(value, lineAt) : [];
    byKey.delete(key);
    byKey.set(key, { key, value: getNodeValue(value), line: lineAt(name.offset), entries });
  }
  return [...byKey.values()];
}

function createLineIndex(text: string): (offset: number) => number {
  return (offset) => text.slice(0, offset).split('\n').length;
}

/** `CommaExpected` → `comma expected`. */
function sentenceOf(code: string): string {
  return code.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
}
