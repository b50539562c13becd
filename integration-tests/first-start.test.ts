import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './helpers/home.ts';
import { startTerminal, type Terminal } from './helpers/pty.ts';

/** Questions ignore keys for this long; the wait is for a person's reading. */
const inertMs = 350;
const key = 'sk-planted-0123456789abcdef';

let sandbox: Sandbox;
let terminal: Terminal;
afterEach(async () => {
  await terminal.close();
  sandbox.remove();
});

async function start(): Promise<Terminal> {
  sandbox = createSandbox({ firstStart: true });
  terminal = startTerminal(['--trust'], { cwd: sandbox.cwd, home: sandbox.home });
  await terminal.waitFor('No model is connected yet');
  await sleep(inertMs);
  return terminal;
}

const read = (...path: string[]): string => readFileSync(join(sandbox.home, '.tilldone', ...path), 'utf8');

describe('the first start without a model', () => {
  it('takes a key in a hidden field, keeps it for its owner only, and uses it', async () => {
    const screen = await start();
    screen.send('1');
    await screen.waitFor('API key (hidden):');
    screen.send(`${key}\r`);
    await screen.waitFor('Ask for something');
    expect(screen.screen()).toContain('gpt-5-mini');
    expect(screen.raw()).not.toContain(key);
    expect(read('keys.json')).toContain(key);
    expect(statSync(join(sandbox.home, '.tilldone', 'keys.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(read('settings.json'))).toEqual({ provider: 'openai' });
  });

  it('goes on offline, says what the built-in model is, and does not ask again', async () => {
    const screen = await start();
    screen.send('3');
    await screen.waitFor('Ask for something');
    expect(screen.scrollback()).toContain('To connect a real model');
    screen.send('\u0004');
    await screen.exited;
    const again = startTerminal(['--trust'], { cwd: sandbox.cwd, home: sandbox.home });
    await again.waitFor('Ask for something');
    expect(again.scrollback()).not.toContain('No model is connected yet');
    await again.close();
  });

  it('says when no local server answers, and asks again next time', async () => {
    const screen = await start();
    screen.send('2');
    await screen.waitFor('No local server answers on its usual port');
    await screen.waitFor('Ask for something');
    expect(() => read('state', 'first-start.json')).toThrow('ENOENT');
  });
});
