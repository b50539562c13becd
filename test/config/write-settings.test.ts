import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editSettings, writeUserSettings } from '../../src/config/write-settings.ts';
import { systemClock } from '../../src/lib/clock.ts';

describe('editSettings', () => {
  it.each<[string, string, string]>([
    ['an empty file', '{}\n', '{\n  "provider": "openai"\n}\n'],
    ['comments and other keys stay', '{\n  // mine\n  "timeout": 5\n}\n', '{\n  // mine\n  "timeout": 5,\n  "provider": "openai"\n}\n'],
    ['a value is replaced', '{ "provider": "gemini" }', '{ "provider": "openai" }\n'],
  ])('%s', (_what, before, after) => {
    expect(editSettings(before, { provider: 'openai' }, 'settings.json')).toEqual({ text: after });
  });
  it.each(['{ "a": ', '[]', 'nothing'])('%j is left alone', (text) => {
    expect(editSettings(text, { provider: 'openai' }, 'settings.json')).toEqual({
      problem: 'settings.json is no valid settings file; it is left as it is.',
    });
  });
});

describe('writeUserSettings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tilldone-settings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('eight writers at once lose nothing', async () => {
    const folders = { config: folder, state: folder };
    const keys = [
      'max-turns',
      'max-attempts',
      'max-no-progress',
      'max-idle-turns',
      'timeout',
      'background-wait',
      'loop-cycles',
      'loop-text',
    ] as const;
    const problems = await Promise.all(keys.map((key, index) => writeUserSettings(folders, { [key]: index + 1 }, systemClock)));
    expect(problems).toEqual(keys.map(() => undefined));
    expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toEqual(
      Object.fromEntries(keys.map((key, index) => [key, index + 1])),
    );
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
  });

  it('leaves a broken file as it is', async () => {
    writeFileSync(join(folder, 'settings.json'), '{ broken');
    expect(await writeUserSettings({ config: folder, state: folder }, { timeout: 1 }, systemClock)).toContain('is no valid settings file');
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe('{ broken');
  });
});
