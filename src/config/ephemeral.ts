import { didYouMean } from '../lib/nearest.ts';
import type { Config } from './resolve.ts';
import { acceptedValues, isSettingKey, parseSetting, settingKeys } from './setting-value.ts';
import { type SettingKey, type Settings, settings } from './settings.ts';

/** What `/set` changed, for this session only. */
export type Ephemeral = Partial<Settings>;

/** The keys that `/set` may change. */
export const sessionKeys: readonly SettingKey[] = settingKeys.filter((key) => settings[key].scopes.some((scope) => scope === 'session'));

export type EphemeralChange = { readonly values: Ephemeral; readonly key: SettingKey } | { readonly error: string };

/** One `/set key value`; the value `default` takes the change back. Pure. */
export function setEphemeral(current: Ephemeral, key: string, raw: string): EphemeralChange {
  if (!isSettingKey(key)) return { error: `Unknown setting '${key}'.${didYouMean(key, sessionKeys)} /set lists them.` };
  if (!sessionKeys.includes(key)) return { error: `'${key}' cannot change in a session.${elsewhere(key)}` };
  if (raw.trim() === '') return { error: `'${key}' needs a value. Accepted: ${acceptedValues(key)}.` };
  if (raw.trim() === 'default') {
    const { [key]: _gone, ...values } = current;
    return { values, key };
  }
  const parsed = parseSetting(key, raw);
  return 'error' in parsed ? parsed : { values: { ...current, [key]: parsed.value }, key };
}

function elsewhere(key: SettingKey): string {
  const { flag }: { readonly flag?: string } = settings[key];
  return ` Put it into settings.json${flag === undefined ? '' : ` or start with ${flag}`}.`;
}

/** The settings in force: what `/set` changed, over everything else. */
export function applyEphemeral(config: Config, values: Ephemeral): Pick<Config, 'settings' | 'origins'> {
  const origins = { ...config.origins };
  for (const key of settingKeys) if (values[key] !== undefined) origins[key] = { layer: 'session', where: '/set' };
  return { settings: { ...config.settings, ...values }, origins };
}
