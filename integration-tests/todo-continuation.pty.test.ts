import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './helpers/home.ts';
import { type Answer, listCall, type ModelServer, startModelServer, workCall } from './helpers/model-server.ts';
import { startTerminal, type Terminal } from './helpers/pty.ts';

let server: ModelServer | undefined;
let sandbox: Sandbox | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await server?.close();
  sandbox?.remove();
});

/** A model that makes a list of three and then only talks. */
const talker = (index: number): Answer => (index === 0 ? { calls: [listCall(3, 0)] } : { text: `Shall I go on? (${index})` });

/** Opens the chat in a trusted folder and sends the first prompt. */
async function chat(
  machine: (index: number) => Answer,
  { seconds = countdownMs / 1000, ...size }: { cols?: number; rows?: number; seconds?: number } = {},
): Promise<{ screen: Terminal; model: ModelServer }> {
  server = await startModelServer(machine);
  sandbox = createSandbox();
  writeFileSync(join(sandbox.home, '.tilldone', 'settings.json'), JSON.stringify({ 'continuation-countdown': seconds }));
  terminal = startTerminal([...server.args, '--trust'], { ...size, cwd: sandbox.cwd, home: sandbox.home });
  await terminal.waitFor('Ask for something');
  terminal.send('write three files\r');
  return { screen: terminal, model: server };
}

/** Long enough for a slow machine to see it, look at the requests and press a key before it is over. */
const countdownMs = 4_000;
const counting = /Continuing in \d s · 3 open · Esc to stop/;

describe('the countdown in a real terminal', () => {
  it.each([
    { cols: 80, rows: 24 },
    { cols: 40, rows: 12 },
  ])('ticks after two texts in a row, and Esc holds it: nothing more is sent ($cols × $rows)', async (size) => {
    const { screen, model } = await chat(talker, size);
    await screen.waitFor(counting);
    const sent = model.requests.length;
    expect(sent).toBe(3);
    screen.send('\u001b');
    await screen.waitFor('interrupted by you');
    await sleep(countdownMs + 1_500); // the absence of a request cannot be waited for
    expect(model.requests).toHaveLength(sent);
    screen.send('/why\r');
    await screen.waitFor('return (aborted)');
  });

  it('typing holds it; emptying the line starts it again in full', async () => {
    const { screen, model } = await chat(talker);
    await screen.waitFor(counting);
    screen.send('wait');
    await sleep(countdownMs + 1_500);
    expect(model.requests).toHaveLength(3);
    screen.send('\u0015');
    await screen.waitFor('3 continuations without progress, 3 of 3 open');
    expect(model.requests).toHaveLength(5);
    screen.send('/why\r');
    await screen.waitFor('nudges without progress: 3 of 3');
  });

  it('/set todo-continuation false stops the engine at once, and /why says so', async () => {
    const { screen, model } = await chat(talker);
    await screen.waitFor(counting);
    screen.send('/set todo-continuation false\r');
    await screen.waitFor('todo-continuation is off, 3 of 3 open');
    expect(model.requests).toHaveLength(3);
    screen.send('/why\r');
    await screen.waitFor('return (off)');
  });

  it('shows a tick a second', async () => {
    const { screen } = await chat(talker, { seconds: 3 });
    // what was written, not what is on screen at the moment: a look may come later than the next tick
    const ticks = (): readonly string[] => [...screen.raw().matchAll(/Continuing in (\d) s/gu)].map(([, second = '']) => second);
    await screen.waitFor(() => ticks().includes('1'));
    const first = ticks().slice(0, ticks().indexOf('1') + 1);
    expect([...new Set(first)]).toEqual(['3', '2', '1']);
  });

  it('goes on by itself to the end when nobody touches it', async () => {
    const { screen, model } = await chat(
      (index) => {
        if (index === 0) return { calls: [listCall(2, 0)] };
        if (index === 1 || index === 2) return { text: 'May I?' };
        if (index === 3) return { calls: [workCall(1), workCall(2), listCall(2, 2)] };
        return { text: 'Both are written.' };
      },
      { seconds: 1 },
    );
    await screen.waitFor('All 2 todos done');
    expect(model.requests).toHaveLength(5);
  });
});
