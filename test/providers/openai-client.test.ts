import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenAiConfig } from '../../src/providers/config.ts';
import { HttpFailure } from '../../src/providers/failure.ts';
import { openClient, unwrapFailure } from '../../src/providers/openai-client.ts';
import { createTail, readBytes, toEventStream } from '../../src/providers/openai-reply.ts';
import type { WireReply } from '../../src/providers/wire-http.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type StrictServer, sse, startStrictServer } from '../helpers/strict-server.ts';
import { adapterFor, collect, configFor, prompt, requestOf } from './harness.ts';

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.close());
afterEach(() => {
  vi.unstubAllEnvs();
});

const answer = { body: sse([{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }]) };

function openAi(profile: object): OpenAiConfig {
  const config = configFor('openai', server.url, { profile });
  if (config.kind !== 'openai') throw new Error('an openai preset gives an openai configuration');
  return config;
}

const bodyOf = (text: string): Readable => Readable.from(text === '' ? [] : [Buffer.from(text)]);

async function send(config: OpenAiConfig) {
  server.reply(answer);
  const before = server.requests.length;
  const events = await collect(adapterFor(config, createFakeClock()), requestOf([prompt('hi')]));
  return { events, seen: server.requests[before] };
}

describe('what the SDK is made to send', () => {
  it('nothing but our headers', async () => {
    const { seen } = await send(openAi({}));
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(
      ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent'].sort(),
    );
    expect([seen?.method, seen?.path, seen?.headers['user-agent']]).toEqual(['POST', '/v1/chat/completions', 'tilldone']);
  });

  it.each<[string, object, Record<string, string | undefined>]>([
    ['a key of the profile', { headers: { Authorization: 'Basic abc' } }, { authorization: 'Basic abc' }],
    ['the user agent', { headers: { 'User-Agent': 'mine' } }, { 'user-agent': 'mine' }],
    [
      'the content type',
      { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
      { 'content-type': 'application/json; charset=utf-8' },
    ],
    ['a new one', { headers: { 'X-Title': 'tilldone' } }, { 'x-title': 'tilldone' }],
  ])('headers of the profile win: %s', async (_, profile, expected) => {
    const { seen } = await send(openAi(profile));
    expect(seen?.headers).toMatchObject(expected);
  });

  it('no authorization where there is no key, whatever the environment says', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'planted');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: planted\nX-Other: planted');
    const { events, seen } = await send({ ...openAi({}), apiKey: undefined });
    expect(events.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
    expect(seen?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(seen?.headers)).not.toContain('planted');
  });

  it('a query in the address stays behind the path', async () => {
    const { seen } = await send(openAi({ baseUrl: `${server.url}/v1?api-version=2` }));
    expect(seen?.path).toBe('/v1/chat/completions?api-version=2');
  });

  it.each([
    ['a line feed', 'sk-planted\nkey'],
    ['a character beyond Latin', 'sk-planted-€'],
  ])('a key with %s is named, not printed', async (_, value) => {
    const { events } = await send(openAi({ headers: { authorization: `Bearer ${value}` } }));
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'bad-request', retryable: false } }]);
    expect(JSON.stringify(events)).toContain('A header has a character that HTTP does not allow');
    expect(JSON.stringify(events)).not.toContain('planted');
  });
});

describe('an error of the SDK', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"error":{"message":"no","code":"x"}}', '{"error":{"message":"no","code":"x"}}'],
    ['JSON without a field for it', '{"detail":"no"}', '{"error":{"detail":"no"}}'],
    ['a list', '[{"error":{"message":"no"}}]', '{"error":[{"error":{"message":"no"}}]}'],
    ['text', 'no such thing', 'no such thing'],
    ['a page', '<html><title>no</title></html>', '<html><title>no</title></html>'],
    ['nothing', '', ''],
  ])('keeps a body of %s, the status and the headers', async (_, body, kept) => {
    const reply: WireReply = { status: 418, headers: new Headers({ 'retry-after': '7' }), body: bodyOf(body) };
    const client = openClient(openAi({}), async () => reply);
    const thrown = await client.models.list().then(
      () => undefined,
      (error: unknown) => unwrapFailure(error),
    );
    expect(thrown).toMatchObject({ status: 418, body: kept });
    expect(thrown instanceof HttpFailure && thrown.headers?.get('retry-after')).toBe('7');
  });

  it('leaves alone what has no status', () => {
    const other = new TypeError('x');
    expect(unwrapFailure(other)).toBe(other);
  });
});

it.each<[string, readonly string[], boolean]>([
  ['in one piece', ['data: {}\n\ndata: [DONE]\n\n'], true],
  ['in many pieces', ['data: {}\n\nda', 'ta: ', '[DO', 'NE]', '\n', '\n'], true],
  ['behind much else', ['x'.repeat(200), 'data: [DONE]\n\n'], true],
  ['not at the end', ['data: [DONE]\n\n', 'data: {}\n\n'], false],
])('sees the end of a stream %s', (_, pieces, seen) => {
  const tail = createTail();
  for (const piece of pieces) tail.keep(new TextEncoder().encode(piece));
  expect(tail.sawDone()).toBe(seen);
});

describe('a reply that is no stream', () => {
  const read = async (body: string, type?: string): Promise<string> => {
    const headers = new Headers(type === undefined ? {} : { 'content-type': type });
    const reply = await toEventStream({ status: 200, headers, body: bodyOf(body) }, () => undefined);
    return new TextDecoder().decode(await readBytes(reply.body, Number.POSITIVE_INFINITY));
  };
  it.each<[string, string, string | undefined, string]>([
    ['one whole completion', '{\n "choices": []\n}', 'application/json', 'data: {"choices":[]}\n\ndata: [DONE]\n\n'],
    ['a stream without its type', 'data: {}\n\n', undefined, 'data: {}\n\n'],
    ['a stream that begins like JSON', '{"choices":[]}', 'text/event-stream', '{"choices":[]}'],
  ])('is read as a stream: %s', async (_, body, type, expected) => {
    expect(await read(body, type)).toBe(expected);
  });
  it.each([
    ['an error', '{"error":{"message":"no"}}'],
    ['a page', '<html></html>'],
    ['nothing', ''],
  ])('is a failure: %s', async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ name: 'HttpFailure', status: 200, body });
  });
});
