import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../helpers/home.ts';
import { type Answer, startModelServer } from '../helpers/model-server.ts';
import { type PtyOptions, startTerminal, type Terminal } from '../helpers/pty.ts';

let sandbox: Sandbox | undefined;
let terminal: Terminal | undefined;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await terminal?.close();
  for (const close of closers.splice(0)) await close();
  sandbox?.remove();
});

async function open(machine: (index: number) => Answer, options: PtyOptions & { readonly ask?: boolean } = {}) {
  const server = await startModelServer(machine);
  closers.push(server.close);
  sandbox = createSandbox();
  const args = server.args.filter((arg) => options.ask !== true || arg !== '--yolo');
  terminal = startTerminal(['--trust', ...args], { cwd: sandbox.cwd, home: sandbox.home, ...options });
  await terminal.waitFor('Ask for something');
  return { chat: terminal, server };
}

describe('a paste of 1 MB', () => {
  it('keeps the input quick, and is sent whole', async () => {
    const { chat, server } = await open(() => ({ text: 'Got it.' }));
    const timeKey = async (key: string, shown: string): Promise<number> => {
      const started = performance.now();
      chat.send(key);
      await chat.waitFor(shown);
      return performance.now() - started;
    };
    await timeKey('a', '> a');
    const before = await timeKey('b', '> ab');
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${String(index).padStart(5, '0')} ${'x'.repeat(41)}`);
    const text = lines.join('\n');
    expect(text.length).toBeGreaterThan(1_000_000);
    chat.send(`\u001b[200~${text}\u001b[201~`);
    await chat.waitFor('> ab[Pasted #1: 20000 lines]');
    const after = await timeKey('c', '20000 lines]c');
    expect(after).toBeLessThan(Math.max(10 * before, 500));
    chat.send('\r');
    await chat.waitFor('Got it.');
    expect(server.requests[0]?.body).toContain(JSON.stringify(`ab${text}c`).slice(1, -1));
  });
});

describe('the external editor', () => {
  it('has the terminal for itself, and its text comes back', async () => {
    sandbox = createSandbox();
    const editor = join(sandbox.root, 'editor.sh');
    // what it reads comes from the terminal, in lines: neither raw mode nor another reader may be left
    writeFileSync(
      editor,
      '#!/bin/sh\nprintf "EDITING %s\\n" "$(cat "$1")"\nread -r one\nread -r two\nprintf "\\n%s\\n%s\\n" "$one" "$two" >> "$1"\n',
      { mode: 0o755 },
    );
    const { chat, server } = await open(() => ({ text: 'Read.' }), { env: { EDITOR: editor } });
    chat.send('a draft');
    await chat.waitFor('> a draft');
    chat.send('\u0007');
    await chat.waitFor('EDITING a draft');
    const left = chat.raw().lastIndexOf('\u001b[?2004l');
    expect(left).toBeGreaterThan(-1);
    for (const letter of 'first line of the editor\r') chat.send(letter);
    chat.send('second, with ctrl letters\u0015second\r');
    await chat.waitFor((screen) => /^> a draft\n {2}first line of the editor\n {2}second$/mu.test(screen));
    // nothing of what the editor left on the screen is drawn over
    expect(chat.scrollback()).toMatch(/EDITING a draft\nfirst line of the editor\nsecond *\n/u);
    expect(chat.raw().indexOf('\u001b[?2004h', left)).toBeGreaterThan(left);
    chat.send('!\r');
    await chat.waitFor('Read.');
    expect(server.requests[0]?.body).toContain('a draft\\nfirst line of the editor\\nsecond!');
  });
});

describe('a notice to a user who looks elsewhere', () => {
  const notice = /\u0007\u001b\]9;([^\u0007]*)\u0007/gu;
  const noticesOf = (chat: Terminal): readonly (string | undefined)[] => [...chat.raw().matchAll(notice)].map((match) => match[1]);
  const away = '\u001b[O';
  const back = '\u001b[I';
  const todo = { calls: [{ name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'in_progress' }] } }] };
  const done = { calls: [{ name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'completed' }] } }] };
  const command = { calls: [{ name: 'shell', arguments: { command: 'touch made' } }] };
  const question = { calls: [{ name: 'ask_user', arguments: { question: 'Which colour?', options: ['red', 'blue'] } }] };

  it('is sent when the work is done, waits for permission, or waits for an answer', async () => {
    const { chat } = await open((index) => [todo, command, question, done, { text: 'Looked.' }][index] ?? { text: 'Again.' }, {
      ask: true,
    });
    chat.send(`${away}go\r`);
    await chat.waitFor((screen) => screen.includes('y yes') && !chat.isDim('y yes'));
    expect(noticesOf(chat)).toEqual(['tilldone asks for permission']);
    chat.send('y');
    await chat.waitFor('Which colour?');
    await chat.waitFor(() => noticesOf(chat).length === 2);
    chat.send('\r');
    await chat.waitFor('✓ The todo is done');
    await chat.waitFor(() => noticesOf(chat).length === 3);
    expect(noticesOf(chat).slice(1)).toEqual(['tilldone has a question', 'The todo is done']);
  });

  it('says what blocks the list', async () => {
    const blocked = { calls: [{ name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'blocked', note: 'no key' }] } }] };
    const { chat } = await open((index) => [todo, blocked][index] ?? { text: 'I cannot go on.' });
    chat.send(`${away}go\r`);
    await chat.waitFor(/^■ .*blocked/mu);
    expect(noticesOf(chat).at(-1)).toMatch(/blocked/u);
  });

  it('is not sent to a user who looks on', async () => {
    const { chat } = await open((index) => [todo, done, { text: 'Looked.' }][index] ?? { text: 'Again.' });
    chat.send(`${away}${back}go\r`);
    await chat.waitFor((screen) => screen.includes('✓ The todo is done') && !screen.includes('Esc to stop'));
    expect(noticesOf(chat)).toEqual([]);
  });
});

describe('the kitty keyboard protocol', () => {
  const enable = '\u001b[>1u';
  const disable = '\u001b[<u';

  it('is used where the terminal answers the query, and given back at the end', async () => {
    const { chat, server } = await open(() => ({ text: 'Two lines.' }));
    expect(chat.raw()).toContain('\u001b[?u');
    expect(chat.raw()).not.toContain(enable);
    chat.send('\u001b[?0u');
    await chat.waitFor(() => chat.raw().includes(enable));
    chat.send('one\u001b[13;2utwo');
    await chat.waitFor(/^> one\n {2}two$/mu);
    chat.send('\u001b[13u');
    await chat.waitFor((screen) => screen.includes('Two lines.') && !screen.includes('Esc to stop'));
    expect(server.requests[0]?.body).toContain('one\\ntwo');
    chat.send('\u001b[100;5u');
    expect((await chat.exited).exitCode).toBe(0);
    expect(chat.raw().split(enable)).toHaveLength(2);
    expect(chat.raw().split(disable)).toHaveLength(2);
  });

  it('is left alone where it does not', async () => {
    const { chat } = await open(() => ({ text: 'Yes.' }));
    chat.send('\u0004');
    await chat.exited;
    expect(chat.raw()).not.toContain(enable);
    expect(chat.raw()).not.toContain(disable);
  });
});

describe('/set in the middle of an answer', () => {
  it('stops the engine at once: no further request, and /why says so', async () => {
    let ended = false;
    const slowly = async function* (): AsyncGenerator<string> {
      for (let word = 0; !ended; word += 1) {
        yield `word ${word} `;
        await sleep(20);
      }
      yield 'Shall I go on?';
    };
    const list = [1, 2, 3].map((number) => ({ content: `write file ${number}`, status: 'pending' }));
    const { chat, server } = await open((index) =>
      index === 0 ? { calls: [{ name: 'todo_write', arguments: { todos: list } }] } : { text: index === 1 ? slowly() : 'Shall I?' },
    );
    chat.send('write three files\r');
    await chat.waitFor('word 5 ');
    chat.send('/set todo-continuation false\r');
    await chat.waitFor('todo-continuation is now false');
    ended = true;
    await chat.waitFor(/todo-continuation is off, 3 of 3 open/u);
    await sleep(1_000); // the absence of a request cannot be waited for
    expect(server.requests).toHaveLength(2);
    chat.send('/why\r');
    await chat.waitFor('return (off)');
    expect(server.requests).toHaveLength(2);
  });
});
