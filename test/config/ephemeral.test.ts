import { expect, it } from 'vitest';
import { sessionKeys, setEphemeral } from '../../src/config/ephemeral.ts';

it.each<[string, string, string, string]>([
  [
    'an unknown key',
    'todo-continuatoin',
    'false',
    "Unknown setting 'todo-continuatoin'. Did you mean 'todo-continuation'? /set lists them.",
  ],
  [
    'a key of files only',
    'base-url',
    'http://x',
    "'base-url' cannot change in a session. Put it into settings.json or start with --base-url.",
  ],
  ['no value', 'max-turns', '', "'max-turns' needs a value. Accepted: a whole number from 1."],
  ['a wrong value', 'max-turns', 'x', "Invalid value 'x' for 'max-turns'. Accepted: a whole number from 1."],
])('%s is refused', (_name, key, raw, error) => {
  expect(setEphemeral({}, key, raw)).toEqual({ error });
});

it('one change leaves the others', () => {
  expect(setEphemeral({ 'max-turns': 3 }, 'todo-continuation', 'off')).toEqual({
    values: { 'max-turns': 3, 'todo-continuation': false },
    key: 'todo-continuation',
  });
});

it('the list of keys holds no key that only files may set', () => {
  expect(sessionKeys).toContain('todo-continuation');
  expect(sessionKeys).not.toContain('approval-mode');
});
