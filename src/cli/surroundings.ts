import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { appFolders, type Folders, projectSettingsPaths, trustPath, userSettingsPath } from '../config/folders.ts';
import { loadSources } from '../config/load.ts';
import type { Options } from '../config/options.ts';
import { type Config, resolveConfig } from '../config/resolve.ts';
import { systemClock } from '../lib/clock.ts';
import { resolveRealPath } from '../lib/paths.ts';
import { createStateFile, type StateFile } from '../lib/state-file.ts';
import { isTrusted, noTrust, type TrustState, trustStateSchema } from '../permissions/trust.ts';
import { UsageError } from '../types/errors.ts';

/** Our own folders, from this process's environment. */
export function ownFolders(): Folders {
  return appFolders({ env: process.env, home: homedir(), platform: process.platform });
}

/** The folders that the user trusts. */
export function trustState(): StateFile<TrustState> {
  return createStateFile({ path: trustPath(ownFolders()), schema: trustStateSchema, empty: noTrust, clock: systemClock });
}

/** The real path of a folder named on the command line. Throws UsageError when there is none. */
export async function realFolder(wanted: string | undefined): Promise<string> {
  const real = await resolveRealPath(wanted ?? '.', process.cwd());
  if ('error' in real) throw new UsageError(real.error);
  if (real.missing.length > 0) throw new UsageError(`There is no folder '${wanted}'.`);
  return real.path;
}

/** Settings in force for a call that opens no session, and the files that they may come from. */
export async function readConfig(options: Options): Promise<{ config: Config; files: readonly string[]; cwd: string }> {
  const cwd = await realFolder(options.cd);
  const folders = ownFolders();
  const trusted = options.trust || isTrusted((await trustState().read()).value, cwd);
  const sources = await loadSources({ folders, cwd, env: process.env, trusted });
  const { project, local } = projectSettingsPaths(cwd);
  const present = new Set(sources.files.map((file) => file.path));
  const files = [userSettingsPath(folders), project, local].map((path) => {
    if (present.has(path)) return path;
    return sources.untrusted.includes(path) ? `${path} (ignored: the folder is not trusted)` : `${resolve(path)} (not there)`;
  });
  return { config: resolveConfig(sources, options), files, cwd };
}
