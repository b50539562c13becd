import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathExistsSync } from '../lib/paths.ts';
import { UsageError } from '../types/errors.ts';
import { type Folders, projectSettingsPaths, userSettingsPath } from './folders.ts';
import type { ConfigSources } from './resolve.ts';
import type { FileLayer } from './settings-file.ts';

/** A settings file above this size, in bytes, is not one. */
const maxBytes = 256 * 1024;

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

/** The text of a regular file of modest size, or what is wrong with it; undefined when there is none. */
export function readSmallFile(path: string): { readonly text: string } | { readonly problem: string } | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe in its place must not hold us
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return { problem: 'it is no regular file' };
      if (stat.size > maxBytes) return { problem: `it is larger than ${maxBytes / 1024} KiB` };
      return { text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { problem: error instanceof Error ? error.message : String(error) };
  }
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
