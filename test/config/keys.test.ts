import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyFile, withKey } from '../../src/config/keys.ts';
import { systemClock } from '../../src/lib/clock.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tilldone-keys-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('keeps keys by name, readable by the owner only, and forgets one that is set empty', async () => {
  const file = openKeyFile({ config: root, state: root }, systemClock);
  expect(await file.update((keys) => withKey(keys, { name: 'OPENAI_API_KEY', key: 'k1' }))).toBeUndefined();
  expect(await file.update((keys) => withKey(keys, { name: 'GEMINI_API_KEY', key: 'k2' }))).toBeUndefined();
  expect((await file.read()).value).toEqual({ OPENAI_API_KEY: 'k1', GEMINI_API_KEY: 'k2' });
  expect(statSync(join(root, 'keys.json')).mode & 0o777).toBe(0o600);
  await file.update((keys) => withKey(keys, { name: 'OPENAI_API_KEY', key: '' }));
  expect((await file.read()).value).toEqual({ GEMINI_API_KEY: 'k2' });
});

it('leaves alone what is no list of keys', async () => {
  writeFileSync(join(root, 'keys.json'), '[1]');
  const file = openKeyFile({ config: root, state: root }, systemClock);
  expect(await file.update((keys) => withKey(keys, { name: 'A', key: 'b' }))).toContain('left as it is');
});
