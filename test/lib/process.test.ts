import { expect, it, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { runProgram, searchPath, signalGroup, startGroup, terminateGroup } from '../../src/lib/process.ts';

const base = { cwd: '/', env: { PATH: '/usr/bin:/bin' } };
const sh = (script: string) => ({ ...base, file: 'sh', args: ['-c', script] });

it('runProgram gives output, errors and code', async () => {
  const result = await runProgram(sh('cat; echo err >&2; exit 3'), { maxBytes: 100, input: 'in' });
  expect(result).toMatchObject({ code: 3, signal: null, stderr: 'err\n', truncated: false });
  expect(result.stdout.toString()).toBe('in');
});

it('runProgram stops a program that prints too much', async () => {
  const result = await runProgram(sh('yes'), { maxBytes: 1000 });
  expect(result).toMatchObject({ truncated: true, signal: 'SIGKILL' });
  expect(result.stdout.length).toBe(1000);
});

it('runProgram ends with its signal, and says when there is no such program', async () => {
  expect(await runProgram(sh('sleep 60'), { maxBytes: 10, signal: AbortSignal.abort() })).toMatchObject({ signal: 'SIGKILL' });
  const missing = await runProgram({ ...base, file: 'no-such-program', args: [] }, { maxBytes: 10 });
  expect(missing.failure).toContain('ENOENT');
  const nowhere = await runProgram({ ...sh('true'), cwd: '/no/such/folder' }, { maxBytes: 10 });
  expect(nowhere.failure).toContain('ENOENT');
});

it('startGroup decodes characters that arrive in pieces', async () => {
  let text = '';
  const group = startGroup(sh("printf '\\303'; printf '\\244'; printf '\\342\\202'"), (piece) => {
    text += piece;
  });
  expect(await group.exited).toEqual({ code: 0, signal: null });
  await group.closed;
  expect(text).toBe('ä\ufffd');
});

it('startGroup resolves when the program cannot be started', async () => {
  const group = startGroup({ ...base, file: 'no-such-program', args: [] }, () => {});
  expect(await group.exited).toMatchObject({ code: null, failure: expect.stringContaining('ENOENT') });
  await group.closed;
});

it('startGroup resolves when the arguments are none', async () => {
  const group = startGroup({ ...base, file: 'sh', args: ['a\0b'] }, () => {});
  expect(await group.exited).toMatchObject({ failure: expect.stringContaining('null bytes') });
});

it('terminateGroup asks first and needs no force when that is enough', async () => {
  const group = startGroup(sh('echo up; sleep 60'), () => {});
  const { pid } = group;
  if (pid === undefined) throw new Error('sh did not start');
  const signals: boolean[] = [];
  await terminateGroup(pid, systemClock, async (member) => {
    const alive = signalGroup(member, 0);
    signals.push(alive);
    return false;
  });
  expect(await group.exited).toEqual({ code: null, signal: 'SIGTERM' });
  expect(signals).toHaveLength(1);
});

it('searchPath leaves out folders that depend on where we are', () => {
  vi.stubEnv('PATH', 'node_modules/.bin:/usr/bin::./x:/bin');
  expect(searchPath()).toBe('/usr/bin:/bin');
  vi.unstubAllEnvs();
});
