import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openProvider } from '../../src/providers/index.ts';
import { resolveProvider } from '../../src/providers/presets.ts';
import { applyProxy } from '../../src/providers/proxy.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';
import { encodeTurn } from './conversations.ts';
import { collect, type Dialect, prompt, requestOf } from './harness.ts';

let server: StrictServer;
const tunnels: string[] = [];
const proxy = createServer((_, response) => response.writeHead(500).end());
proxy.on('connect', (request, socket, head) => {
  tunnels.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
  const [host, port] = (request.url ?? '').split(':');
  const upstream = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  for (const side of [upstream, socket]) side.on('error', () => undefined);
});
let proxyPort = 0;
beforeAll(async () => {
  server = await startStrictServer();
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  proxyPort = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  tunnels.length = 0;
  await applyProxy(undefined);
});
afterAll(async () => {
  await server.close();
  proxy.close();
});

describe.each(['openai', 'gemini'] as const)('proxy variables (%s)', (dialect: Dialect) => {
  it.each<[string, (port: number) => Record<string, string>, number]>([
    ['HTTP_PROXY', (port) => ({ HTTP_PROXY: `http://127.0.0.1:${port}` }), 1],
    ['http_proxy', (port) => ({ http_proxy: `http://127.0.0.1:${port}` }), 1],
    ['NO_PROXY wins', (port) => ({ HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' }), 0],
    ['NO_PROXY for another host', (port) => ({ HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'example.com' }), 1],
    ['none', () => ({}), 0],
  ])('%s', async (_, env, expected) => {
    const keys = { OPENAI_API_KEY: 'k-0123456789', GEMINI_API_KEY: 'k-0123456789' };
    const profile = { baseUrl: dialect === 'openai' ? `${server.url}/v1` : server.url };
    const config = resolveProvider({ provider: dialect, model: 'm', profile }, { ...keys, ...env(proxyPort) });
    if ('error' in config) throw new Error(config.error);
    server.reply({ body: encodeTurn(dialect, { text: 'ok' }, 0) });
    const provider = await openProvider(config, { clock: createFakeClock() });
    const events = await collect(provider, requestOf([prompt('hi')]));
    expect(events.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
    expect(tunnels).toHaveLength(expected);
  });
});

it('a password of the proxy is used and not shown', async () => {
  const env = { OPENAI_API_KEY: 'k-0123456789', HTTP_PROXY: `http://user:planted-pass@127.0.0.1:${proxyPort}` };
  const config = resolveProvider({ provider: 'openai', model: 'm', profile: { baseUrl: `${server.url}/v1` } }, env);
  if ('error' in config) throw new Error(config.error);
  server.reply({ status: 400, body: 'no planted-pass here', unchecked: true });
  const events = await collect(await openProvider(config, { clock: createFakeClock() }), requestOf([prompt('hi')]));
  expect(tunnels[0]).toContain(`Basic ${Buffer.from('user:planted-pass').toString('base64')}`);
  expect(JSON.stringify(events)).not.toContain('planted-pass');
});

describe('openProvider', () => {
  it('opens the offline ones', async () => {
    const clock = createFakeClock();
    const builtin = await openProvider({ kind: 'builtin', id: 'builtin', model: 'checklist', offline: true }, { clock });
    expect((await collect(builtin, requestOf([prompt('hi')], { model: 'checklist' }))).at(-1)).toEqual({ type: 'finish', finish: 'stop' });
    const scripted = await openProvider({ kind: 'scripted', id: 's', model: 'm', offline: true, script: '[{"text":"hello"}]' }, { clock });
    expect(await collect(scripted, requestOf([prompt('hi')]))).toEqual([
      { type: 'text-delta', text: 'hello' },
      { type: 'finish', finish: 'stop' },
    ]);
  });

  it.each<[Dialect, string, object]>([
    ['openai', '/v1/models', { object: 'list', data: [{ id: 'a', context_length: 9 }, { id: 'b' }, {}] }],
    [
      'gemini',
      '/v1beta/models?pageSize=1000',
      {
        models: [
          { name: 'models/a', inputTokenLimit: 9, supportedGenerationMethods: ['generateContent'] },
          { name: 'models/b' },
          { name: 'models/e', supportedGenerationMethods: ['embedContent'] },
        ],
      },
    ],
  ])('lists models (%s)', async (dialect, path, body) => {
    const profile = { baseUrl: dialect === 'openai' ? `${server.url}/v1` : server.url };
    const config = resolveProvider({ provider: dialect, model: 'm', profile }, { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' });
    if ('error' in config) throw new Error(config.error);
    server.reply({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const provider = await openProvider(config, { clock: createFakeClock() });
    expect(await provider.listModels?.(new AbortController().signal)).toEqual([{ id: 'a', contextWindow: 9 }, { id: 'b' }]);
    expect(server.requests.at(-1)?.path).toBe(path);
  });
});
