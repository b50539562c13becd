import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { judgeAddress } from '../../src/tools/web-address.ts';
import type { WebNetwork } from '../../src/tools/web-connection.ts';
import { createWebFetch } from '../../src/tools/web-fetch.ts';
import { webLimits } from '../../src/tools/web-request.ts';
import { callTool, toolContext } from './tool-context.ts';

const publicAddress = '93.184.216.34';
type Watched = WebNetwork & { readonly connected: string[]; readonly lookups: string[] };

/** A network where every connection, wherever it wants to go, ends at a server of this test; what it wanted is written down. */
async function networkOf(
  listener: RequestListener,
  resolve: (host: string, nth: number) => readonly string[] = () => [publicAddress],
): Promise<Watched> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const connected: string[] = [];
  const lookups: string[] = [];
  return {
    connected,
    lookups,
    resolve: async (host) => {
      lookups.push(host);
      return resolve(host, lookups.filter((earlier) => earlier === host).length);
    },
    connect: ({ address }) => {
      connected.push(address);
      return connect(port, '127.0.0.1');
    },
  };
}
const fetchWith = (network: WebNetwork, url: string, signal?: AbortSignal) =>
  callTool(createWebFetch(network), { url }, toolContext('/'), signal === undefined ? {} : { signal });

/** 120 addresses that no fetch may reach: as numbers in every spelling, and as names that lead there. */
const v4 = [
  '127.0.0.1',
  '10.0.0.5',
  '172.16.9.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.3.2',
  '0.0.0.0',
  '198.18.0.9',
  '192.0.2.7',
  '224.0.0.251',
  '240.1.1.1',
  '255.255.255.255',
  '168.63.129.16',
  '192.0.0.10',
];
const asNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const asHex = (address: string): string => asNumber(address).toString(16).padStart(8, '0');
const spellings = v4.flatMap((address) => {
  const hex = asHex(address);
  const words = `${hex.slice(0, 4)}:${hex.slice(4)}`;
  return [
    address,
    String(asNumber(address)),
    `0x${hex}`,
    address
      .split('.')
      .map((part) => `0${Number(part).toString(8)}`)
      .join('.'),
    `[::ffff:${address}]`,
    `[64:ff9b::${words}]`,
    `[2002:${words}::1]`,
    `[::${words}]`,
  ];
});
const v6 = ['[::1]', '[::]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]'];
const names = ['localhost', 'metadata.google.internal'];
const forbidden = [...spellings, ...v6, ...names];

const redirects: RequestListener = (request, response) => {
  const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
  if (to === null) response.end('SECRET');
  else response.writeHead(302, { location: to }).end();
};

it('knows 120 forbidden addresses', () => {
  expect(new Set(forbidden).size).toBe(120);
});

it('connects to none of 120 forbidden addresses: direct, by redirect, by rebinding', async () => {
  const inside = (host: string): string => (names.includes(host) ? '127.0.0.1' : publicAddress);
  const network = await networkOf(redirects, (host, nth) => {
    if (!host.startsWith('rebind')) return [inside(host)];
    // public when it is judged first, forbidden from the second look on
    const target = forbidden[Number(/\d+/u.exec(host)?.[0])]?.replace(/[[\]]/gu, '') ?? '';
    const literal = new URL(`http://${target.includes(':') ? `[${target}]` : target}/`).hostname.replace(/[[\]]/gu, '');
    return nth === 1 ? [publicAddress] : [names.includes(literal) ? '127.0.0.1' : literal];
  });
  const wrong: string[] = [];
  const expectRefusal = async (url: string): Promise<void> => {
    const outcome = await fetchWith(network, url);
    if (!/only public addresses|redirects to another host/u.test(outcome.output) || outcome.output.includes('SECRET'))
      wrong.push(`${url}: ${outcome.output}`);
  };
  await Promise.all(
    forbidden.flatMap((host, index) => [
      expectRefusal(`http://${host}/`),
      expectRefusal(`http://page.example/?to=${encodeURIComponent(`http://${host}/`)}`),
      expectRefusal(`http://rebind${index}.example/?to=${encodeURIComponent('/other')}`),
    ]),
  );
  expect(wrong).toEqual([]);
  expect([...new Set(network.connected)]).toEqual([publicAddress]);
  expect(network.connected.every((address) => judgeAddress(address) === undefined)).toBe(true);
  expect(network.connected).toHaveLength(2 * forbidden.length);
});

it('refuses a name when only one of its addresses is forbidden, and looks it up once a hop', async () => {
  const network = await networkOf(redirects, () => [publicAddress, '10.0.0.1']);
  expect((await fetchWith(network, 'http://two.example/')).output).toContain('leads to 10.0.0.1, which is private');
  expect(network.connected).toEqual([]);
  const single = await networkOf(redirects);
  await fetchWith(single, 'http://one.example/');
  expect(single.lookups).toEqual(['one.example']);
});

it('turns HTML into Markdown without scripts and styles', async () => {
  const html =
    '<html><head><title>T</title><style>b{}</style></head><body><h1>Top</h1><script>x()</script><p>A <b>b</b> <a href="/c">c</a></p><ul><li>d</ul></body></html>';
  const network = await networkOf((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  const outcome = await fetchWith(network, 'http://page.example/x#part');
  expect(outcome.isError).toBe(false);
  expect(outcome.output).toBe(
    `http://page.example/x: status 200, text/html; charset=utf-8, ${html.length} bytes\nT\n\n# Top\n\nA **b** [c](http://page.example/c)\n\n- d`,
  );
});

it.each([
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync('text ü'), 'text ü'],
  ['brotli', { 'content-encoding': 'br' }, brotliCompressSync('text ü'), 'text ü'],
  ['another charset', { 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('caf\xe9', 'latin1'), 'café'],
  ['a charset in the page', { 'content-type': 'text/html' }, Buffer.from('<meta charset="windows-1251"><p>\xcf', 'latin1'), 'П'],
  ['JSON', { 'content-type': 'application/problem+json' }, Buffer.from('{"a":1}'), '{"a":1}'],
  ['no type', {}, Buffer.from('plain'), 'plain'],
  ['an image', { 'content-type': 'image/png' }, Buffer.from('\x89PNG'), 'no text'],
  ['an unknown encoding', { 'content-encoding': 'zstd' }, Buffer.from('x'), "the encoding 'zstd' is not understood"],
  ['a broken encoding', { 'content-encoding': 'gzip' }, Buffer.from('no gzip'), 'could not be fetched'],
])('reads %s', async (_name, headers, body, expected) => {
  const network = await networkOf((_request, response) => response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body));
  expect((await fetchWith(network, 'http://page.example/')).output).toContain(expected);
});

it('stops a bomb at 5 MiB and shows the beginning', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 'a'));
  const network = await networkOf((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
  );
  const outcome = await fetchWith(network, 'http://page.example/');
  expect(outcome.output.length).toBeLessThan(webLimits.chars + 500);
  expect(outcome.output).toMatch(
    /^http:\/\/page.example\/: status 200, text\/plain, 5 MiB\naaa[\s\S]*\(the page is larger than 5 MiB; the rest was not read\)$/u,
  );
});

it('survives HTML that is nested without end', async () => {
  const html = `${'<div>'.repeat(50_000)}deep`;
  const network = await networkOf((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  expect((await fetchWith(network, 'http://page.example/')).output).toContain('deep');
});

it('follows redirects of the same host, five at most, and names one to another host', async () => {
  const network = await networkOf((request, response) => {
    const step = Number(/\d+/u.exec(request.url ?? '')?.[0] ?? 0);
    if (request.url === '/away') response.writeHead(301, { location: 'https://other.example/x' }).end();
    else if (step === 0) response.end('arrived');
    else response.writeHead(308, { location: `/${step - 1}` }).end();
  });
  expect((await fetchWith(network, 'http://page.example/5')).output).toContain('arrived');
  expect(await fetchWith(network, 'http://page.example/6')).toMatchObject({
    isError: true,
    output: expect.stringContaining('more than 5 times'),
  });
  expect((await fetchWith(network, 'http://page.example/away')).output).toContain('redirects to another host: https://other.example/x');
});

it('gives a status of an error as error, with the page', async () => {
  const network = await networkOf((_request, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here'));
  const outcome = await fetchWith(network, 'http://page.example/');
  expect(outcome).toMatchObject({ isError: true, output: expect.stringMatching(/status 404[\s\S]*not here/u) });
});

it('ends with an abort, and by itself when nothing comes', async () => {
  const network = await networkOf(() => {});
  const controller = new AbortController();
  const running = fetchWith(
    {
      ...network,
      connect: (target) => {
        controller.abort();
        return network.connect(target);
      },
    },
    'http://page.example/',
    controller.signal,
  );
  expect(await running).toEqual({ output: 'Cancelled', isError: true });
  const late: Clock = { ...toolContext('/').clock, sleep: async () => {} };
  const outcome = await callTool(createWebFetch(network), { url: 'http://page.example/' }, { ...toolContext('/'), clock: late });
  expect(outcome.output).toBe('http://page.example/ did not answer within 30 s');
});

it.each([
  ['an unknown host', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'The host page.example is not known'],
  ['a failing lookup', Object.assign(new Error('x'), { code: 'EAI_AGAIN' }), 'could not be looked up (EAI_AGAIN)'],
])('names %s', async (_name, error, words) => {
  const network = await networkOf(redirects);
  const outcome = await fetchWith({ ...network, resolve: () => Promise.reject(error) }, 'https://page.example/');
  expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining(words) });
});

it('https speaks TLS and says when the other side does not', async () => {
  const network = await networkOf(redirects);
  const outcome = await fetchWith(network, 'https://page.example/');
  expect(outcome).toMatchObject({
    isError: true,
    output: expect.stringMatching(/could not be fetched: .*(?:SSL|TLS|EPROTO|ECONNRESET|hang up)/iu),
  });
});

it('declares the host that the user is asked about', async () => {
  const prepared = await createWebFetch().prepare({ url: 'https://Example.COM:8443/a' }, toolContext('/'));
  expect(prepared).toMatchObject({ effects: [{ kind: 'host', url: 'https://example.com:8443/a', host: 'example.com' }] });
});
