import { describe, expect, it } from 'vitest';
import { acceptedValues, parseSetting, settingKeys, showSetting, suggestedValues } from '../../src/config/setting-value.ts';
import { type SettingKey, settings } from '../../src/config/settings.ts';

describe('parseSetting', () => {
  it.each<[string, SettingKey, unknown, unknown]>([
    ['a number as text', 'max-turns', '7', 7],
    ['a number', 'max-turns', 7, 7],
    ['white space around it', 'max-turns', ' 7 ', 7],
    ['a fraction', 'compact-at', '0.5', 0.5],
    ['a threshold switched off', 'loop-text', '-1', -1],
    ['none clears a limit', 'max-total-tokens', 'none', null],
    ['null clears a limit', 'max-total-tokens', null, null],
    ['on is true', 'todo-continuation', 'On', true],
    ['0 is false', 'todo-continuation', '0', false],
    ['a boolean', 'todo-continuation', false, false],
    ['a word', 'smart-todo-completion', 'auto', 'auto'],
    ['another spelling of a mode', 'approval-mode', 'auto_edit', 'auto-edit'],
    ['an address', 'base-url', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ])('accepts %s', (_name, key, raw, value) => {
    expect(parseSetting(key, raw)).toEqual({ value });
  });

  it.each<[SettingKey, string]>([
    ['provider', 'openai'],
    ['model', 'qwen3:8b'],
    ['model', ' '],
    ...['http://127.0.0.1:8080/v1', 'http://localhost:59999', 'https://api.example.com/v1/x_y', 'https://a-b.c9.example:0/'].map(
      (text): [SettingKey, string] => ['base-url', text],
    ),
  ])('what is taken without the schema of %s is what it takes: %s', (key, text) => {
    const { quick }: { quick?: RegExp } = settings[key];
    expect(quick?.test(text)).toBe(true);
    expect(settings[key].schema().parse(text)).toBe(text);
  });

  it('an address that needs a closer look is left to the schema', () => {
    const texts = [
      'http://1.2.3.4.5/',
      'http://xn--a/',
      'http://h:99999/',
      'http://',
      'ftp://h/',
      'http://h/ x',
      ' http://h',
      'http://u:p@h/',
    ];
    expect(texts.filter((text) => settings['base-url'].quick?.test(text))).toEqual([]);
  });

  it.each<[string, SettingKey, unknown, string]>([
    ['nothing', 'max-turns', '', "Invalid value '' for 'max-turns'. Accepted: a whole number from 1."],
    ['a boolean for a number', 'max-turns', true, "Invalid value true for 'max-turns'. Accepted: a whole number from 1."],
    [
      'a fraction for a whole number',
      'max-attempts',
      '1.5',
      "Invalid value '1.5' for 'max-attempts'. Accepted: a whole number from 1 to 10.",
    ],
    ['too much', 'compact-at', 2, "Invalid value 2 for 'compact-at'. Accepted: a number from 0.1 to 1."],
    ['a list', 'timeout', [1], "Invalid value [1] for 'timeout'. Accepted: a number above 0, or none."],
    ['null where there is no none', 'max-turns', null, "Invalid value null for 'max-turns'. Accepted: a whole number from 1."],
    [
      'another scheme',
      'base-url',
      'file:///etc',
      "Invalid value 'file:///etc' for 'base-url'. Accepted: an address such as http://localhost:8080/v1, or none.",
    ],
    [
      'a mistyped word',
      'smart-todo-completion',
      'remnd',
      "Invalid value 'remnd' for 'smart-todo-completion'. Did you mean 'remind'? Accepted: off, remind, auto.",
    ],
    ['an unknown boolean', 'todo-continuation', 'maybe', "Invalid value 'maybe' for 'todo-continuation'. Accepted: true or false."],
  ])('refuses %s', (_name, key, raw, error) => {
    expect(parseSetting(key, raw)).toEqual({ error });
  });
});

describe('every key of the table', () => {
  it.each(settingKeys.map((key) => [key] as const))('%s reads its own default back and says what it accepts', (key) => {
    expect(parseSetting(key, showSetting(settings[key].default))).toEqual({ value: settings[key].default });
    expect(acceptedValues(key)).not.toBe('');
    for (const value of suggestedValues(key)) expect(parseSetting(key, value)).toHaveProperty('value');
  });
});
