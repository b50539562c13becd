import { describeOrigin } from '../config/origin.ts';
import type { Config } from '../config/resolve.ts';
import { acceptedValues, isSettingKey, settingKeys, showSetting } from '../config/setting-value.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import { didYouMean } from '../lib/nearest.ts';
import { UsageError } from '../types/errors.ts';

export type ConfigView = { readonly key: string | undefined; readonly json: boolean; readonly files: readonly string[] };

/** What `tilldone config` prints: every setting, its value and what set it. Throws UsageError for an unknown key. */
export function describeConfig(config: Config, { key, json, files }: ConfigView): string {
  if (key !== undefined && !isSettingKey(key)) throw new UsageError(`Unknown setting '${key}'.${didYouMean(key, settingKeys)}`);
  const keys = key === undefined ? settingKeys : [key];
  if (json) {
    const entries = keys.map((name) => [name, { value: config.settings[name], origin: config.origins[name] }] as const);
    return `${JSON.stringify({ settings: Object.fromEntries(entries), rules: config.rules, warnings: config.warnings }, null, 2)}\n`;
  }
  if (key !== undefined) return `${describeKey(config, key)}\n`;
  const width = Math.max(...settingKeys.map((name) => name.length));
  const rows = keys.map(
    (name) => `${name.padEnd(width)}  ${showSetting(config.settings[name]).padEnd(10)}  ${describeOrigin(config.origins[name])}`,
  );
  const rules = config.rules.map(({ kind, text, where }) => `${kind} ${text}  (${where})`);
  const sections = [
    rows,
    ...(rules.length === 0 ? [] : [['Permission rules:', ...rules]]),
    ...(config.profileNames.length === 0 ? [] : [[`Profiles: ${config.profileNames.join(', ')}`]]),
    ['Read from, the later ones win:', ...files.map((file) => `  ${file}`), '  environment, --profile, flags, /set'],
    ...(config.warnings.length === 0 ? [] : [['Warnings:', ...config.warnings]]),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function describeKey(config: Config, key: SettingKey): string {
  const { help, scopes, env, flag }: { help: string; scopes: readonly string[]; env?: string; flag?: string } = settings[key];
  const ways = [
    scopes.includes('project') ? "your settings or the project's" : 'your settings',
    ...(env === undefined ? [] : [env]),
    ...(flag === undefined ? [] : [flag]),
    ...(scopes.includes('session') ? [`/set ${key}`] : []),
  ];
  return [
    `${key}: ${help}`,
    `value    ${showSetting(config.settings[key])}, set by ${describeOrigin(config.origins[key])}`,
    `default  ${showSetting(settings[key].default)}`,
    `accepts  ${acceptedValues(key)}`,
    `set in   ${ways.join(', ')}`,
  ].join('\n');
}
