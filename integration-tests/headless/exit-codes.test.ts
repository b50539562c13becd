import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultRecordSchema } from '../../src/headless/records.ts';
import { listCall, type ModelServer, startModelServer, workCall } from '../helpers/model-server.ts';
import { type RunOptions, run } from '../helpers/run.ts';
import { startEndpoint } from './endpoint.ts';

type Served = { readonly args: readonly string[]; close(): Promise<void> };
const servers = new Map<string, Served>();
const pause = { name: 'todo_pause', arguments: { reason: 'the disk is on fire' } };
const shell = (command: string) => ({ name: 'shell', arguments: { command } });

/** What the model does, by the number of the request within one call of the command. */
const machines: Readonly<
  Record<string, (turn: number) => Parameters<typeof startModelServer>[0] extends (...args: never) => infer Answer ? Answer : never>
> = {
  answers: () => ({ text: 'The answer.' }),
  works: (turn) => ({ text: `Turn ${turn}.`, calls: [turn === 0 ? listCall(9, 0, true) : workCall(turn)] }),
  talks: (turn) => (turn === 0 ? { calls: [listCall(2, 0)] } : { text: 'All is well.' }),
  pauses: (turn) => (turn === 0 ? { calls: [listCall(2, 0, true)] } : { text: 'I must stop.', calls: [pause] }),
  asks: (turn) =>
    turn === 0 ? { calls: [listCall(2, 0, true)] } : turn === 1 ? { calls: [shell('make all')] } : { text: 'I need a yes.' },
  sleeps: (turn) => (turn === 0 ? { calls: [listCall(2, 0, true)] } : { calls: [shell('sleep 30')] }),
};

beforeAll(async () => {
  for (const [name, machine] of Object.entries(machines)) {
    // a call has its own history: the number of the request is the number of answers in it
    const server: ModelServer = await startModelServer((_index, { messages }) =>
      machine(messages.filter(({ role }) => role === 'assistant').length),
    );
    servers.set(name, server);
  }
  servers.set('refuses', await startEndpoint(401, { error: { message: 'bad key' } }));
  servers.set('fails', await startEndpoint(400, { error: { message: 'no such thing' } }));
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

/** Sends a signal when the command that the model asked for has begun. */
const signalWhenBusy =
  (signal: NodeJS.Signals) =>
  (child: ChildProcess): void => {
    let printed = '';
    let sent = false;
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (sent || !printed.includes('sleep 30')) return;
      sent = child.kill(signal); // a second one would end the process at once
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
  };

type Row = {
  readonly machine?: string;
  readonly args?: readonly string[];
  readonly options?: RunOptions;
  readonly reason: string;
  readonly text?: string;
};
const key = { OPENAI_API_KEY: 'sk-test' };
const crash = `data:text/javascript,${encodeURIComponent('const t=setInterval(()=>{if(process.listenerCount("SIGTERM")>0){clearInterval(t);setTimeout(()=>{throw new Error("injected")},200)}},5)')}`;
const table: readonly (readonly [code: number, name: string, row: Row])[] = [
  [0, 'an answer', { machine: 'answers', args: ['-p', 'go'], reason: 'no-list', text: 'The answer.\n' }],
  [1, 'the endpoint fails', { machine: 'fails', args: ['-p', 'go'], reason: 'error' }],
  [2, 'an unknown option', { args: ['-p', 'go', '--nonsense'], reason: 'usage' }],
  [41, 'the endpoint refuses the key', { machine: 'refuses', args: ['-p', 'go'], reason: 'auth' }],
  [41, 'there is no key', { args: ['-p', 'go', '--provider', 'openai'], options: { env: { OPENAI_API_KEY: undefined } }, reason: 'auth' }],
  [42, 'no prompt', { machine: 'answers', args: ['-p'], reason: 'input' }],
  [
    52,
    'a wrong value in the environment',
    { args: ['-p', 'go'], options: { env: { TILLDONE_MAX_TODO_CONTINUATIONS: 'many' } }, reason: 'configuration' },
  ],
  [53, 'the turn limit', { machine: 'works', args: ['-p', 'go', '--max-turns', '3'], reason: 'turn-limit' }],
  [60, 'no progress', { machine: 'talks', args: ['-p', 'go'], reason: 'no-progress' }],
  [61, 'a pause', { machine: 'pauses', args: ['-p', 'go'], reason: 'paused', text: 'I must stop.\n' }],
  [62, 'the token limit', { machine: 'works', args: ['-p', 'go', '--max-total-tokens', '250'], reason: 'token-limit' }],
  [64, 'an approval that nobody can give', { machine: 'asks', args: ['-p', 'go', '--approval-mode', 'default'], reason: 'permission' }],
  [70, 'a crash', { machine: 'sleeps', args: ['-p', 'go'], options: { env: { NODE_OPTIONS: `--import=${crash}` } }, reason: 'internal' }],
  [129, 'SIGHUP', { machine: 'sleeps', args: ['-p', 'go'], options: { onSpawn: signalWhenBusy('SIGHUP') }, reason: 'aborted' }],
  [130, 'SIGINT', { machine: 'sleeps', args: ['-p', 'go'], options: { onSpawn: signalWhenBusy('SIGINT') }, reason: 'aborted' }],
  [143, 'SIGTERM', { machine: 'sleeps', args: ['-p', 'go'], options: { onSpawn: signalWhenBusy('SIGTERM') }, reason: 'aborted' }],
];

describe('exit codes, end to end, in all three formats', () => {
  it.each(table)('%i: %s', async (code, _name, { machine, args = [], options, reason, text }) => {
    const served = machine === undefined ? [] : (servers.get(machine)?.args ?? []);
    // yolo only where the row does not choose a mode itself
    const base = args.includes('--approval-mode') ? served.filter((word) => word !== '--yolo') : served;
    const formats = ['text', 'json', 'stream-json'] as const;
    const env = { ...key, ...options?.env };
    const all = await Promise.all(
      formats.map(async (format) => ({ format, ran: await run([...base, ...args, '-o', format], { ...options, env }) })),
    );
    for (const { format, ran } of all) {
      expect.soft({ format, code: ran.code, signal: ran.signal }).toEqual({ format, code, signal: null });
      if (code !== 0) expect.soft(ran.stderr.trim()).not.toBe('');
      expect.soft(ran.stderr).not.toContain('sk-test');
      if (format === 'text') {
        if (text !== undefined) expect.soft(ran.stdout).toBe(text);
        expect.soft(ran.stdout).not.toContain('"type"');
        continue;
      }
      const lines = ran.stdout.split('\n').slice(0, -1);
      const results = lines.filter((line) => line.startsWith('{"type":"result"'));
      expect.soft(results).toHaveLength(1);
      expect.soft(lines.at(-1)).toBe(results[0]);
      if (format === 'json') expect.soft(lines).toHaveLength(1);
      const record = JSON.parse(results[0] ?? '{}') as unknown;
      expect.soft(record).toMatchObject({ exit_code: code, exit_reason: reason, is_error: code !== 0 });
      expect.soft(resultRecordSchema.safeParse(record).data).toEqual(record);
    }
  });

  it('--exit-zero-unfinished gives 0 and still names the reason', async () => {
    const { code, stdout } = await run([...(servers.get('pauses')?.args ?? []), '-p', 'go', '--exit-zero-unfinished', '-o', 'json'], {
      env: key,
    });
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
      code: 0,
      exit_code: 0,
      exit_reason: 'paused',
      subtype: 'error_unfinished',
      is_error: false,
    });
  });
});
