import { join } from 'node:path';

/** Where our own files are: settings and keys; sessions, trust and what else the program remembers. */
export type Folders = { readonly config: string; readonly state: string };

/** One folder for both when TILLDONE_HOME names it; else the XDG folders, on Windows those of the roaming and the local profile. */
export function appFolders(place: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}): Folders {
  const { env, home } = place;
  const own = env.TILLDONE_HOME;
  if (own !== undefined && own !== '') return { config: own, state: join(own, 'state') };
  const base = (variable: string, ...fallback: string[]): string => {
    const set = env[variable];
    // the XDG standard says that a relative path is to be ignored
    return set?.startsWith('/') || (place.platform === 'win32' && set) ? set : join(home, ...fallback);
  };
  if (place.platform === 'win32') {
    return {
      config: join(base('APPDATA', 'AppData', 'Roaming'), 'tilldone'),
      state: join(base('LOCALAPPDATA', 'AppData', 'Local'), 'tilldone'),
    };
  }
  return {
    config: join(base('XDG_CONFIG_HOME', '.config'), 'tilldone'),
    state: join(base('XDG_STATE_HOME', '.local', 'state'), 'tilldone'),
  };
}

/** The user's own settings file. */
export function userSettingsPath(folders: Folders): string {
  return join(folders.config, 'settings.json');
}

/** The settings files that a project may bring, the later one first in force. */
export function projectSettingsPaths(cwd: string): { readonly project: string; readonly local: string } {
  return { project: join(cwd, '.tilldone', 'settings.json'), local: join(cwd, '.tilldone', 'settings.local.json') };
}
