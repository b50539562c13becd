import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  terminal = undefined;
});

/** Opens the chat in a trusted, empty folder, and waits for its prompt. */
async function open(args: readonly string[] = [], options: PtyOptions = {}): Promise<Terminal> {
  sandbox = createSandbox();
  terminal = startTerminal(['--trust', ...args], { cwd: sandbox.cwd, home: sandbox.home, ...options });
  await terminal.waitFor('Ask for something');
  return terminal;
}

/** Answers the approval whose box has the title and the text, as soon as the box takes answers: its keys are bright then. */
async function answer(chat: Terminal, key: string, title: string, text: string): Promise<void> {
  await chat.waitFor((screen) => screen.includes(`? Allow ${title}`) && screen.includes(text) && takesAnswers(chat));
  chat.send(key);
}

function takesAnswers(chat: Terminal): boolean {
  return chat.screen().includes('y yes') && !chat.isDim('y yes');
}

/** Waits until the text is there and nothing goes on any more: only then a key means what it means to an idle chat. */
async function finished(chat: Terminal, text: string): Promise<void> {
  await chat.waitFor((screen) => chat.scrollback().includes(text) && !screen.includes('Esc to stop'));
}

/** Types several lines with Ctrl+J between them, and sends them. */
function sendLines(chat: Terminal, lines: readonly string[]): void {
  chat.send(`\u001b[200~${lines.join('\n')}\u001b[201~`);
  chat.send('\r');
}

const sixItems = [
  '1. create `a.txt`',
  '```',
  'alpha',
  '```',
  '2. create `b.txt`',
  '```',
  'beta',
  '```',
  '3. replace `alpha` with `gamma` in `a.txt`',
  '4. run `cat a.txt b.txt`',
  '5. run `wc -l a.txt`',
  '6. read `b.txt`',
];

describe('a whole session with the built-in model', () => {
  it('works through a list, asks for approvals, and says why it ended', async () => {
    const chat = await open();
    sendLines(chat, sixItems);
    await answer(chat, 'y', 'write_file', 'a.txt (new file)');
    await answer(chat, 'y', 'write_file', 'b.txt (new file)');
    await answer(chat, 'y', 'edit_file', 'gamma');
    await finished(chat, '✓ All 6 todos done');
    expect(readFileSync(join(chat.cwd, 'a.txt'), 'utf8').trim()).toBe('gamma');
    const all = chat.scrollback();
    for (const count of ['0/6', '1/6', '3/6', '5/6', '6/6']) expect(all).toContain(count);
    expect(all.match(/✓ All 6 todos done/g)).toHaveLength(1);
    expect(all.match(/> 1\. create/g)).toHaveLength(1);
    chat.send('\u0003');
    await chat.waitFor('Ctrl+C again to exit');
    chat.send('\u0003');
    expect((await chat.exited).exitCode).toBe(0);
    expect(chat.raw().endsWith('\u001b[?25h\u001b[0m\u001b[23;0t') || chat.raw().includes('\u001b[?2004l')).toBe(true);
  });

  it('a no ends the run; keys typed before an approval never answer it', async () => {
    const chat = await open();
    sendLines(chat, ['1. run `touch made`']);
    chat.send('y');
    await chat.waitFor((screen) => screen.includes('> y') && takesAnswers(chat));
    await chat.waitForQuiet(500);
    expect(chat.screen()).toContain('y yes');
    chat.send('\u007f');
    await chat.waitFor((screen) => !screen.includes('> y') && takesAnswers(chat));
    chat.send('n');
    await chat.waitFor('⊘ shell touch made');
    await chat.waitFor(/^■ .+/mu);
    expect(() => readFileSync(join(chat.cwd, 'made'))).toThrow();
  });
});

describe('steering and queueing', () => {
  it('delivers at the next tool boundary, and queues for after the run', async () => {
    const server = await startModelServer((index) =>
      index < 3
        ? { calls: [{ name: 'shell', arguments: { command: `until [ -e go ]; do sleep 0.05; done; echo turn-${index}` } }] }
        : { text: `Answer ${index}.` },
    );
    closers.push(server.close);
    const chat = await open(server.args);
    chat.send('begin\r');
    await chat.waitFor('running shell');
    chat.send('also lint\r');
    await chat.waitFor('↳ next step: also lint');
    chat.send('then commit\u001b\r');
    await chat.waitFor('⋯ queued: then commit');
    writeFileSync(join(chat.cwd, 'go'), '');
    await chat.waitFor('↳ also lint');
    await chat.waitFor(/^> then commit$/mu);
    await chat.waitFor('Answer 4.');
    const texts = server.requests.map(({ body }) => body);
    expect(texts.findIndex((body) => body.includes('also lint'))).toBe(1);
    expect(texts.findIndex((body) => body.includes('then commit'))).toBe(4);
  });

  it('Esc stops a run once and brings back what was not delivered', async () => {
    const server = await startModelServer(() => ({ calls: [{ name: 'shell', arguments: { command: 'sleep 30' } }] }));
    closers.push(server.close);
    const chat = await open(server.args);
    chat.send('begin\r');
    await chat.waitFor('running shell');
    chat.send('more\r');
    await chat.waitFor('↳ next step: more');
    chat.send('\u001b');
    await chat.waitFor((screen) => screen.includes('> more') && !screen.includes('Esc to stop'));
    expect(server.requests).toHaveLength(1);
  });
});

describe('the input', () => {
  it('folds a paste of 100 KB, stays quick, and sends it whole', async () => {
    const server = await startModelServer(() => ({ text: 'Got it.' }));
    closers.push(server.close);
    const chat = await open(server.args);
    const text = Array.from({ length: 2_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`).join('\n');
    chat.send(`\u001b[200~${text}\u001b[201~`);
    await chat.waitFor('[Pasted #1: 2000 lines]');
    chat.send(' see?\r');
    await chat.waitFor('Got it.');
    expect(JSON.stringify(server.requests[0]?.messages)).toContain('line 1999 xxx');
  });

  it('leafs through the history, also of the session before', async () => {
    const server = await startModelServer((index) => ({ text: `Answer ${index}.` }));
    closers.push(server.close);
    const first = await open(server.args);
    first.send('first line\r');
    await finished(first, 'Answer 0.');
    first.send('second line\r');
    await finished(first, 'Answer 1.');
    first.send('\u0004');
    await first.exited;
    const again = startTerminal(['--trust', ...server.args], { cwd: first.cwd, home: first.home });
    closers.push(() => again.close());
    await again.waitFor('Ask for something');
    again.send('\u001b[A');
    await again.waitFor('> second line');
    again.send('\u001b[A');
    await again.waitFor('> first line');
    again.send('\u0012sec');
    await again.waitFor('search: sec → second line');
  });

  it('completes commands, settings and paths', async () => {
    const chat = await open();
    writeFileSync(join(chat.cwd, 'readme-first.md'), 'x');
    chat.send('/se');
    await chat.waitFor('› /set');
    chat.send('\t');
    chat.send('todo-c');
    await chat.waitFor('› todo-continuation');
    chat.send('\t');
    await chat.waitFor('> /set todo-continuation');
    chat.send('\u0015');
    chat.send('see @readme');
    await chat.waitFor('› @readme-first.md');
    chat.send('\t');
    await chat.waitFor('> see @readme-first.md');
  });

  it('takes keys that arrive in pieces', async () => {
    const chat = await open();
    chat.send('héllo 漢字 👩‍👩‍👧!');
    await chat.waitFor('> héllo 漢字');
    chat.send('\u007f\u007f\u007f');
    await chat.waitFor((screen) => /> héllo 漢字$/mu.test(screen));
    chat.send('\u001b[DX');
    await chat.waitFor('> héllo 漢X字');
    for (const piece of ['\u001b[200~ one', ' two\u001b', '[20', '1~', '.']) chat.send(piece);
    await chat.waitFor('> héllo 漢X one two.字');
  });
});
