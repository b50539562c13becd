import { basename, join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';

/** Folder name of a workspace: readable, and one per real path. */
export function workspaceKey(workspace: string): string {
  const readable = basename(workspace)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 24);
  // one short text: node:crypto takes 3 ms to load, of every start
  const unique = Buffer.from(sha256(Buffer.from(workspace))).toString('hex', 0, 6);
  return readable === '' ? unique : `${readable}-${unique}`;
}

/** Where the sessions of all workspaces are, below the state folder. */
export function sessionsFolder(directory: string): string {
  return join(directory, 'sessions');
}

export function workspaceFolder(directory: string, workspace: string): string {
  return join(sessionsFolder(directory), workspaceKey(workspace));
}

const logEnding = '.jsonl';

export function logPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}${logEnding}`);
}

export function lockPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.lock`);
}

/** Not a session's log: no id contains a dot. */
export function indexPath(folder: string): string {
  return join(folder, 'index.cache');
}

/** The id of a log's file name; undefined for other files. */
export function idOfFile(name: string): string | undefined {
  return name.endsWith(logEnding) ? name.slice(0, -logEnding.length) : undefined;
}

/** Ids come from the command line too: they name one file in one folder and nothing else. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u.test(text);
}
