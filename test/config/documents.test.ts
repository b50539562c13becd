import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { acceptedValues, settingKeys, showSetting } from '../../src/config/setting-value.ts';
import { settings } from '../../src/config/settings.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/settings.md', import.meta.url)), 'utf8');

it.each(settingKeys)('docs/settings.md tells default, values, meaning and ways of %s', (key) => {
  const { flag, env }: { readonly flag?: string; readonly env?: string } = settings[key];
  const line = page.split('\n').find((text) => text.startsWith(`| \`${key}\` |`)) ?? '';
  expect(line).toContain(`| ${showSetting(settings[key].default)} | ${acceptedValues(key)} | ${settings[key].help}`);
  for (const way of [flag, env]) if (way !== undefined) expect(line).toContain(`\`${way}\``);
});
