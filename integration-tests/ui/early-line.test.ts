import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { binPath, childEnv, createSandbox } from '../helpers/home.ts';
import { startTerminal, type Terminal } from '../helpers/pty.ts';

const rounds = Math.min(200, 5 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1));
let seed = Number(process.env.TILLDONE_SEED ?? 1);

/** The same numbers in every run with the same seed. */
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}

it('hands every key over to the chat, in order, on one line', { timeout: 60_000 + rounds * 5_000 }, async () => {
  const sandbox = createSandbox();
  spawnSync(process.execPath, [binPath, 'trust'], { cwd: sandbox.cwd, env: childEnv(sandbox.home) });
  mkdirSync(join(sandbox.home, '.tilldone'), { recursive: true });
  writeFileSync(join(sandbox.home, '.tilldone', 'settings.json'), JSON.stringify({ provider: 'builtin' }));
  let terminal: Terminal | undefined;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const chat = startTerminal([], { cwd: sandbox.cwd, home: sandbox.home });
      terminal = chat;
      await chat.waitFor('>');
      let typed = '';
      for (let count = 10 + Math.floor(random() * 25); count > 0; count -= 1) {
        const key = 'abcdefghijklmnopqrstuvwxyz é漢'.charAt(Math.floor(random() * 29));
        typed += key;
        chat.send(key);
        await sleep(random() * 40);
      }
      await chat.waitFor((screen) => screen.includes('checklist (offline) ·') && screen.split('\n').includes(`> ${typed.trimEnd()}`));
      expect(chat.scrollback().match(/^> /gm)).toHaveLength(1);
      expect(chat.raw().indexOf('\u001b[?2004h> ')).toBeGreaterThan(-1);
      await chat.close();
    }
  } finally {
    await terminal?.close();
    sandbox.remove();
  }
});
