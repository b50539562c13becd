import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import original from 'string-width';
import { afterAll, describe, expect, it } from 'vitest';
import { plugins } from '../scripts/build-plugins.js';
import { createSandbox } from './helpers/home.ts';
import { startModelServer } from './helpers/model-server.ts';
import { startTerminal } from './helpers/pty.ts';
import { run } from './helpers/run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tilldone-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const emoji = ['👩‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '1️⃣', '#⃣', '👍🏽', '☺️', '☺', '⌚', '▶️', '▶', '◽', '✔️', '✔', '©️', '©', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️‍🔥', '🫱🏻‍🫲🏿'];
const lines = [
  'a · b',
  '▸ 3/7 prüfen',
  '✓ done',
  '─┼─',
  'e\u0301',
  '\u0301',
  '한글',
  '각',
  'ｶﾞ',
  '日本語',
  'a\u200bb',
  '\u001b[31m·\u001b[0m',
  '→\ufe0f',
  'क्षि',
  '·\u0301',
];

it('text is as wide in the bundle as it is for the package itself', async () => {
  const outfile = join(folder, 'string-width.mjs');
  await build({
    stdin: { contents: "export { default } from 'string-width';", resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    plugins,
  });
  const { default: bundled }: { default: typeof original } = await import(outfile);
  const wrong: string[] = [];
  const compare = (text: string): void => {
    if (bundled(text) !== original(text)) wrong.push(`${JSON.stringify(text)}: ${bundled(text)} instead of ${original(text)}`);
  };
  for (const text of [...emoji, ...lines]) for (const around of ['', 'a', '·']) compare(`${around}${text}${around}`);
  for (let code = 0; code < 0x3_0000; code += code < 0x2800 || (code >= 0x1_f000 && code < 0x1_fb00) ? 1 : 11) {
    if (code < 0xd800 || code > 0xdfff) compare(String.fromCodePoint(code));
  }
  for (const code of [0x10_0000, 0x10_1234, 0x10_fffd])
    for (const tail of ['', '\ufe0f', '\u0301', 'a']) compare(String.fromCodePoint(code) + tail);
  // what may join with a character of the fast path, after each of it
  const quick = [
    [0xa0, 0x2ff],
    [0x2010, 0x205e],
    [0x2190, 0x21ff],
    [0x2500, 0x25fc],
    [0x2713, 0x2718],
  ] as const;
  for (const tail of ['\ufe0f', '\u0301', '\u200d👍', '\u20e3']) {
    for (const [from, to] of quick) for (let code = from; code <= to; code += 1) compare(String.fromCodePoint(code) + tail);
  }
  expect(wrong).toEqual([]);
});

describe('the compiled code that a start keeps for the next', () => {
  const sandbox = createSandbox({ firstStart: true });
  afterAll(() => sandbox.remove());
  const codeFolder = join(sandbox.home, '.tilldone', 'state', 'code');
  const start = () => run(['-p', 'hi'], { cwd: sandbox.cwd, home: sandbox.home });

  const pathOfCode = (): string => join(codeFolder, readdirSync(codeFolder).find((name) => name.endsWith('-print-main')) ?? '');

  it('is written once, for this user alone, and used as it is', async () => {
    await start();
    expect(readdirSync(codeFolder).map((name) => name.replace(/.*-print-/, ''))).toEqual(['builtin', 'main', 'rest']);
    const path = pathOfCode();
    const { mtimeMs, mode } = statSync(path);
    expect(mode & 0o777).toBe(0o600);
    expect((await start()).stdout).toContain('checklist');
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
  });

  it('is written once more by the first call that uses another kind of provider', async () => {
    const server = await startModelServer(() => ({ text: 'from an endpoint' }));
    const offline = statSync(pathOfCode()).mtimeMs;
    const times: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { stdout } = await run([...server.args, '-p', 'hi'], { cwd: sandbox.cwd, home: sandbox.home });
      expect(stdout).toContain('from an endpoint');
      times.push(statSync(pathOfCode()).mtimeMs);
    }
    await server.close();
    expect(times[0]).toBeGreaterThan(offline);
    expect(times[1]).toBe(times[0]);
    expect(readdirSync(codeFolder)).toContainEqual(expect.stringMatching(/-print-openai$/));
  });

  it.each([
    ['a flipped byte', (bytes: Buffer) => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 0x55)],
    ['a lost end', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('is made anew after %s', async (_name, damage) => {
    const path = pathOfCode();
    const whole = readFileSync(path);
    writeFileSync(path, damage(whole));
    const { code, stdout, stderr } = await start();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('checklist');
    expect(readFileSync(path).length).toBeGreaterThan(whole.length / 2);
  });
});

describe('packages that are loaded when they are first needed', () => {
  it('undici: requests go through the proxy of the environment', async () => {
    const server = await startModelServer(() => ({ text: 'through the proxy' }));
    const { port } = new URL(server.url);
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url);
      const target = connect({ host: '127.0.0.1', port: Number(port) }, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // a TCP server
    const args = ['-p', 'hi', '--base-url', 'http://model.test/v1', '--model', 'm'];
    const { code, stdout } = await run(args, { env: { HTTP_PROXY: address } });
    proxy.close();
    await server.close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'through the proxy\n' });
    expect(asked).toEqual(['model.test:80']);
  });

  it('marked, highlight.js and diff: code of an answer and a change of a file are shown', async () => {
    const server = await startModelServer((index) =>
      index === 0
        ? { calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'one\nTWO\nthree\nFOUR\n' } }] }
        : { text: "Now **that** is done:\n\n```js\nconst half = 'of it';\n```\n" },
    );
    const chat = startTerminal(['--trust', ...server.args.filter((arg) => arg !== '--yolo')]);
    writeFileSync(join(chat.cwd, 'a.txt'), 'one\ntwo\nthree\nfour\n');
    await chat.waitFor('Ask for something');
    chat.send('change it\r');
    await chat.waitFor((screen) => ['- two', '+ TWO', 'three', '- four', '+ FOUR'].every((line) => screen.includes(line)));
    await chat.waitFor((screen) => screen.includes('y yes') && !chat.isDim('y yes'));
    chat.send('y');
    await chat.waitFor((screen) => screen.includes("const half = 'of it';") && !screen.includes('Esc to stop'));
    chat.send('again\r');
    // what colours code was loaded for the first of it; now each kind of word has its own
    await chat.waitFor(() => /const\u001b\[39m half = \u001b\[[\d;]+m'of it'\u001b/u.test(chat.raw()));
    await chat.close();
    await server.close();
  });
});
