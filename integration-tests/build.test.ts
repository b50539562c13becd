import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import original from 'string-width';
import { afterAll, describe, expect, it } from 'vitest';
import { plugins } from '../scripts/build-plugins.js';
import { createSandbox } from './helpers/home.ts';
import { startModelServer } from './helpers/model-server.ts';
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
    expect(readdirSync(codeFolder)).toEqual([expect.stringMatching(/-print-builtin$/), expect.stringMatching(/-print-main$/)]);
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
