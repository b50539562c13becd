import { openPlace, type Place } from '../compose.ts';
import { projectSettingsPaths, userSettingsPath } from '../config/folders.ts';
import { loadSources } from '../config/load.ts';
import type { Options } from '../config/options.ts';
import { type Config, resolveConfig } from '../config/resolve.ts';

/** The settings in force for a call that opens no session, and the files that they may come from. */
export async function readConfig(options: Options): Promise<{ config: Config; files: readonly string[]; place: Place }> {
  const place = await openPlace(options);
  const { cwd, folders, trusted } = place;
  const sources = loadSources({ folders, cwd, env: process.env, trusted });
  const { project, local } = projectSettingsPaths(cwd);
  const present = new Set(sources.files.map((file) => file.path));
  const files = [userSettingsPath(folders), project, local].map((path) => {
    if (present.has(path)) return path;
    return `${path} (${sources.untrusted.includes(path) ? 'ignored: the folder is not trusted' : 'not there'})`;
  });
  return { config: resolveConfig(sources, options), files, place };
}
