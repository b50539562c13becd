import { describe, expect, it } from 'vitest';
import { applyEphemeral, setEphemeral } from '../../src/config/ephemeral.ts';
import { describeOrigin } from '../../src/config/origin.ts';
import { type ConfigSources, resolveConfig } from '../../src/config/resolve.ts';
import { parseSetting, suggestedValues } from '../../src/config/setting-value.ts';
import { type SettingKey, type Settings, settings } from '../../src/config/settings.ts';
import type { FileLayer } from '../../src/config/settings-file.ts';
import { UsageError } from '../../src/types/errors.ts';

type Setup = {
  readonly user?: string | object;
  readonly project?: string | object;
  readonly local?: string | object;
  readonly env?: Record<string, string>;
  readonly flags?: Partial<Settings>;
  readonly profile?: string;
  readonly agent?: string;
};

function resolve(setup: Setup) {
  const files: ConfigSources['files'] = (['user', 'project', 'local'] as const).flatMap((name) => {
    const content = setup[name];
    if (content === undefined) return [];
    const layer: FileLayer = name === 'local' ? 'project-local' : name;
    return [{ layer, path: `/${name}.json`, text: typeof content === 'string' ? content : JSON.stringify(content) }];
  });
  const flagNames = Object.fromEntries(Object.keys(setup.flags ?? {}).map((key) => [key, `--${key}`]));
  return resolveConfig({ files, env: setup.env ?? {} }, { flags: setup.flags ?? {}, flagNames, profile: setup.profile }, setup.agent);
}

describe('precedence: the higher layer wins, and its place is told', () => {
  const all: Setup = {
    user: {
      'max-todo-continuations': 1,
      agents: { coder: { maxTodoContinuations: 4 } },
      profiles: { work: { 'max-todo-continuations': 6 } },
    },
    project: { 'max-todo-continuations': 2 },
    local: { 'max-todo-continuations': 3 },
    env: { TILLDONE_MAX_TODO_CONTINUATIONS: '5' },
    profile: 'work',
    flags: { 'max-todo-continuations': 7 },
  };
  const { agents, profiles, ...onlyKey } = all.user as Record<string, unknown>;
  it.each<[string, Setup, number, string]>([
    ['nothing: the default', {}, 10, 'default'],
    ['user over default', { user: onlyKey }, 1, '/user.json:1'],
    ['project over user', { user: onlyKey, project: all.project ?? '' }, 2, '/project.json:1'],
    ['project-local over project', { user: onlyKey, project: all.project ?? '', local: all.local ?? '' }, 3, '/local.json:1'],
    ['agent over every file', { ...all, user: { ...onlyKey, agents }, env: {}, profile: undefined, flags: {} }, 4, 'agent coder'],
    ['env over agent', { ...all, user: { ...onlyKey, agents }, profile: undefined, flags: {} }, 5, 'TILLDONE_MAX_TODO_CONTINUATIONS'],
    ['profile over env', { ...all, user: { ...onlyKey, agents, profiles }, flags: {} }, 6, 'profile work'],
    ['flag over profile', all, 7, '--max-todo-continuations'],
  ])('%s', (_name, setup, value, where) => {
    const config = resolve(setup as Setup);
    expect(config.settings['max-todo-continuations']).toBe(value);
    expect(describeOrigin(config.origins['max-todo-continuations'])).toBe(where);
    expect(config.warnings).toEqual([]);
  });

  it('/set over all, and default takes it back', () => {
    const config = resolve(all);
    const changed = setEphemeral({}, 'max-todo-continuations', '8');
    if ('error' in changed) throw new Error(changed.error);
    const inForce = applyEphemeral(config, changed.values);
    expect(inForce.settings['max-todo-continuations']).toBe(8);
    expect(describeOrigin(inForce.origins['max-todo-continuations'])).toBe('/set, this session only');
    const back = setEphemeral(changed.values, 'max-todo-continuations', 'default');
    if ('error' in back) throw new Error(back.error);
    expect(applyEphemeral(config, back.values).settings['max-todo-continuations']).toBe(7);
  });
});

describe('every key', () => {
  const special: Partial<Record<SettingKey, unknown>> = { 'base-url': 'http://127.0.0.1:1/v1', 'compact-at': 0.5, 'stop-at': 0.6 };
  /** A value that the key takes and that is not its default. */
  const sampleOf = (key: SettingKey): unknown => {
    const initial = settings[key].default;
    if (typeof initial === 'boolean') return !initial;
    const word = suggestedValues(key).find((value) => value !== initial && value !== 'none' && !/^-?\d/u.test(value));
    return special[key] ?? word ?? ('value' in parseSetting(key, 7) ? 7 : 'other');
  };
  it.each(Object.keys(settings) as SettingKey[])('%s can stand in the user file, in the project only if the table says so', (key) => {
    const value = sampleOf(key);
    expect(resolve({ user: { [key]: value } }).settings[key]).toEqual(value);
    const project = resolve({ project: { [key]: value } });
    if (settings[key].scopes.some((scope) => scope === 'project')) expect(project.settings[key]).toEqual(value);
    else {
      expect(project.settings[key]).toEqual(settings[key].default);
      expect(project.warnings).toEqual([`/project.json:1: '${key}' is yours to set, a project cannot; ignored.`]);
    }
  });
});

describe('agents', () => {
  it.each<[string, string, object, boolean]>([
    ['coder is driven by its list', 'coder', {}, true],
    ['task is not', 'task', {}, false],
    ['plan is not', 'plan', {}, false],
    ['one of the user is', 'mine', {}, true],
    ['the file switches coder off', 'coder', { coder: { todoDrivenExecution: false } }, false],
    ['the file switches task on', 'task', { task: { todoDrivenExecution: true } }, true],
  ])('%s', (_name, agent, agents, driven) => {
    expect(resolve({ user: { agents }, agent }).settings['todo-continuation']).toBe(driven);
  });

  it('a flag outranks the agent', () => {
    expect(resolve({ agent: 'task', flags: { 'todo-continuation': true } }).settings['todo-continuation']).toBe(true);
  });

  it('fields that a request needs are kept, wrong ones are named', () => {
    const config = resolve({
      user: '{"agents": {"coder": {\n"maxTokens": 900, "reasoningEffort": "low",\n"maxTodoContinuatons": 3,\n"model": 5}}}',
    });
    expect(config.agent).toEqual({ name: 'coder', maxTokens: 900, reasoningEffort: 'low' });
    expect(config.warnings).toEqual([
      "/user.json:3: Unknown setting 'agents.coder.maxTodoContinuatons'. Did you mean 'maxTodoContinuations'?",
      expect.stringMatching(/^\/user\.json:4: 'agents\.coder\.model': .*; ignored\.$/u),
    ]);
  });
});

describe('profiles', () => {
  const user = {
    profiles: {
      local: {
        provider: 'vllm',
        model: 'm',
        baseUrl: 'http://127.0.0.1:9/v1',
        keyEnv: 'MY_KEY',
        compat: { joinSameRole: true },
        'max-turns': 9,
      },
    },
  };
  it('hold a connection and settings', () => {
    const config = resolve({ user, profile: 'local' });
    expect(config.settings).toMatchObject({ provider: 'vllm', model: 'm', 'base-url': 'http://127.0.0.1:9/v1', 'max-turns': 9 });
    expect(config.profile?.connection).toEqual({ keyEnv: 'MY_KEY', compat: { joinSameRole: true } });
    expect(config.warnings).toEqual([]);
  });
  it('count only when asked for', () => {
    expect(resolve({ user }).settings.provider).toBeNull();
    expect(resolve({ user }).profileNames).toEqual(['local']);
  });
  it('an unknown one is refused', () => {
    expect(() => resolve({ user, profile: 'locl' })).toThrow(new UsageError("Unknown profile 'locl'. Did you mean 'local'? Known: local."));
    expect(() => resolve({ profile: 'x' })).toThrow("Unknown profile 'x'. settings.json has no 'profiles'.");
  });
  it('a wrong value in the one asked for is a configuration error', () => {
    expect(() => resolve({ user: { profiles: { p: { 'max-turns': 0 } } }, profile: 'p' })).toThrow(/^profile p: Invalid value 0/u);
  });
  it('a mistyped field is named', () => {
    const config = resolve({ user: { profiles: { p: { keyenv: 'X', heders: {} } } }, profile: 'p' });
    expect(config.warnings).toEqual([
      "/user.json:1: Unknown setting 'profiles.p.keyenv'. Did you mean 'keyEnv'?",
      "/user.json:1: Unknown setting 'profiles.p.heders'. Did you mean 'headers'?",
    ]);
  });
});

describe('environment', () => {
  it.each<[string, Setup, string | null]>([
    ['OPENAI_MODEL counts when no provider is named', {}, 'gpt-x'],
    ['and for openai', { flags: { provider: 'openai' } }, 'gpt-x'],
    ['not for another provider', { flags: { provider: 'gemini' } }, null],
    ['nor when the model names another', { user: { model: 'ollama/q' } }, 'ollama/q'],
  ])('%s', (_name, setup, model) => {
    expect(resolve({ ...setup, env: { OPENAI_MODEL: 'gpt-x' } }).settings.model).toBe(model);
  });
  it('a wrong value is a configuration error and names the variable', () => {
    const wrong = () => resolve({ env: { TILLDONE_AUTO_COMPLETE_TODOS: 'perhaps' } });
    expect(wrong).toThrow(new UsageError("Invalid value 'perhaps' for TILLDONE_AUTO_COMPLETE_TODOS. Accepted: true or false.", 52));
  });
  it('an empty one is as good as none', () => {
    expect(resolve({ env: { TILLDONE_AUTO_COMPLETE_TODOS: '' } }).settings['todo-continuation']).toBe(true);
  });
});

describe('what is wrong in a file is named with its line, and the rest counts', () => {
  it.each<[string, Setup, string[]]>([
    [
      'unknown key',
      { user: '{\n  // mine\n  "todo-continuatoin": false,\n}' },
      ["/user.json:3: Unknown setting 'todo-continuatoin'. Did you mean 'todo-continuation'?"],
    ],
    ['another spelling', { user: { maxTurns: 3 } }, ["/user.json:1: Unknown setting 'maxTurns'. Did you mean 'max-turns'?"]],
    ['wrong value', { user: { 'max-turns': 'x' } }, ["/user.json:1: Invalid value 'x' for 'max-turns'. Accepted: a whole number from 1."]],
    ['sections of a project', { project: { profiles: {} } }, ["/project.json:1: 'profiles' is yours to set, a project cannot; ignored."]],
    [
      'a project that allows',
      { project: { permissions: { allow: ['shell(x)'] } } },
      ['/project.json:1: a project cannot allow anything, only ask and deny; ignored.'],
    ],
    ['a section that is no object', { user: { agents: [] } }, ['/user.json:1: \'agents\' must be an object, { "name": { … } }; ignored.']],
    [
      'names of variables',
      { user: { 'child-env': ['A-B'] } },
      ["/user.json:1: 'child-env' must be a list of names of environment variables; ignored."],
    ],
  ])('%s', (_name, setup, warnings) => {
    const config = resolve(setup);
    expect(config.warnings).toEqual(warnings);
    expect(config.strict).toBe(false);
  });
});

describe('permissions', () => {
  it('rules keep their kind, source and place', () => {
    const config = resolve({
      user: '{"permissions": {\n"allow": ["shell(npm test *)"],\n"deny": ["web(*)"]}}',
      project: { permissions: { ask: ['edit(db/**)'] } },
    });
    expect(config.rules).toEqual([
      { text: 'shell(npm test *)', kind: 'allow', source: 'user', where: '/user.json:2' },
      { text: 'web(*)', kind: 'deny', source: 'user', where: '/user.json:3' },
      { text: 'edit(db/**)', kind: 'ask', source: 'project', where: '/project.json:1' },
    ]);
  });

  it.each<[string, Setup]>([
    ['no JSON', { user: '{"permissions": {"deny": ["shell(rm *)"' }],
    ['not an object', { user: '[]' }],
    ['nested without end', { user: `{"a": ${'['.repeat(100_000)}` }],
    ['rules that are no list', { user: { permissions: { deny: 'shell(rm *)', allow: ['shell(ls)'] } } }],
    ['a kind that does not exist', { user: { permissions: { denny: ['shell(rm *)'], allow: ['shell(ls)'] } } }],
    ['permissions that are no object', { user: { permissions: ['x'] } }],
    ['an unknown mode', { user: { 'approval-mode': 'yoloo' } }],
    ['a project file that cannot be read', { project: '{' }],
  ])('strictest, whatever the flags say: %s', (_name, setup) => {
    const config = resolve({ ...setup, flags: { 'approval-mode': 'yolo' } });
    expect(config.strict).toBe(true);
    expect(config.settings['approval-mode']).toBe('default');
    expect(config.rules.filter((rule) => rule.kind === 'allow')).toEqual([]);
    expect(config.warnings.length).toBeGreaterThan(0);
  });

  it('says where the file is broken', () => {
    expect(resolve({ user: '{\n "theme": "dark"\n "max-turns": 3\n}' }).warnings[0]).toMatch(/^\/user\.json:3: comma expected\./u);
  });
});

it('a file with a byte order mark, comments and closing commas is read', () => {
  expect(resolve({ user: '\uFEFF// mine\n{"max-turns": 3, /* so */}' }).settings['max-turns']).toBe(3);
});

it('names that are keys of every object do no harm', () => {
  const config = resolve({ user: '{"__proto__": {"max-turns": 1}, "agents": {"__proto__": {"maxTokens": 5}}, "constructor": 1}' });
  expect(config.settings['max-turns']).toBe(500);
  expect(config.agent).toEqual({ name: 'coder' });
});
