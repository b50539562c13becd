import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../../integration-tests/helpers/home.ts';
import { startTerminal } from '../../integration-tests/helpers/pty.ts';
import type { BenchTools, Row } from './tools.js';

const chunks = 20_000;
const durationMs = 5_000;
/** Runs of each length of transcript, by turns. */
const pairRounds = 3;
const endMark = 'end-of-stream-mark';

/** Text of `chunks` pieces of 10 characters: paragraphs of about 400 characters, or one paragraph of 200,000. */
function pieces(kind: 'paragraphs' | 'one paragraph'): readonly string[] {
  return Array.from({ length: chunks }, (_, index) => {
    const word = `w${String(index % 1_000_000).padStart(7, '0')}`;
    return kind === 'paragraphs' && index % 40 === 39 ? `${word}\n\n` : `${word}  `.slice(0, 10);
  });
}

function chunkOf(text: string): string {
  const delta = {
    id: 'r',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  };
  return `data: ${JSON.stringify(delta)}\n\n`;
}

/** A model that says a short word to a short prompt, and streams at a steady pace when it is asked to. */
async function startStreamer(texts: readonly string[]): Promise<{ url: string; ended(): number; close(): void }> {
  const events = texts.map(chunkOf);
  let endedMs = 0;
  const finish = (response: ServerResponse, last: string): void => {
    const stop = {
      id: 'r',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    };
    endedMs = performance.now();
    response.end(`${chunkOf(last)}data: ${JSON.stringify(stop)}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { messages } = JSON.parse(body) as { messages: readonly { content: unknown }[] }; // our own client sends it
      const prompt = JSON.stringify(messages.at(-1)?.content);
      const fill = /fill (\d+)/.exec(prompt);
      if (fill !== null) {
        const earlier = Array.from({ length: Number(fill[1]) }, (_, index) => `- earlier line ${index}\n`).join('');
        finish(response, `${earlier}\nfilled\n`);
        return;
      }
      const startedMs = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        const due = Math.min(events.length, Math.ceil(((performance.now() - startedMs) / durationMs) * events.length));
        if (due > sent) response.write(events.slice(sent, due).join(''));
        sent = due;
        if (sent < events.length) return;
        clearInterval(timer);
        finish(response, ` ${endMark}`);
      }, 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server
  return { url: `http://127.0.0.1:${port}/v1`, ended: () => endedMs, close: () => void server.close() };
}

/** CPU seconds of a process so far; the kernel counts in hundredths (proc(5)). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

type Figures = {
  cpu: number;
  streamCpu: number;
  bytes: number;
  latencyMs: number;
  rss: number;
  fullClears: number;
  idleBytes: number;
  echoMs: number;
};

async function streamOnce(kind: 'paragraphs' | 'one paragraph', earlierLines: number): Promise<Figures> {
  const streamer = await startStreamer(pieces(kind));
  const sandbox = createSandbox();
  const terminal = startTerminal(['--base-url', streamer.url, '--model', 'm', '--yolo', '--trust'], {
    cols: 120,
    rows: 40,
    cwd: sandbox.cwd,
    home: sandbox.home,
  });
  try {
    await terminal.waitFor('Ask for something');
    if (earlierLines > 0) {
      terminal.send(`fill ${earlierLines}\r`);
      await terminal.waitFor(`earlier line ${earlierLines - 1}`, 30_000);
      await terminal.waitForQuiet(500);
    }
    const cpuBefore = cpuSeconds(terminal.pid);
    const bytesBefore = terminal.raw().length;
    terminal.send('stream\r');
    const echoes: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const key = 'abcdefghijklmnopqrst'.charAt(index);
      const sentMs = performance.now();
      terminal.send(key);
      await terminal.waitFor((screen) => screen.includes(`> ${'abcdefghijklmnopqrst'.slice(0, index + 1)}`));
      echoes.push(performance.now() - sentMs);
    }
    // The window only: to search all that scrolled away with every piece would take longer than what is measured.
    await terminal.waitFor((screen) => screen.includes(endMark), 60_000);
    const latencyMs = performance.now() - streamer.ended();
    const streamCpu = cpuSeconds(terminal.pid) - cpuBefore;
    await terminal.waitForQuiet(300);
    const cpu = cpuSeconds(terminal.pid); // what V8 tidies up in the idle time after it is not the stream's
    const raw = terminal.raw().slice(bytesBefore);
    const idleFrom = terminal.raw().length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return {
      cpu,
      streamCpu,
      bytes: Buffer.byteLength(raw) / 1e6,
      latencyMs,
      rss: peakMegabytes(terminal.pid),
      fullClears: raw.match(/\u001b\[[23]J/g)?.length ?? 0,
      idleBytes: terminal.raw().length - idleFrom,
      echoMs: echoes.toSorted((left, right) => left - right)[18] ?? 0,
    };
  } finally {
    await terminal.close();
    streamer.close();
    sandbox.remove();
  }
}

/** CPU seconds of a program that only fetches, parses and writes the same stream. */
async function leastCpu(): Promise<number> {
  const streamer = await startStreamer(pieces('paragraphs'));
  const sandbox = createSandbox();
  const bin = fileURLToPath(new URL('plain-reader.mjs', import.meta.url));
  const terminal = startTerminal([streamer.url], { cols: 120, rows: 40, cwd: sandbox.cwd, home: sandbox.home, bin });
  try {
    await terminal.waitFor('ready');
    terminal.send('\r');
    await terminal.waitFor((screen) => screen.includes(endMark), 60_000);
    return cpuSeconds(terminal.pid);
  } finally {
    await terminal.close();
    streamer.close();
    sandbox.remove();
  }
}

/** 20,000 chunks of 10 characters over 5 s in a 120 × 40 terminal. */
export async function measure({ row, median }: BenchTools): Promise<readonly Row[]> {
  const single = await streamOnce('one paragraph', 0);
  const least = await leastCpu();
  const pairs: { readonly short: Figures; readonly long: Figures }[] = [];
  for (let round = 0; round < pairRounds; round += 1) {
    pairs.push({ short: await streamOnce('paragraphs', 0), long: await streamOnce('paragraphs', 5_000) });
  }
  const ofPairs = (figure: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(figure));
  const paragraphs = pairs.map(({ short }) => short).sort((left, right) => left.cpu - right.cpu)[pairRounds >> 1] ?? single;
  return [
    ...(
      [
        ['paragraphs', paragraphs],
        ['one paragraph', single],
      ] as const
    ).flatMap(([name, figures]) => [
      row(`${name}: CPU, start included`, figures.cpu, { unit: 's', limit: 1.7 }),
      row(`${name}: end on screen after it was sent`, figures.latencyMs, { unit: 'ms', target: 25 }),
      row(`${name}: written`, figures.bytes, { unit: 'MB', limit: 0.45 }),
      row(`${name}: peak memory`, figures.rss, { unit: 'MB', limit: 150 }),
      row(`${name}: key echo, 95th percentile of 20`, figures.echoMs, { unit: 'ms', target: 50 }),
      row(`${name}: full clears`, figures.fullClears, { limit: 0 }),
      row(`${name}: bytes when idle`, figures.idleBytes, { limit: 0 }),
    ]),
    row('CPU / that of fetch, parse and write alone', paragraphs.cpu / least, { note: `which takes ${least.toFixed(2)} s` }),
    row(
      'CPU with 5,000 earlier lines / with none',
      ofPairs(({ short, long }) => long.streamCpu / short.streamCpu),
      { limit: 1.1 },
    ),
    row(
      'written with 5,000 earlier lines / with none',
      ofPairs(({ short, long }) => long.bytes / short.bytes),
      { limit: 1.1 },
    ),
  ];
}
