import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './helpers/home.ts';
import { type Answer, listCall, type ModelServer, type SeenRequest, startModelServer, workCall } from './helpers/model-server.ts';
import { run } from './helpers/run.ts';

let server: ModelServer | undefined;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await server?.close();
  sandbox?.remove();
});

async function play(
  machine: (index: number) => Answer,
  prompt: string,
  extra: readonly string[] = [],
): Promise<{ requests: readonly SeenRequest[]; code: number | null; stdout: string; log: string }> {
  server = await startModelServer(machine);
  sandbox = createSandbox();
  const { code, stdout } = await run(['-p', prompt, ...server.args, ...extra], { cwd: sandbox.cwd, home: sandbox.home });
  const logs = globSync('**/*.jsonl', { cwd: sandbox.home, absolute: true, dot: true });
  return { requests: server.requests, code, stdout, log: logs.map((path) => readFileSync(path, 'utf8')).join('') };
}

const tail = (request: SeenRequest | undefined): string => JSON.stringify(request?.messages.at(-1));
const fourTasks = '1. write the parser\n2. write its tests\n3. update the docs\n4. make a release';

describe('reminders ride at the tail of one request and stay nowhere', () => {
  it('asks for a list when the request is complex, once', async () => {
    const played = await play((index) => (index < 2 ? { calls: [workCall(index)] } : { text: 'Done.' }), fourTasks);
    expect(tail(played.requests[0])).toContain('todo list that organizes this effort');
    expect(played.requests.slice(1).map(tail).join()).not.toContain('organizes this effort');
  });

  it('reminds to update after a write and its tool shared a turn', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(1, 0, true), workCall(1)] };
      if (index === 1) return { calls: [listCall(1, 1)] };
      return { text: 'Done.' };
    }, 'Write a file.');
    expect(tail(played.requests[1])).toContain("If 'write file 1' is finished, mark it completed with todo_write; otherwise carry on.");
    expect(tail(played.requests[2])).not.toContain('otherwise carry on');
    expect(played.code).toBe(0);
  });

  it('the nudge names the task, and no reminder is in a later request, in the log or in the output', async () => {
    const played = await play((index) => {
      if (index === 0) return { calls: [listCall(2, 0)] };
      if (index === 1) return { text: 'May I?' };
      if (index === 2) return { calls: [workCall(1), workCall(2), listCall(2, 2)] };
      return { text: 'Finished.' };
    }, 'Write two files.');
    expect(tail(played.requests[2])).toContain("You have an active task: 'write file 1'. Continue working on this task.");
    expect(JSON.stringify(played.requests[3]?.messages)).not.toContain('You have an active task');
    expect(played.log).toContain('attempt-retry');
    expect(played.log).not.toContain('You have an active task');
    expect(played.stdout).toBe('Finished.\n');
  });
});
