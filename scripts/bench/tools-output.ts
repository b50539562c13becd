// A command that prints 200 MB: memory stays bounded, and the event loop stays free for keys.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../src/lib/clock.ts';
import { createProcesses } from '../../src/tools/processes.ts';
import type { BenchTools, Row } from './tools.js';

const megabyte = 1024 * 1024;

/** Rows on memory and on how long a key would have to wait. */
export async function measure({ row }: BenchTools): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tilldone-bench-')));
  const processes = createProcesses({
    env: () => ({ PATH: process.env.PATH }),
    clock: systemClock,
    spillDir: () => join(folder, 'spill'),
    onChange: () => {},
  });
  try {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let highest = before;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const timer = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss);
    }, 10);
    const startedMs = performance.now();
    let shown = 0;
    const run = await processes.run(`head -c ${200 * megabyte} /dev/zero | tr '\\0' 'x' | fold -w 99`, {
      cwd: folder,
      timeoutMs: 300_000,
      signal: new AbortController().signal,
      onOutput: (text) => {
        shown += text.length;
      },
    });
    const seconds = (performance.now() - startedMs) / 1000;
    clearInterval(timer);
    delay.disable();
    if (run.exitCode !== 0 || run.output.length > 40_000) throw new Error(`unexpected: ${run.output.slice(0, 200)}`);
    const note = `${seconds.toFixed(1)} s, ${(shown / megabyte).toFixed(1)} MB of it shown live`;
    return [
      row('growth of memory with 200 MB of output', (highest - before) / megabyte, { unit: 'MB', limit: 150, note }),
      row('longest wait of a key meanwhile', delay.max / 1e6, { unit: 'ms', limit: 100 }),
    ];
  } finally {
    await processes.killAll();
    rmSync(folder, { recursive: true });
  }
}
