import type { StateFile } from '../lib/state-file.ts';
import { findTraces, isTrusted, rememberTrust, type TrustState } from '../permissions/trust.ts';

export type TrustSurroundings = {
  /** Real path. */
  readonly folder: string;
  readonly state: Pick<StateFile<TrustState>, 'read' | 'update'>;
  readonly now: number;
  exists(path: string): Promise<boolean>;
};

/** `tilldone trust [DIR]`: remembers that the user trusts a folder, and says what that sets in force. */
export async function trustFolder({
  folder,
  state,
  now,
  exists,
}: TrustSurroundings): Promise<{ readonly text: string; readonly exitCode: 0 | 1 }> {
  const { value, problem } = state.read();
  if (problem !== undefined) return { text: `${problem}\n`, exitCode: 1 };
  const found = (await findTraces(folder, exists)).map(({ path, effect }) => `  ${path}  (${effect})`);
  const brings = found.length === 0 ? [] : ['It brings:', ...found];
  if (isTrusted(value, folder)) return { text: `${[`${folder} is trusted already.`, ...brings].join('\n')}\n`, exitCode: 0 };
  const failure = await state.update((before) => rememberTrust(before, folder, now));
  if (failure !== undefined) return { text: `${failure}\n`, exitCode: 1 };
  return { text: `${[`${folder} is trusted from now on.`, ...brings].join('\n')}\n`, exitCode: 0 };
}
