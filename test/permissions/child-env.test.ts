import { describe, expect, it } from 'vitest';
import { childEnv } from '../../src/permissions/child-env.ts';

const options = { extraNames: [] as string[], keyNames: ['MY_MODEL_KEY'], secrets: ['hunter2hunter2'], workspace: '/home/u/ws' };
const basics = { HOME: '/home/u', LANG: 'C', LC_ALL: 'C.UTF-8', TERM: 'xterm', USER: 'u', TZ: 'UTC', CARGO_HOME: '/home/u/.cargo' };

describe('the environment of commands', () => {
  it('is the core set and nothing else', () => {
    expect(
      childEnv({ ...basics, FOO: 'x', OPENAI_API_KEY: 'x', GITHUB_TOKEN: 'x', AWS_PROFILE: 'x', SSH_AUTH_SOCK: '/x' }, options),
    ).toEqual(basics);
  });

  it('has what the user adds', () => {
    expect(childEnv({ FOO: 'x', BAR: 'y' }, { ...options, extraNames: ['FOO', 'BAR', 'ABSENT'] })).toEqual({ FOO: 'x', BAR: 'y' });
  });

  it.each([
    ['OPENAI_API_KEY', 'x'],
    ['GEMINI_API_KEY', 'x'],
    ['OPENAI_BASE_URL', 'http://a'],
    ['TILLDONE_HOME', '/x'],
    ['MY_MODEL_KEY', 'x'],
    ['GITHUB_TOKEN', 'x'],
    ['DB_PASSWORD', 'x'],
    ['dbPassword', 'x'],
    ['STRIPE_SECRET', 'x'],
    ['MY_API_KEY', 'x'],
    ['SESSION_COOKIE', 'x'],
    ['DATABASE_URL', 'postgres://u:p@h/d'],
    ['INNOCENT', 'ghp_abcdefghijklmnopqrstuvwxyz0123'],
    ['INNOCENT', 'x hunter2hunter2 y'],
    ['INNOCENT', '3f1c9a0b7d2e4f5a6b7c8d9e0f1a2b3c4d5e6f70'],
    ['INNOCENT', '-----BEGIN PRIVATE KEY-----'],
    ['INNOCENT', 'a\0b'],
    ['BASH_ENV', '/x'],
    ['BASH_FUNC_ls%%', '() { touch x; }'],
    ['LD_PRELOAD', '/x.so'],
    ['NODE_OPTIONS', '--require /x'],
    ['GIT_SSH_COMMAND', 'x'],
    ['PROMPT_COMMAND', 'x'],
    ['IFS', '_'],
  ])('never has %s=%s, even when added', (name, value) => {
    expect(childEnv({ [name]: value }, { ...options, extraNames: [name] })).toEqual({});
  });

  it.each([
    ['KEYBOARD', 'us'],
    ['MONKEY', 'x'],
    ['COMPASS', 'x'],
    ['AUTHOR', 'x'],
    ['PROJECT_DIR', '/home/u/some/long/path/with/numbers/1234567890/abcdefgh'],
    ['VERSION', '1.2.3'],
  ])('has an added %s=%s', (name, value) => {
    expect(childEnv({ [name]: value }, { ...options, extraNames: [name] })).toEqual({ [name]: value });
  });

  it('leaves a proxy with a password out', () => {
    expect(childEnv({ HTTPS_PROXY: 'http://u:p@proxy:8080', HTTP_PROXY: 'http://proxy:8080' }, options)).toEqual({
      HTTP_PROXY: 'http://proxy:8080',
    });
  });

  it('finds no program in the workspace or in the folder it is in', () => {
    const path = ['/usr/bin', '', '.', 'bin', '/home/u/ws/node_modules/.bin', '/home/u/wsx', '/home/u/.cargo/bin'].join(':');
    expect(childEnv({ HOME: '/home/u', PATH: path }, options).PATH).toBe('/usr/bin:/home/u/wsx:/home/u/.cargo/bin');
  });

  it("keeps the user's own programs when the workspace is the home folder", () => {
    const path = '/usr/bin:/home/u/.cargo/bin';
    expect(childEnv({ HOME: '/home/u', PATH: path }, { ...options, workspace: '/home/u' }).PATH).toBe(path);
  });
});
