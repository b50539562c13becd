import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathExistsSync } from '../lib/paths.ts';
import { messageOf } from '../types/errors.ts';

/** What a project tells its agents. */
export type Instructions = {
  /** For the system prompt, outermost folder first; empty when there is none. */
  readonly text: string;
  /** The files it came from, in that order. */
  readonly files: readonly string[];
  /** What was left out, as sentences for the user. */
  readonly notices: readonly string[];
};

/** The first of these that a folder has counts. */
export const instructionFileNames = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** Most bytes that join the system prompt; the files nearest to the workspace go first. */
export const instructionBytes = 64 * 1024;

/** Reads the instruction files from the workspace up to the root of its repository; only the workspace's own when it is in none. Never throws. */
export function loadInstructions(workspace: string): Instructions {
  const folders = foldersUpToRoot(workspace);
  const root = folders.at(-1) ?? workspace;
  const parts: { path: string; text: string }[] = [];
  const notices: string[] = [];
  let left = instructionBytes;
  for (const folder of folders) {
    const found = readFirst(folder, root);
    if (found === undefined) continue;
    if ('problem' in found) {
      notices.push(found.problem);
      continue;
    }
    if (left === 0) {
      notices.push(`${found.path} was left out: instructions are capped at ${instructionBytes / 1024} KiB.`);
      continue;
    }
    const kept = cutAtLine(found.text, left);
    if (kept.length < found.text.length) notices.push(`${found.path} was cut: instructions are capped at ${instructionBytes / 1024} KiB.`);
    left = kept.length < found.text.length ? 0 : left - Buffer.byteLength(kept);
    if (kept.trim() !== '') parts.unshift({ path: found.path, text: kept });
  }
  return {
    text: parts.map(({ path, text }) => `Instructions from ${path}:\n\n${text.trim()}`).join('\n\n'),
    files: parts.map(({ path }) => path),
    notices,
  };
}

/** From the workspace outwards, up to the folder that has `.git`. */
function foldersUpToRoot(workspace: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = workspace; ; folder = dirname(folder)) {
    folders.push(folder);
    if (pathExistsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [workspace];
  }
}

type Found = { readonly path: string; readonly text: string } | { readonly problem: string };

function readFirst(folder: string, root: string): Found | undefined {
  const path = instructionFileNames.map((name) => join(folder, name)).find(pathExistsSync);
  return path === undefined ? undefined : readInside(path, root);
}

/** A link may lead to another file of the repository, never out of it: what is read goes to the model. */
function readInside(path: string, root: string): Found {
  try {
    const real = realpathSync.native(path);
    const realRoot = realpathSync.native(root);
    if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep))
      return { problem: `${path} was left out: it leads out of ${root}.` };
    const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(file).isFile()) return { problem: `${path} was left out: it is not a regular file.` };
      const buffer = Buffer.alloc(instructionBytes + 1);
      const bytesRead = readSync(file, buffer, 0, buffer.length, 0);
      return { path, text: buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/u, '') };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: `${path} was left out: ${messageOf(error)}` };
  }
}

/** The longest beginning of whole lines that fits; of a single longer line, the longest beginning of whole characters. */
function cutAtLine(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const lineEnd = bytes.lastIndexOf(0x0a, maxBytes - 1);
  if (lineEnd > 0) return bytes.toString('utf8', 0, lineEnd + 1);
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
