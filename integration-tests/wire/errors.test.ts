import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reply, type StrictServer, sse, startStrictServer } from '../../test/helpers/strict-server.ts';
import { encodeTurn } from '../../test/providers/conversations.ts';
import { createSandbox, type Sandbox } from '../helpers/home.ts';
import { type RunResult, run } from '../helpers/run.ts';

const key = 'planted-key-Zx9Zx9Zx9Zx9Zx9Zx9';
const json = { 'content-type': 'application/json' };
const failing = (status: number, error: object | string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify({ error }),
  unchecked: true,
});

let sandbox: Sandbox;
let server: StrictServer;
beforeEach(async () => {
  sandbox = createSandbox();
  server = await startStrictServer({ key });
});
afterEach(async () => {
  await server.close();
  sandbox.remove();
});

type Ran = RunResult & { readonly record: Readonly<Record<string, unknown>> };

/** The built command against the server, with the key in the environment; nothing that it leaves behind may hold the key. */
async function ask(args: readonly string[] = [], options: { url?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  const url = options.url ?? `${server.url}/v1`;
  const all = ['-p', 'hi', '--yolo', '--debug', '-o', 'json', '--model', 'm', ...(url === '' ? [] : ['--base-url', url]), ...args];
  const ran = await run(all, {
    cwd: sandbox.cwd,
    home: sandbox.home,
    env: { OPENAI_API_KEY: key, GEMINI_API_KEY: key, ...options.env },
    timeoutMs: 50_000,
  });
  expect(ran.stdout + ran.stderr).not.toContain(key);
  for (const path of filesBelow(sandbox.root)) expect(readFileSync(path, 'utf8'), path).not.toContain(key);
  const record: Record<string, unknown> = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '{}');
  return { ...ran, record };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

function writeProfile(profile: object): void {
  mkdirSync(join(sandbox.home, '.tilldone'), { recursive: true });
  writeFileSync(join(sandbox.home, '.tilldone/settings.json'), JSON.stringify({ profiles: { test: profile } }));
}

describe('each error class, end to end', () => {
  it.each<[string, readonly Reply[], number, string, string]>([
    ['a refused key', [failing(401, { message: `Incorrect API key provided: ${key}` })], 41, 'auth', 'OPENAI_API_KEY'],
    ['an unknown model', [failing(404, { message: "The model 'm' does not exist" })], 1, 'error', '--model'],
    ['a bad request', [failing(400, { message: "'foo' is not supported" })], 1, 'error', "'foo' is not supported"],
    ['no credit', [failing(429, { message: 'quota', code: 'insufficient_quota' })], 1, 'rate-limit', 'billing'],
    [
      'a rate limit that is too long to wait for',
      [failing(429, { message: 'slow down' }, { 'retry-after': '3600' })],
      1,
      'rate-limit',
      '60 min',
    ],
    [
      'a rate limit that does not end',
      [failing(429, { message: 'slow down' }, { 'retry-after': '0' })],
      1,
      'rate-limit',
      'Gave up after 5 tries',
    ],
    ['a server that fails', [failing(500, `upstream said ${key}`, { 'retry-after': '0' })], 1, 'error', 'Gave up after 5 tries'],
    [
      'a context that is too long',
      [failing(400, { message: "This model's maximum context length is 10 tokens", code: 'context_length_exceeded' })],
      62,
      'context-limit',
      '',
    ],
    ['safety', [{ body: sse([{ choices: [{ index: 0, delta: { content: 'I' }, finish_reason: 'content_filter' }] }]) }], 1, 'safety', ''],
    ['an empty answer, twice', [{ body: sse([{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]) }], 1, 'empty', ''],
    [
      'a login page',
      [{ status: 200, headers: { 'content-type': 'text/html', 'retry-after': '0' }, body: '<title>Log in</title>' }],
      1,
      'error',
      'Log in',
    ],
  ])('%s', async (_, replies, code, reason, text) => {
    server.reply(...replies);
    const { code: exit, record, stderr } = await ask();
    expect({ exit, reason: record.exit_reason, recorded: record.exit_code }).toEqual({ exit: code, reason, recorded: code });
    expect(stderr + JSON.stringify(record)).toContain(text);
  });

  it('a server that is not there', async () => {
    const { url } = server;
    await server.close();
    const { code, record, stderr } = await ask([], { url: `${url}/v1` });
    expect([code, record.exit_reason]).toEqual([1, 'error']);
    expect(stderr + JSON.stringify(record)).toContain('start the server');
  });

  it('a server that says nothing', async () => {
    writeProfile({ baseUrl: `${server.url}/v1`, timeouts: { firstByte: 0.3 } });
    server.reply({ body: '', silent: true });
    const { code, record, stderr } = await ask(['--profile', 'test'], { url: '' });
    expect([code, record.exit_reason]).toEqual([1, 'error']);
    expect(stderr + JSON.stringify(record)).toContain('timeouts.firstByte');
    expect(server.requests).toHaveLength(2);
  });

  it('a stream of nonsense', async () => {
    server.reply({ body: 'data: {"broken\n\n' });
    const { code, record, stderr } = await ask();
    expect([code, record.exit_reason]).toEqual([1, 'error']);
    expect(stderr + JSON.stringify(record)).toContain('no valid stream');
    expect(server.requests).toHaveLength(5);
  });

  it('a key that is missing, and a provider that is unknown', async () => {
    const noKey = await ask(['--provider', 'mistral'], { url: '' });
    expect(noKey.code).toBe(41);
    expect(noKey.stderr + noKey.stdout).toContain('MISTRAL_API_KEY');
    const unknown = await ask(['--provider', 'opnai'], { url: '' });
    expect([2, 52]).toContain(unknown.code);
    expect(unknown.stderr + unknown.stdout).toContain("Did you mean 'openai'?");
  });

  it('Gemini: a refused key', async () => {
    server.reply({
      status: 400,
      headers: json,
      body: JSON.stringify({ error: { code: 400, message: `API key not valid: ${key}`, status: 'INVALID_ARGUMENT' } }),
      unchecked: true,
    });
    const { code, record, stderr } = await ask(['--provider', 'gemini'], { url: server.url });
    expect([code, record.exit_reason]).toEqual([41, 'auth']);
    expect(stderr + JSON.stringify(record)).toContain('GEMINI_API_KEY');
  });
});

describe('scenarios', () => {
  it('17: 429 with Retry-After waits that long, visibly, and goes on', async () => {
    server.reply(failing(429, { message: 'slow down' }, { 'retry-after': '3' }), { body: encodeTurn('openai', { text: 'Here.' }, 0) });
    const { code, elapsedMs, stderr, record } = await ask();
    expect([code, record.result]).toEqual([0, 'Here.']);
    expect(elapsedMs).toBeGreaterThan(3000);
    expect(stderr).toMatch(/slow down/u);
    expect(server.requests).toHaveLength(2);
  });

  const write = (args: string): object => ({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'write_file', arguments: args } }] },
        finish_reason: null,
      },
    ],
  });
  const end = (reason: string): object => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });

  it('18: the stream dies after half a call: nothing runs, and the next try does', async () => {
    const whole = sse([write('{"path":"a.txt","content":"lost-half"}'), end('tool_calls')]);
    server.reply(
      { body: whole, fault: { kind: 'drop', at: whole.indexOf('half') } },
      { body: sse([write('{"path":"a.txt","content":"second"}'), end('tool_calls')]) },
      { body: encodeTurn('openai', { text: 'Done.' }, 2) },
    );
    const { code } = await ask();
    expect(code).toBe(0);
    expect(readFileSync(join(sandbox.cwd, 'a.txt'), 'utf8')).toBe('second');
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.rawBody).not.toContain('lost-');
  });

  it('21: finish length inside a call: it never runs, and the model is told to split', async () => {
    server.reply(
      { body: sse([write('{"path":"a.txt","content":"far too lo'), end('length')]) },
      { body: encodeTurn('openai', { text: 'I split it.' }, 1) },
    );
    await ask();
    expect(filesBelow(sandbox.cwd)).toEqual([]);
    expect(server.requests[1]?.problem).toBeUndefined();
    expect(server.requests[1]?.rawBody).toMatch(/split/u);
  });
});

describe('the whole request for "hi"', () => {
  it('is at most 8,000 bytes, for either dialect', async () => {
    server.reply({ body: encodeTurn('openai', { text: 'Hello.' }, 0) });
    expect((await ask()).code).toBe(0);
    server.reply({ body: encodeTurn('gemini', { text: 'Hello.' }, 0) });
    expect((await ask(['--provider', 'gemini'], { url: server.url })).code).toBe(0);
    expect(server.requests.map((request) => request.problem)).toEqual([undefined, undefined]);
    const sizes = server.requests.map(({ rawBody }) => Buffer.byteLength(rawBody));
    for (const size of sizes) expect(size).toBeLessThanOrEqual(8000);
  });
});
