import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './helpers/home.ts';
import { type Answer, listCall, type ModelServer, type SeenRequest, startModelServer, workCall } from './helpers/model-server.ts';
import { type RunResult, run } from './helpers/run.ts';

let server: ModelServer | undefined;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await server?.close();
  sandbox?.remove();
  server = undefined;
  sandbox = undefined;
});

type Played = RunResult & { readonly requests: readonly SeenRequest[]; readonly cwd: string; readonly files: number };

/** Runs one prompt against a machine and says how it went. */
async function play(
  machine: (index: number, request: SeenRequest) => Answer,
  prompt = 'Do the list.',
  extra: readonly string[] = [],
): Promise<Played> {
  server = await startModelServer(machine);
  sandbox = createSandbox();
  writeFileSync(join(sandbox.cwd, 'README.md'), '# Hello\n');
  const result = await run(['-p', prompt, ...server.args, ...extra], { cwd: sandbox.cwd, home: sandbox.home, timeoutMs: 240_000 });
  const files = readdirSync(sandbox.cwd).filter((name) => /^file-\d+\.txt$/u.test(name)).length;
  return { ...result, requests: server.requests, cwd: sandbox.cwd, files };
}

describe('a model that stops with work left, one-shot, through the official client', () => {
  // 301 requests of ever longer histories, each with its places in the log that are waited for
  it.for([5, 30, 100])('stops after each of %i items: one extra request per stop', { timeout: 300_000 }, async (total) => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(total, 0)] };
      const item = Math.floor((index - 1) / 3) + 1;
      if (index % 3 === 1) return { calls: [workCall(item)] };
      if (index % 3 === 2) return { calls: [listCall(total, item)] };
      return { text: `Item ${item} is done. Shall I continue?` };
    });
    expect(played.stderr).toContain(`All ${total} todos done`);
    expect(played.code).toBe(0);
    expect(played.files).toBe(total);
    expect(played.requests).toHaveLength(1 + 3 * total);
  });

  it('stops right after making the list: one extra request', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(5, 0)] };
      if (index === 1) return { text: 'Here is my plan. May I start?' };
      const step = index - 2;
      const item = Math.floor(step / 2) + 1;
      if (item > 5) return { text: 'All files are written.' };
      return { calls: [step % 2 === 0 ? workCall(item) : listCall(5, item)] };
    });
    expect(played).toMatchObject({ code: 0, files: 5, stdout: 'All files are written.\n' });
    expect(played.requests).toHaveLength(1 + 1 + 10 + 1);
  });

  it('stops in the middle: one extra request', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(5, 0)] };
      if (index === 5) return { text: 'Two are done, three to go. Continue?' };
      const step = index < 5 ? index - 1 : index - 2;
      const item = Math.floor(step / 2) + 1;
      if (item > 5) return { text: 'Done.' };
      return { calls: [step % 2 === 0 ? workCall(item) : listCall(5, item)] };
    });
    expect(played).toMatchObject({ code: 0, files: 5 });
    expect(played.requests).toHaveLength(1 + 10 + 1 + 1);
  });

  it('does the work and leaves the last item in progress: asked once, then done', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(2, 0, true)] };
      if (index === 1) return { calls: [workCall(1)] };
      if (index === 2) return { calls: [listCall(2, 1, true)] };
      if (index === 3) return { calls: [workCall(2)] };
      if (index === 4) return { text: 'Both files are written.' };
      if (index === 5) return { calls: [listCall(2, 2)] };
      return { text: 'Both files are written, and the list is closed.' };
    });
    expect(played).toMatchObject({ code: 0, files: 2, stdout: 'Both files are written, and the list is closed.\n' });
    expect(played.requests).toHaveLength(7);
  });
});

describe('the three traps cost exactly this, say why, and exit with 60', () => {
  const same = { calls: [listCall(5, 0)] };
  it.each<{ trap: string; machine: (index: number) => Answer; requests: number; why: RegExp }>([
    {
      trap: 'only talk',
      machine: (index) => (index === 0 ? same : { text: 'Working on it!' }),
      requests: 5,
      why: /3 continuations without progress, 5 of 5 open/,
    },
    {
      trap: 'the same list again and then talk',
      machine: (index) => (index === 0 || index % 2 === 0 ? same : { text: 'On it.' }),
      requests: 8,
      why: /3 continuations without progress, 5 of 5 open/,
    },
    { trap: 'only the same list', machine: () => same, requests: 7, why: /repeats itself: the same call 5 times in a row.*5 of 5 open/ },
  ])('$trap: $requests requests', async ({ machine, requests, why }) => {
    const played = await play(machine);
    expect(played.requests).toHaveLength(requests);
    expect(played.code).toBe(60);
    expect(played.stderr).toMatch(why);
  });

  it('--exit-zero-unfinished makes it 0', async () => {
    const played = await play(() => same, 'Do the list.', ['--exit-zero-unfinished']);
    expect(played.code).toBe(0);
  });
});

describe('switched off there are no extra requests', () => {
  const machine = (index: number): Answer => (index === 0 ? { calls: [listCall(3, 0)] } : { text: 'Shall I start?' });
  it.each<{ way: string; extra: readonly string[] }>([
    { way: '--no-auto-complete-todos', extra: ['--no-auto-complete-todos'] },
    { way: '--max-todo-continuations 0', extra: ['--max-todo-continuations', '0'] },
  ])('$way', async ({ extra }) => {
    const played = await play(machine, 'Do the list.', extra);
    expect(played.requests).toHaveLength(2);
    expect(played.code).toBe(extra.length === 1 ? 61 : 60);
  });
});

describe('the four manual tests of the first plan', () => {
  it('1: a todo with two tasks, copy a file and verify it', async () => {
    const list = (done: number): Answer['calls'] => [
      {
        name: 'todo_write',
        arguments: {
          todos: ['copy README.md to test.md', 'verify it exists'].map((content, at) => ({
            content,
            status: at < done ? 'completed' : 'pending',
          })),
        },
      },
    ];
    const played = await play((index) => {
      switch (index) {
        case 0:
          return { calls: list(0) ?? [] };
        case 1:
          return { calls: [{ name: 'shell', arguments: { command: 'cp README.md test.md' } }] };
        case 2:
          return { calls: list(1) ?? [] };
        case 3:
          return { calls: [{ name: 'shell', arguments: { command: 'ls test.md' } }] };
        case 4:
          return { calls: list(2) ?? [] };
        default:
          return { text: 'Copied and verified.' };
      }
    }, 'Create a todo with 2 tasks: copy README.md to test.md and verify it exists. Complete both tasks.');
    expect(played).toMatchObject({ code: 0, stdout: 'Copied and verified.\n' });
    expect(played.requests).toHaveLength(6);
    expect(readFileSync(join(played.cwd, 'test.md'), 'utf8')).toBe('# Hello\n');
  });

  it('2: a task of several steps, worked through without a loop', async () => {
    const played = await play((index) => {
      if (index === 0) return { text: 'First the list.', calls: [listCall(3, 0)] };
      if (index % 2 === 1 && index < 6) return { calls: [workCall((index + 1) / 2)] };
      if (index < 7) return { calls: [listCall(3, index / 2)] };
      return { text: 'Translated.' };
    }, 'copy README.md using shell and translate it, keeping code blocks in English');
    expect(played).toMatchObject({ code: 0, files: 3, stdout: 'Translated.\n' });
    expect(played.requests).toHaveLength(8);
  });

  it('3: three todos, the first completed, and the rest is not dropped', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(3, 0)] };
      if (index === 1) return { calls: [workCall(1)] };
      if (index === 2) return { calls: [listCall(3, 1)] };
      if (index === 3) return { text: 'The first one is completed.' };
      if (index < 6) return { calls: [workCall(index - 2)] };
      if (index === 6) return { calls: [listCall(3, 3)] };
      return { text: 'All three are completed.' };
    }, 'Create 3 todos and complete the first one');
    expect(played).toMatchObject({ code: 0, files: 3 });
    expect(played.requests).toHaveLength(8);
  });

  it('4: todo_pause returns to the user at once', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(2, 0)] };
      if (index === 1) return { calls: [{ name: 'read_file', arguments: { path: 'missing.txt' } }] };
      return { calls: [{ name: 'todo_pause', arguments: { reason: 'missing.txt does not exist' } }] };
    }, 'Create a todo that requires a missing file, then pause');
    expect(played.code).toBe(61);
    expect(played.stderr).toContain('Paused: missing.txt does not exist, 2 of 2 open. tilldone -c -p to go on');
    expect(played.requests).toHaveLength(3);
    expect(existsSync(join(played.cwd, 'file-1.txt'))).toBe(false);
  });
});
