import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import type { Clock } from '../lib/clock.ts';
import { readSmallFile } from '../lib/small-file.ts';
import { updateLocked } from '../lib/state-file.ts';
import { type Folders, userSettingsPath } from './folders.ts';
import type { SettingKey, Settings } from './settings.ts';

/** Sets keys in the user's settings file; comments and everything else in it stay. Undefined when done, else why not. */
export function writeUserSettings(folders: Folders, values: Partial<Settings>, clock: Clock): Promise<string | undefined> {
  const path = userSettingsPath(folders);
  return updateLocked(path, clock, async () => {
    const read = readSmallFile(path);
    if (read !== undefined && 'problem' in read) return { problem: `Cannot change ${path}: ${read.problem}` };
    return editSettings(read?.text ?? '{}\n', values, path);
  });
}

/** Pure: the text with the keys set, or why it is left alone. */
export function editSettings(
  text: string,
  values: Partial<Settings>,
  path: string,
): { readonly text: string } | { readonly problem: string } {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof root !== 'object' || root === null || Array.isArray(root)) {
    return { problem: `${path} is no valid settings file; it is left as it is.` };
  }
  let edited = text;
  for (const [key, value] of Object.entries(values) as [SettingKey, unknown][]) {
    edited = applyEdits(edited, modify(edited, [key], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
  }
  return { text: edited.endsWith('\n') ? edited : `${edited}\n` };
}
