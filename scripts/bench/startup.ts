import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binPath, childEnv, createSandbox } from '../../integration-tests/helpers/home.ts';
import { type PtyOptions, startTerminal, type Terminal } from '../../integration-tests/helpers/pty.ts';
import type { BenchTools, Row } from './tools.js';

const rounds = 9;

/** How long it takes until something is there, against bare node in the same run. */
export async function measure({ timeChild, inTurns, row }: BenchTools): Promise<readonly Row[]> {
  const sandbox = createSandbox();
  // this user has never started it
  rmSync(join(sandbox.home, '.tilldone', 'state', 'code'));
  const options = { cwd: sandbox.cwd, env: childEnv(sandbox.home) };
  const node = (...args: string[]) => timeChild([process.execPath, ...args], options);
  const bin = (...args: string[]) => node(binPath, ...args);
  try {
    const [bare = 0, version = 0, help = 0, print = 0] = await inTurns(
      [() => node('-e', '0'), () => bin('--version'), () => bin('--help'), () => bin('-p', 'hi')],
      rounds,
    );
    await bin('trust');
    const terminal: PtyOptions = { cwd: sandbox.cwd, home: sandbox.home, cols: 120, rows: 40 };
    const firstEver = await untilShown(terminal, { bin: binPath, text: 'checklist', finish: leave });
    const ready = fileURLToPath(new URL('ready.mjs', import.meta.url));
    const until = (bin: string, text: string) => () => untilShown(terminal, { bin, text });
    const [bareShown = 0, line = 0, frame = 0] = await inTurns(
      [until(ready, 'ready'), until(binPath, '> '), until(binPath, 'checklist')],
      rounds,
    );
    return [
      row('bare node', bare, { unit: 'ms' }),
      row('--version / bare node', version / bare, { limit: 1.6 }),
      row('--help / bare node', help / bare),
      row('-p hi, built-in model / bare node', print / bare, { target: 3 }),
      row("chat's input line / bare node's first text", line / bareShown, { limit: 1.3 }),
      row("chat's first frame / bare node's first text", frame / bareShown, { limit: 3 }),
      row('the same at the very first start, nothing compiled yet', firstEver / bareShown),
    ];
  } finally {
    sandbox.remove();
  }
}

type Wanted = { readonly bin: string; readonly text: string; readonly finish?: (terminal: Terminal) => Promise<unknown> };

async function untilShown(options: PtyOptions, wanted: Wanted): Promise<number> {
  const startedMs = performance.now();
  const terminal = startTerminal([], { ...options, bin: wanted.bin });
  await terminal.waitFor(wanted.text);
  const shownMs = performance.now() - startedMs;
  await wanted.finish?.(terminal);
  await terminal.close();
  return shownMs;
}

async function leave(terminal: Terminal): Promise<unknown> {
  terminal.send('\u0004');
  return terminal.exited;
}
