import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { binPath, childEnv, createSandbox } from '../../integration-tests/helpers/home.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openProvider } from '../../src/providers/index.ts';
import { createOpenAiAssembler } from '../../src/providers/openai-assemble.ts';
import { resolveProvider } from '../../src/providers/presets.ts';
import type { ProviderRequest } from '../../src/providers/provider.ts';
import type { BenchTools, Row } from './tools.js';

const rounds = 7;
/** Starts of a process, which differ more from each other than anything else here. */
const callRounds = 25;
const chunks = 20_000;
/** Characters of each, as the server of this benchmark sends them. */
const chunkChars = 5;

/** What the wire costs: one whole call, many turns, and each chunk, against bare node and the bare SDK in the same run. */
export async function measure(tools: BenchTools): Promise<readonly Row[]> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('wire-server.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) => server.stdout.once('data', (line: Buffer) => resolve(line.toString().trim())));
  const url = `http://127.0.0.1:${port}`;
  try {
    return [...(await wholeCalls(url, tools)), ...(await manyTurns(url, tools)), ...(await eachChunk(url, tools))];
  } finally {
    server.kill();
  }
}

async function wholeCalls(url: string, { timeChild, inTurns, row, median }: BenchTools): Promise<readonly Row[]> {
  const sandbox = createSandbox();
  const notes = mkdtempSync(join(tmpdir(), 'tilldone-bench-'));
  try {
    const options = { cwd: sandbox.cwd, env: childEnv(sandbox.home) };
    const hi = [binPath, '-p', 'hi', '--base-url', `${url}/v1`, '--model', 'm'];
    const node = (...args: string[]) => timeChild([process.execPath, ...args], options);
    await node(...hi); // the first start of a build keeps its compiled code for the next
    const [bare = 0, call = 0] = await inTurns([() => node('-e', '0'), () => node(...hi)], callRounds);
    const used = join(notes, 'used');
    const hook = noteResources(used);
    const resources = async (...args: string[]): Promise<Resources> => {
      await node('--import', hook, ...args);
      return JSON.parse(readFileSync(used, 'utf8')); // as the hook has written it
    };
    const cpuOf = async (...args: string[]): Promise<number> => {
      const { userCPUTime, systemCPUTime } = await resources(...args);
      return (userCPUTime + systemCPUTime) / 1000;
    };
    const [bareCpu = 0, callCpu = 0] = await inTurns([() => cpuOf('-e', '0'), () => cpuOf(...hi)], callRounds);
    const peaks: number[] = [];
    for (let round = 0; round < 3; round += 1) peaks.push((await resources(...hi)).peakKb / 1024);
    return [
      row('-p hi, loopback endpoint / bare node', call / bare, { limit: 3, note: `${call.toFixed(0)} ms` }),
      row('CPU of that call / bare node', callCpu / bareCpu, { target: 3, note: `${callCpu.toFixed(0)} ms; says more on a busy machine` }),
      row('peak memory of that call', median(peaks), { unit: 'MB', limit: 110 }),
    ];
  } finally {
    sandbox.remove();
    rmSync(notes, { recursive: true, force: true });
  }
}

type Resources = Pick<NodeJS.ResourceUsage, 'userCPUTime' | 'systemCPUTime'> & { readonly peakKb: number };

/**
 * A module for `--import` that notes what the process has used when it ends. Linux counts what the starting process held into `maxRSS`, but not
 * into the peak of the new program.
 */
function noteResources(path: string): string {
  const source = `
    import fs from 'node:fs';
    process.on('exit', () => {
      const usage = process.resourceUsage();
      let peakKb = usage.maxRSS;
      try {
        peakKb = Number(/VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
      } catch {}
      fs.writeFileSync(${JSON.stringify(path)}, JSON.stringify({ ...usage, peakKb }));
    });`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Fifty turns of one call each; a turn is what passes between the end of an answer and the next request, less what the tool takes of it. */
async function manyTurns(url: string, { timeChild, row, median }: BenchTools): Promise<readonly Row[]> {
  const sandbox = createSandbox();
  const notes = mkdtempSync(join(tmpdir(), 'tilldone-bench-'));
  try {
    for (let file = 0; file < 50; file += 1) writeFileSync(join(sandbox.cwd, `f${file}.txt`), `${file}\n`);
    const kept = join(notes, 'times');
    const args = ['--import', watchReads(kept), binPath, '-p', 'turns', '--yolo', '--base-url', `${url}/v1`, '--model', 'm'];
    const turns: number[] = [];
    const tools: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await fetch(`${url}/times`);
      await timeChild([process.execPath, ...args], { cwd: sandbox.cwd, env: childEnv(sandbox.home) });
      const gaps = (await (await fetch(`${url}/times`)).json()) as number[]; // our own server sends it
      const reads = JSON.parse(readFileSync(kept, 'utf8')) as number[]; // as the hook has written it
      if (reads.length < gaps.length) throw new Error(`${reads.length} reads in ${gaps.length} turns`);
      turns.push(median(gaps));
      tools.push(median(reads));
      ratios.push(median(gaps.slice(-10)) / median(gaps.slice(0, 10)));
    }
    const own = median(tools);
    return [
      row("a tool turn, beside the tool's own time", median(turns) - own, {
        unit: 'ms',
        limit: 5,
        note: `median of ${rounds} runs of 50; read_file takes ${own.toFixed(1)} ms of a turn`,
      }),
      row('the last ten turns / the first ten', median(ratios), { limit: 1 }),
    ];
  } finally {
    sandbox.remove();
    rmSync(notes, { recursive: true, force: true });
  }
}

/** A module for `--import` that notes how long each read of a file takes, from resolving its path to closing it, in ms. */
function watchReads(path: string): string {
  const source = `
    import fs from 'node:fs';
    const times = [];
    const { realpath, open } = fs.promises;
    let from;
    fs.promises.realpath = (...args) => {
      from = performance.now();
      return realpath(...args);
    };
    fs.promises.open = async (...args) => {
      const handle = await open(...args);
      const close = handle.close.bind(handle);
      handle.close = async () => {
        await close();
        if (from !== undefined) times.push(performance.now() - from);
        from = undefined;
      };
      return handle;
    };
    process.on('exit', () => fs.writeFileSync(${JSON.stringify(path)}, JSON.stringify(times)));`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

async function eachChunk(url: string, { row, median, inTurns }: BenchTools): Promise<readonly Row[]> {
  const config = resolveProvider({ baseUrl: `${url}/v1`, model: 'm' }, {});
  if ('error' in config) throw new Error(config.error);
  const provider = await openProvider(config, { clock: systemClock });
  const request: ProviderRequest = { model: 'm', system: '', messages: [{ role: 'user', kind: 'prompt', text: 'burst' }], tools: [] };
  const ours = async (): Promise<number> => {
    const started = process.cpuUsage();
    let chars = 0;
    for await (const event of provider.stream(request, new AbortController().signal))
      if (event.type === 'text-delta') chars += event.text.length;
    if (chars !== chunks * chunkChars) throw new Error(`${chars} of ${chunks * chunkChars} characters became events`);
    return cpuMs(started);
  };
  const client = new OpenAI({ apiKey: 'x', baseURL: `${url}/v1`, maxRetries: 0, logLevel: 'off' });
  const bareSdk = async (): Promise<number> => {
    const started = process.cpuUsage();
    let seen = 0;
    const stream = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'burst' }], stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) seen += 1;
    if (seen !== chunks) throw new Error(`${seen} of ${chunks} chunks came from the SDK`);
    return cpuMs(started);
  };
  await ours();
  await bareSdk();
  const [own = 0, bare = 0] = await inTurns([ours, bareSdk], rounds);
  return [
    row('chunk to event, in the assembler', median(assemblerTimes()), { unit: 'ms', limit: 0.1 }),
    row('CPU for each chunk, socket and SDK included', own / chunks, { unit: 'ms', limit: 0.1 }),
    row('CPU of 20,000 chunks / bare SDK', own / bare, { limit: 2, note: `${own.toFixed(0)} ms and ${bare.toFixed(0)} ms` }),
  ];
}

/** Ms from the parsed chunk to its event, for every chunk of a long answer. */
function assemblerTimes(): readonly number[] {
  const assembler = createOpenAiAssembler({ compat: {}, toolNames: new Set(), usedIds: new Set(), newId: () => 'id' });
  const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] };
  return Array.from({ length: chunks }, () => {
    const startedMs = performance.now();
    assembler.push(chunk);
    return performance.now() - startedMs;
  });
}

function cpuMs(started: NodeJS.CpuUsage): number {
  const used = process.cpuUsage(started);
  return (used.user + used.system) / 1000;
}
