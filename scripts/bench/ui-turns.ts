import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox } from '../../integration-tests/helpers/home.ts';
import { startModelServer } from '../../integration-tests/helpers/model-server.ts';
import { startTerminal } from '../../integration-tests/helpers/pty.ts';
import type { BenchTools, Row } from './tools.js';

const turns = 2_000;
const warmUp = 200;

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** A day's work in fast motion, as a user has it: every turn of a real chat in a pty writes a paragraph and reads a file. */
export async function measure({ row }: BenchTools): Promise<readonly Row[]> {
  const sandbox = createSandbox();
  // a model that only reads would be stopped, and rightly
  writeFileSync(join(sandbox.home, '.tilldone', 'settings.json'), JSON.stringify({ 'max-idle-turns': 2 * turns }));
  let turn = 0;
  let chat: ReturnType<typeof startTerminal> | undefined;
  const resident: number[] = [];
  const server = await startModelServer(() => {
    server.requests.length = 0; // their histories would fill this process instead
    turn += 1;
    if (chat !== undefined && (turn === warmUp || turn === turns)) resident.push(residentMegabytes(chat.pid));
    if (turn > turns) return { text: 'That was all.' };
    const text = `Turn ${turn}: ${'a sentence of an answer, as they come from a model. '.repeat(8)}`;
    return { text, calls: [{ name: 'read_file', arguments: { path: `file-${turn % 50}.txt` } }] };
  });
  try {
    chat = startTerminal(['--trust', ...server.args, '--max-turns', String(turns + 10)], {
      cwd: sandbox.cwd,
      home: sandbox.home,
      cols: 120,
      rows: 40,
      scrollback: 1_000,
    });
    for (let file = 0; file < 50; file += 1)
      writeFileSync(join(sandbox.cwd, `file-${file}.txt`), `${'line of a file\n'.repeat(20)}${file}\n`);
    await chat.waitFor('Ask for something');
    chat.send('go\r');
    await chat.waitFor('That was all.', 240_000);
    const [before = 0, after = 0] = resident;
    return [
      row(`memory of a chat after ${warmUp} turns`, before, { unit: 'MB' }),
      row(`  growth over ${turns - warmUp} more, their history included`, after - before, { unit: 'MB', limit: 100 }),
    ];
  } finally {
    await chat?.close();
    await server.close();
    sandbox.remove();
  }
}
