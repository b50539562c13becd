import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathExistsSync } from '../lib/paths.ts';
import { readSmallFile } from '../lib/small-file.ts';
import { UsageError } from '../types/errors.ts';
import { type Folders, projectSettingsPaths, userSettingsPath } from './folders.ts';
import type { ConfigSources } from './resolve.ts';
import type { FileLayer } from './settings-file.ts';

export type LoadedSources = ConfigSources & {
  /** Settings that the project brings and that were not even read, because the folder is not trusted. */
  readonly untrusted: readonly string[];
};

/** Reads the settings files that there are; those of the project only when the folder is trusted. Never throws. */
export function loadSources(place: {
  readonly folders: Folders;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trusted: boolean;
}): LoadedSources {
  const { project, local } = projectSettingsPaths(place.cwd);
  const wanted: readonly { layer: FileLayer; path: string }[] = [
    { layer: 'user', path: userSettingsPath(place.folders) },
    { layer: 'project', path: project },
    { layer: 'project-local', path: local },
  ];
  const looked = wanted.map(({ layer, path }) => {
    if (layer !== 'user' && !place.trusted) return { untrusted: pathExistsSync(path) ? [path] : [], files: [] };
    const read = readSmallFile(path);
    return { untrusted: [], files: read === undefined ? [] : [{ layer, path, ...read }] };
  });
  return { files: looked.flatMap(({ files }) => files), env: place.env, untrusted: looked.flatMap(({ untrusted }) => untrusted) };
}

/** The value of an option that takes text or `@file`. Throws UsageError 42 when the file cannot be read. */
export async function readTextOption(value: string, cwd: string): Promise<string> {
  if (!value.startsWith('@')) return value;
  const name = value.slice(1);
  try {
    return await readFile(isAbsolute(name) ? name : join(cwd, name), 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read '${name}': ${error instanceof Error ? error.message : String(error)}`, 42);
  }
}
