import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../lib/clock.ts';
import { createStateFile, type StateFile } from '../lib/state-file.ts';
import { lazy } from '../types/lazy.ts';
import type { Folders } from './folders.ts';

const keysSchema = lazy(() => z.record(z.string(), z.string()));

/** API keys by the name of the variable they stand for; the environment outranks them. */
export type StoredKeys = Readonly<Record<string, string>>;

/** The file in the config folder that keeps API keys, readable by its owner only. */
export function openKeyFile(folders: Folders, clock: Clock): StateFile<StoredKeys> {
  return createStateFile({ path: join(folders.config, 'keys.json'), parse: (json) => keysSchema().safeParse(json).data, empty: {}, clock });
}

/** Keys with one more, or without it when it is empty. */
export function withKey(keys: StoredKeys, { name, key }: { readonly name: string; readonly key: string }): StoredKeys {
  const others = Object.entries(keys).filter(([known]) => known !== name);
  return Object.fromEntries(key === '' ? others : [...others, [name, key]]);
}
