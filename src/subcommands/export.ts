import { join, resolve } from 'node:path';
import { writeOutputFile } from '../lib/output-file.ts';
import { pathExists } from '../lib/paths.ts';
import { type ExportInput, toJsonExport, toMarkdown } from '../session/export.ts';
import { findSession, readSession } from '../session/index.ts';
import { messageOf } from '../types/errors.ts';

export const exportFormats = ['markdown', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A session with a log: the state folder, and an id, the beginning of one, a name, or `latest`. */
type SavedSession = { readonly directory: string; readonly wanted: string };

/** A session that is in memory only. */
type HeldSession = Pick<ExportInput, 'sessionId' | 'events' | 'times'>;

export type ExportOptions = {
  readonly session: SavedSession | HeldSession;
  readonly workspace: string;
  readonly format: ExportFormat;
  /** Takes secrets out of a text. */
  redact(text: string): string;
};

/** The text of a whole session, secrets redacted. Throws a UsageError when there is no such session. */
export async function exportText(options: ExportOptions): Promise<{ readonly id: string; readonly text: string }> {
  const { session, workspace, format, redact } = options;
  const held = 'events' in session ? session : await readSaved(session, workspace);
  const input: ExportInput = { ...held, redact };
  return { id: held.sessionId, text: format === 'json' ? toJsonExport(input) : toMarkdown(input) };
}

async function readSaved({ directory, wanted }: SavedSession, workspace: string): Promise<HeldSession> {
  const { id } = await findSession(directory, workspace, wanted);
  const { events, times } = await readSession(directory, workspace, id);
  return { sessionId: id, events, times };
}

/** Writes a session to `path`, or to a file of a new name in the workspace; resolves with a sentence on where, or why not. */
export async function exportSession(options: ExportOptions & { readonly path: string | undefined }): Promise<string> {
  const { workspace, format } = options;
  try {
    const { id, text } = await exportText(options);
    const ending = format === 'json' ? 'json' : 'md';
    const path = options.path === undefined ? await newName(workspace, `tilldone-${id}`, ending) : resolve(workspace, options.path);
    await writeOutputFile(path, text);
    return `Exported to ${path}, secrets redacted.`;
  } catch (error) {
    return `Nothing exported: ${messageOf(error)}`;
  }
}

async function newName(folder: string, name: string, ending: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.${ending}`);
    if (!(await pathExists(path))) return path;
  }
}
