import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenAiConfig } from '../../src/providers/config.ts';
import { resolveProvider } from '../../src/providers/presets.ts';
import { withRetry } from '../../src/providers/retry.ts';
import { scrub } from '../../src/providers/scrub.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type Reply, type StrictServer, sse, startStrictServer } from '../helpers/strict-server.ts';
import { adapterFor, type Dialect, prompt, requestOf } from './harness.ts';

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.close());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const json = { 'content-type': 'application/json' };
/** Ways in which an endpoint may say a secret back. */
const echoes: readonly (readonly [string, (secret: string) => Reply])[] = [
  [
    'a JSON error',
    (secret) => ({
      status: 401,
      headers: json,
      body: JSON.stringify({ error: { message: `Incorrect API key provided: ${secret}.` } }),
      unchecked: true,
    }),
  ],
  [
    'an error that is text',
    (secret) => ({ status: 400, headers: json, body: JSON.stringify({ error: `bad header ${secret}` }), unchecked: true }),
  ],
  ['plain text', (secret) => ({ status: 403, headers: {}, body: `denied: Bearer ${secret}`, unchecked: true })],
  ['a page', (secret) => ({ status: 502, headers: {}, body: `<html><title>no ${secret}</title></html>`, unchecked: true })],
  [
    'percent-encoded',
    (secret) => ({
      status: 404,
      headers: json,
      body: JSON.stringify({ message: `no such path ?key=${encodeURIComponent(secret)}` }),
      unchecked: true,
    }),
  ],
  [
    'nested metadata',
    (secret) => ({
      status: 400,
      headers: json,
      body: JSON.stringify({ error: { message: 'upstream', metadata: { raw: JSON.stringify({ error: secret }) } } }),
      unchecked: true,
    }),
  ],
  [
    'an error inside the stream',
    (secret) => ({ body: sse([{ error: { message: `leak ${secret}`, type: 'server_error' } }]), unchecked: true }),
  ],
  ['a garbled event', (secret) => ({ body: `data: {"broken ${secret}\n\n`, unchecked: true })],
  [
    'a redirect',
    (secret) => ({ status: 302, headers: { location: `http://127.0.0.1:9/?k=${secret}` }, body: `moved to ${secret}`, unchecked: true }),
  ],
  ['200 with an error body', (secret) => ({ headers: json, body: JSON.stringify({ error: { message: secret } }), unchecked: true })],
];

/** Places in which a secret may stand in a configuration. */
const places: readonly (readonly [string, (secret: string) => { dialect: Dialect; profile: object; env: Record<string, string> }])[] = [
  ['the key', (secret) => ({ dialect: 'openai', profile: { baseUrl: `${server.url}/v1` }, env: { OPENAI_API_KEY: secret } })],
  ['the Gemini key', (secret) => ({ dialect: 'gemini', profile: { baseUrl: server.url }, env: { GEMINI_API_KEY: secret } })],
  [
    'a header of the profile',
    (secret) => ({
      dialect: 'openai',
      profile: { baseUrl: `${server.url}/v1`, headers: { 'x-team-token': secret } },
      env: { OPENAI_API_KEY: 'k-of-no-interest' },
    }),
  ],
  [
    'the address',
    (secret) => ({
      dialect: 'openai',
      profile: { baseUrl: `${server.url.replace('//', `//user:${encodeURIComponent(secret)}@`)}/v1` },
      env: {},
    }),
  ],
];

describe.each(places)('a secret in %s', (_, place) => {
  it.each(echoes)('is not in what comes of %s', async (name, echo) => {
    const secret = `planted+${name.length}/${'Zx9'.repeat(6)}=`;
    const { dialect, profile, env } = place(secret);
    const config = resolveProvider({ provider: dialect, model: 'm', profile }, env);
    if ('error' in config) throw new Error(config.error);
    server.reply(echo(secret));
    const clock = createFakeClock();
    const provider = withRetry(adapterFor(config, clock), { clock });
    const printed = vi.spyOn(console, 'error');
    let ended = false;
    const events: unknown[] = [];
    const done = (async () => {
      for await (const event of provider.stream(requestOf([prompt('hi')]), new AbortController().signal)) events.push(event);
      ended = true;
    })();
    while (!ended) await clock.advance(1000);
    await done;
    const listed = provider
      .listModels?.(new AbortController().signal)
      .catch((thrown: unknown) => `${String(thrown)} ${JSON.stringify(thrown)} ${String((thrown as Error).stack)}`);
    const everything = JSON.stringify([events, await listed, printed.mock.calls]);
    expect(everything).toContain('"type":"error"');
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) expect(everything).not.toContain(form);
  });
});

describe('scrub', () => {
  it.each([
    'sk-proj-abcdefghijklmnopqrstuv',
    'AIzaSyA0123456789abcdefghijklmnop',
    'gsk_0123456789abcdefghij',
    'ghp_0123456789abcdefghij0123456789',
    'hf_0123456789abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
    'Bearer abcdefghijklmnop',
  ])('takes out what looks like a key: %s', (key) => {
    expect(scrub(`said ${key}, so`, [])).toBe('said [key], so');
  });
  it('leaves ordinary text alone', () => {
    expect(scrub('task-list of the disk-usage tool at ghp', ['abc'])).toBe('task-list of the disk-usage tool at ghp');
  });
});

describe('variables that the SDK reads by itself count for nothing', () => {
  it.each([
    ['OPENAI_API_KEY', 'planted-key'],
    ['OPENAI_ADMIN_KEY', 'planted-admin'],
    ['OPENAI_ORG_ID', 'planted-org'],
    ['OPENAI_PROJECT_ID', 'planted-project'],
    ['OPENAI_WEBHOOK_SECRET', 'planted-webhook'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1:9/planted'],
    ['OPENAI_LOG', 'debug'],
    ['OPENAI_CUSTOM_HEADERS', 'X-Planted: planted-header'],
  ])('%s', async (name, value) => {
    vi.stubEnv(name, value);
    const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const config = resolveProvider(
      { provider: 'openai', model: 'm', profile: { baseUrl: `${server.url}/v1` } },
      { OPENAI_API_KEY: 'ours-0123' },
    ) as OpenAiConfig; // an openai preset gives an openai configuration
    server.reply({ body: sse([{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }]) });
    const before = server.requests.length;
    const events: unknown[] = [];
    for await (const event of adapterFor(config, createFakeClock()).stream(requestOf([prompt('hi')]), new AbortController().signal))
      events.push(event);
    expect(events.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
    const seen = server.requests[before];
    expect(seen?.headers.authorization).toBe('Bearer ours-0123');
    expect(JSON.stringify([seen?.headers, seen?.path, seen?.rawBody]).toLowerCase()).not.toContain('planted');
    expect(Object.keys(seen?.headers ?? {}).filter((header) => /^(?:x-|openai-)/u.test(header))).toEqual([]);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});
