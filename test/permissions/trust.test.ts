import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { pathExists } from '../../src/lib/paths.ts';
import { createStateFile } from '../../src/lib/state-file.ts';
import {
  findTraces,
  forgetTrust,
  isTrusted,
  noTrust,
  parseTrustState,
  rememberTrust,
  trustQuestion,
  untrustedNotice,
} from '../../src/permissions/trust.ts';
import { addWorkspaceRule, noWorkspaceRules, workspaceRules } from '../../src/permissions/workspace-rules.ts';
import { trustFolder } from '../../src/subcommands/trust.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

describe('trust', () => {
  it('holds for the very folder, not for those in it or beside it', () => {
    const state = rememberTrust(noTrust, '/a/b', 1);
    expect(['/a/b', '/a', '/a/b/c', '/a/bc', '__proto__', 'constructor'].map((path) => isTrusted(state, path))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(isTrusted(forgetTrust(state, '/a/b'), '/a/b')).toBe(false);
    expect(parseTrustState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['another version', { version: 2, folders: {} }],
    ['no folders', { version: 1 }],
    ['a list of folders', { version: 1, folders: ['/a'] }],
    ['a folder without a time', { version: 1, folders: { '/a': {} } }],
    ['a time that is text', { version: 1, folders: { '/a': { trustedAt: 1 }, '/b': { trustedAt: '1' } } }],
  ])('is not read from %s', (_name, json) => {
    expect(parseTrustState(json)).toBeUndefined();
  });

  it('lists at a first start what is there, by name', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, '.tilldone', 'commands'), { recursive: true });
    await writeFile(join(folder, '.tilldone', 'settings.json'), '{');
    await writeFile(join(folder, '.mcp.json'), '{');
    await writeFile(join(folder, 'AGENTS.md'), '');
    const found = await findTraces(folder, pathExists);
    expect(found.map(({ path }) => path)).toEqual(['.tilldone/settings.json', '.tilldone/commands', '.mcp.json', 'AGENTS.md']);
    const { lines, choices } = trustQuestion('/w', found);
    expect(lines).toEqual([
      'Do you trust the files in /w?',
      'It brings, found by name and not read yet:',
      '  .tilldone/settings.json  (project settings)',
      '  .tilldone/commands  (commands)',
      '  .mcp.json  (MCP servers, which run programs)',
      '  AGENTS.md  (instructions for the model)',
    ]);
    expect(choices.map(({ choice }) => choice)).toEqual(['trust', 'restricted', 'quit']);
    expect(trustQuestion('/w', []).lines).toHaveLength(2);
  });

  it('says in a one-shot what was left alone', () => {
    expect(untrustedNotice('/w', [])).toBeUndefined();
    expect(untrustedNotice('/w', ['.tilldone/settings.json'])).toContain('Use --trust');
  });

  it('is remembered by the subcommand', async () => {
    const folder = await tempFolder();
    const state = createStateFile({ path: join(folder, 'trust.json'), parse: parseTrustState, empty: noTrust, clock: systemClock });
    const around = { folder: '/w', state, now: 1, exists: async (path: string) => path === '/w/Makefile' };
    expect(await trustFolder(around)).toEqual({
      text: '/w is trusted from now on.\nIt brings:\n  Makefile  (targets, run by make)\n',
      exitCode: 0,
    });
    expect(await trustFolder(around)).toMatchObject({ text: expect.stringContaining('trusted already'), exitCode: 0 });
    expect(isTrusted((await state.read()).value, '/w')).toBe(true);
    await writeFile(join(folder, 'trust.json'), 'broken');
    expect(await trustFolder(around)).toMatchObject({ text: expect.stringContaining('no valid JSON'), exitCode: 1 });
  });
});

describe('rules of a workspace', () => {
  it('are kept by workspace, once, and those that cannot be read are named', () => {
    const one = addWorkspaceRule(addWorkspaceRule(noWorkspaceRules, '/w', 'shell(npm test *)'), '/w', 'shell(npm test *)');
    const two = addWorkspaceRule(one, '/w', 'nonsense');
    expect(workspaceRules(two, '/w').rules.allow.map(({ text, source }) => `${text} ${source}`)).toEqual(['shell(npm test *) workspace']);
    expect(workspaceRules(two, '/w').errors).toHaveLength(1);
    expect(workspaceRules(two, '/other').rules.allow).toEqual([]);
    expect(workspaceRules(two, '__proto__').rules.allow).toEqual([]);
  });
});
