import { expect, it } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.ts';
import { describeConfig } from '../../src/subcommands/config.ts';

const config = resolveConfig(
  {
    files: [
      { layer: 'user', path: '/s.json', text: '{"max-turns": 7,\n"permissions": {"deny": ["web(*)"]},\n"profiles": {"work": {}}, "x": 1}' },
    ],
    env: { TILLDONE_AUTO_COMPLETE_TODOS: 'no' },
  },
  { flags: { theme: 'dark' }, flagNames: { theme: '--theme' }, profile: undefined },
);
const view = { key: undefined, json: false, files: ['/s.json', '/p.json (not there)'] };

it('lists value and origin of every key, then rules, profiles, files and warnings', () => {
  const text = describeConfig(config, view);
  expect(text).toMatch(/^max-turns +7 +\/s\.json:1$/mu);
  expect(text).toMatch(/^todo-continuation +false +TILLDONE_AUTO_COMPLETE_TODOS$/mu);
  expect(text).toMatch(/^theme +dark +--theme$/mu);
  expect(text).toMatch(/^max-no-progress +3 +default$/mu);
  expect(text).toContain('deny web(*)  (/s.json:2)');
  expect(text).toContain('Profiles: work');
  expect(text).toContain('  /p.json (not there)');
  expect(text).toContain("/s.json:3: Unknown setting 'x'.");
});

it('explains one key', () => {
  expect(describeConfig(config, { ...view, key: 'max-turns' })).toBe(
    [
      'max-turns: requests per prompt',
      'value    7, set by /s.json:1',
      'default  500',
      'accepts  a whole number from 1',
      "set in   your settings or the project's, --max-turns, /set max-turns",
      '',
    ].join('\n'),
  );
});

it('for scripts it is JSON', () => {
  const parsed = JSON.parse(describeConfig(config, { ...view, json: true }));
  expect(parsed.settings['max-turns']).toEqual({ value: 7, origin: { layer: 'user', where: '/s.json:1' } });
  expect(parsed.rules).toHaveLength(1);
});

it('an unknown key is refused', () => {
  expect(() => describeConfig(config, { ...view, key: 'maxTurns' })).toThrow("Unknown setting 'maxTurns'. Did you mean 'max-turns'?");
});
