import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../helpers/home.ts';
import { startModelServer } from '../helpers/model-server.ts';
import { type PtyOptions, startTerminal, type Terminal } from '../helpers/pty.ts';

let sandbox: Sandbox | undefined;
let terminal: Terminal | undefined;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await terminal?.close();
  for (const close of closers.splice(0)) await close();
  sandbox?.remove();
});

async function open(args: readonly string[] = [], options: PtyOptions = {}): Promise<Terminal> {
  sandbox = createSandbox();
  terminal = startTerminal(options.program === undefined ? ['--trust', ...args] : args, {
    cwd: sandbox.cwd,
    home: sandbox.home,
    ...options,
  });
  return terminal;
}

/** A long answer in many pieces, each line with its own number. */
const lines = Array.from({ length: 600 }, (_, index) => `- numbered line ${String(index).padStart(3, '0')}\n`);

function numbers(text: string): readonly number[] {
  return [...text.matchAll(/numbered line (\d{3})/g)].map((match) => Number(match[1]));
}

describe('windows of all sizes', () => {
  it.each([
    [20, 5],
    [40, 12],
    [80, 24],
    [300, 80],
  ])('%d x %d: works, and no line is lost or doubled', async (cols, rows) => {
    const server = await startModelServer(() => ({ text: [...lines.slice(0, 120), '\nThe end.'] }));
    closers.push(server.close);
    const chat = await open(server.args, { cols, rows });
    await chat.waitFor(/^> Ask/mu);
    chat.send('go\r');
    await chat.waitFor('The end.');
    await chat.waitForQuiet(300);
    expect(numbers(chat.scrollback().replace(/\n\s*/g, ' '))).toEqual(Array.from({ length: 120 }, (_, index) => index));
    expect(chat.raw()).not.toMatch(/\u001b\[[23]J/);
  });

  it('1 x 1: does not crash, and leaves on Ctrl+D', async () => {
    const chat = await open([], { cols: 1, rows: 1 });
    await chat.waitFor(() => chat.raw().includes('\u001b[?2004h'));
    chat.send('hi\r');
    await chat.waitFor(() => chat.scrollback().replace(/\s/gu, '').includes('>hi'));
    chat.send('\u0004');
    expect((await chat.exited).exitCode).toBe(0);
  });
});

describe('a window that changes', () => {
  it('survives 100 changes of size while text streams', async () => {
    const server = await startModelServer(() => ({ text: [...lines, '\nThe end.'] }));
    closers.push(server.close);
    const chat = await open(server.args);
    await chat.waitFor('Ask for something');
    chat.send('go\r');
    for (let index = 0; index < 100; index += 1) {
      chat.resize(30 + ((index * 37) % 90), 8 + ((index * 13) % 30));
      await sleep(10);
    }
    const before = chat.raw().length;
    chat.resize(80, 24);
    // While the window changes nothing is drawn: the input comes back when it is still.
    await chat.waitFor(() => chat.scrollback().includes('The end.') && chat.raw().includes('Ask for something', before));
    await chat.waitForQuiet(500);
    const seen = numbers(chat.scrollback().replace(/\n\s*/g, ' '));
    expect(new Set(seen).size).toBe(600);
    // The emulator may have left a copy of the input behind (see eraseFrame); the frame itself is whole.
    expect(chat.screen().split('\n').slice(-2)).toEqual([
      expect.stringMatching(/^> Ask for something/u),
      expect.stringMatching(/machine/u),
    ]);
    chat.send('still here');
    await chat.waitFor('> still here');
  });

  it('keeps one frame when the window gets narrow and wide again', async () => {
    const chat = await open([], { rows: 40 });
    await chat.waitFor('Ask for something');
    for (const cols of [70, 100, 66, 80]) {
      const before = chat.raw().length;
      chat.resize(cols, 40);
      await chat.waitFor(() => chat.raw().includes('Ask for something', before));
    }
    expect(chat.scrollback().match(/^> Ask for/gm)).toHaveLength(1);
  });
});

describe('leaving and coming back', () => {
  it('stops on Ctrl+Z and goes on where it was', async () => {
    const shell = await open(['--norc', '--noprofile'], { program: '/bin/bash' });
    closers.push(() => shell.close());
    shell.send(`PS1='$ '; set -m; ${process.execPath} ${process.cwd()}/bin/tilldone.js --trust\r`);
    await shell.waitFor('Ask for something');
    shell.send('half a line');
    await shell.waitFor('> half a line');
    shell.send('\u001a');
    await shell.waitFor('Stopped');
    shell.send('echo between\r');
    await shell.waitFor(/^between$/mu);
    shell.send('fg\r');
    await shell.waitFor((screen) => screen.trimEnd().split('\n').slice(-3).join('\n').includes('> half a line'));
    shell.send(' and the rest');
    await shell.waitFor('> half a line and the rest');
  });

  it.each<[name: string, end: (chat: Terminal) => void]>([
    ['the terminal goes away', (chat) => chat.hangUp()],
    ['it is told that the terminal went away', (chat) => chat.kill('SIGHUP')],
  ])('ends within five seconds, with its children and theirs, when %s', async (_name, end) => {
    const seconds = `77.${process.pid}${performance.now().toFixed(0)}`; // nobody else sleeps exactly so long
    const command = `sleep ${seconds} & wait`;
    const server = await startModelServer(() => ({ calls: [{ name: 'shell', arguments: { command } }] }));
    closers.push(server.close);
    const chat = await open(server.args);
    await chat.waitFor('Ask for something');
    chat.send('go\r');
    await chat.waitFor('running shell');
    while (!running(seconds).some((line) => line.startsWith('sleep'))) await sleep(20);
    const started = performance.now();
    end(chat);
    while (running(seconds).length > 0 && performance.now() - started < 5_000) await sleep(20);
    expect(running(seconds)).toEqual([]);
    await chat.exited;
  });
});

/** Command lines that have the text, of all processes; namespaces hide none of them from outside. */
function running(text: string): readonly string[] {
  const lines = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
  return lines.filter((line) => line.includes(text));
}
