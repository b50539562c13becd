import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binPath, childEnv, createSandbox } from '../../integration-tests/helpers/home.ts';
import { type PtyOptions, startTerminal } from '../../integration-tests/helpers/pty.ts';
import type { BenchTools, Row } from './tools.js';

const rounds = 15;

async function untilShown(options: PtyOptions, wanted: string, key?: string): Promise<number> {
  const startedMs = performance.now();
  const terminal = startTerminal([], options);
  await terminal.waitFor(wanted);
  if (key !== undefined) {
    terminal.send(key);
    await terminal.waitFor(`> ${key}`);
  }
  const shownMs = performance.now() - startedMs;
  await terminal.close();
  return shownMs;
}

/** When the prompt is there and takes keys, against a node program that only writes a word. */
export async function measure({ inTurns, row }: BenchTools): Promise<readonly Row[]> {
  const sandbox = createSandbox();
  try {
    spawnSync(process.execPath, [binPath, 'trust'], { cwd: sandbox.cwd, env: childEnv(sandbox.home) });
    mkdirSync(join(sandbox.home, '.tilldone'), { recursive: true });
    writeFileSync(join(sandbox.home, '.tilldone', 'settings.json'), JSON.stringify({ provider: 'builtin' }));
    const place = { cwd: sandbox.cwd, home: sandbox.home };
    const ready = fileURLToPath(new URL('ready.mjs', import.meta.url));
    const [bare = 0, prompt = 0, typed = 0] = await inTurns(
      [() => untilShown({ ...place, bin: ready }, 'ready'), () => untilShown(place, '>'), () => untilShown(place, '>', 'k')],
      rounds,
    );
    return [
      row("bare node's first text", bare, { unit: 'ms' }),
      row("prompt visible / bare node's first text", prompt / bare, { limit: 1.3 }),
      row("first key echoed / bare node's first text", typed / bare, { target: 1.5 }),
    ];
  } finally {
    sandbox.remove();
  }
}
