import { describe, expect, it } from 'vitest';
import { createBuiltin } from '../../src/providers/builtin.ts';
import type { ProviderCall, ProviderEvent, ProviderRequest } from '../../src/providers/provider.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../src/types/messages.ts';

const tools = [{ name: 'todo_write', description: '', parameters: {} }];
type Answer = { readonly output: string; readonly isError?: boolean };
type Line = string;

/** A conversation with the built-in model whose tools are answered by `answer`; keeps one line for each thing that happened. */
function converse(model: string, answer: (call: ProviderCall) => Answer = () => ({ output: 'ok' })) {
  const provider = createBuiltin();
  const history: Message[] = [];
  const lines: Line[] = [];
  const respond = async (tail: readonly Message[] = []): Promise<{ text: string; calls: ProviderCall[] }> => {
    const request: ProviderRequest = { model, system: 's', messages: [...history, ...tail], tools };
    let text = '';
    const calls: ProviderCall[] = [];
    for await (const event of provider.stream(request, new AbortController().signal)) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'tool-call') calls.push(event.call);
    }
    return { text, calls };
  };
  const accept = (turn: { text: string; calls: ProviderCall[] }): void => {
    const origin = { provider: 'builtin', model };
    const message: AssistantMessage = {
      role: 'assistant',
      parts: [{ type: 'text', text: turn.text, origin }, ...turn.calls.map((call) => ({ type: 'tool-call' as const, ...call, origin }))],
    };
    history.push(message);
    for (const call of turn.calls) {
      const { output, isError = false } = answer(call);
      const result: ToolMessage = { role: 'tool', callId: call.callId, name: call.name, output, isError };
      history.push(result);
      lines.push(lineOf(call));
    }
  };
  /** Turns until the model makes no more calls or pauses; the text of the last turn. */
  const run = async (text: string | undefined, reminder?: string): Promise<string> => {
    if (text !== undefined) history.push({ role: 'user', kind: 'prompt', text });
    let tail: Message[] = reminder === undefined ? [] : [{ role: 'user', kind: 'reminder', text: reminder }];
    for (let turns = 0; turns < 100; turns += 1) {
      const turn = await respond(tail);
      tail = [];
      accept(turn);
      if (turn.calls.length === 0 || turn.calls.some((call) => call.name === 'todo_pause')) return turn.text;
    }
    throw new Error('the model never stops');
  };
  return { history, lines, run, respond };
}

function lineOf(call: ProviderCall): Line {
  if (call.name === 'todo_write') {
    const todos = call.arguments.todos as { status: string }[];
    return `todo_write ${todos.map((todo) => ({ pending: '.', in_progress: '>', completed: 'x' })[todo.status] ?? '?').join('')}`;
  }
  return `${call.name} ${String(call.arguments.command ?? call.arguments.path ?? call.arguments.pattern ?? call.arguments.reason ?? '')}`;
}

const list =
  'Do this:\n1. create `a.txt`\n```\nhello\n```\n2. replace `hello` with `bye` in `a.txt`\n3. run `cat a.txt`\n4. `false` must fail';
const world = (call: ProviderCall): Answer =>
  call.arguments.command === 'false'
    ? { output: 'exit code 1\n', isError: true }
    : { output: call.name === 'shell' ? 'exit code 0\nbye' : 'ok' };

describe('the checklist model', () => {
  it('does one item after the other and closes each', async () => {
    const talk = converse('checklist', world);
    const last = await talk.run(list);
    expect(talk.lines).toEqual([
      'todo_write >...',
      'write_file a.txt',
      'todo_write x>..',
      'read_file a.txt',
      'edit_file a.txt',
      'todo_write xx>.',
      'shell cat a.txt',
      'todo_write xxx>',
      'shell false',
      'todo_write xxxx',
    ]);
    expect(last).toContain('3. run `cat a.txt` – exit code 0: bye');
    expect(last).toContain('4. `false` must fail – exit code 1');
  });

  it('stops at a command that fails, with the item and the reason, and tries again when told to go on', async () => {
    let broken = true;
    const talk = converse('checklist', (call) =>
      call.name === 'shell' && broken ? { output: 'exit code 2\nno such file', isError: true } : { output: 'ok' },
    );
    await talk.run('1. run `make it`\n2. run `later`');
    expect(talk.lines).toEqual([
      'todo_write >.',
      'shell make it',
      "todo_pause Item 'run `make it`': `make it` failed: exit code 2, no such file",
    ]);
    broken = false;
    await talk.run('continue');
    expect(talk.lines.slice(3)).toEqual(['shell make it', 'todo_write x>', 'shell later', 'todo_write xx']);
  });

  it.each<[string, string, Answer, string]>([
    ['an item that it cannot do', '- make it pretty', { output: 'ok' }, 'names no command'],
    ['a command that was to fail and did not', '- `true` must fail', { output: 'exit code 0' }, 'was to fail, but it succeeded'],
    ['a refusal', '- `false` must fail', { output: 'Refused by the user: not now', isError: true }, 'Refused by the user: not now'],
    ['a file that is not there', '- read `gone.txt`', { output: 'gone.txt does not exist', isError: true }, 'gone.txt does not exist'],
  ])('pauses at %s', async (_, prompt, answer, reason) => {
    const talk = converse('checklist', (call) => (call.name.startsWith('todo_') ? { output: 'ok' } : answer));
    await talk.run(prompt);
    expect(talk.lines.at(-1)).toContain('todo_pause');
    expect(talk.lines.at(-1)).toContain(reason);
  });

  it('keeps the unfinished items of an earlier list behind a new one', async () => {
    const talk = converse('checklist', (call) =>
      call.arguments.command === 'bad' ? { output: 'exit code 1', isError: true } : { output: 'ok' },
    );
    await talk.run('1. run `bad`\n2. run `b`');
    await talk.run('- run `new`');
    expect(talk.lines.slice(3, 5)).toEqual(['todo_write >..', 'shell new']);
    expect(talk.lines.at(-1)).toContain('`bad` failed');
  });

  it('says without a list what it can do, and how to connect a model', async () => {
    const talk = converse('checklist');
    const text = await talk.run('What is the meaning of life?');
    expect(talk.lines).toEqual([]);
    for (const way of ['not a language model', 'OPENAI_API_KEY', 'GEMINI_API_KEY', '--provider ollama', '--base-url'])
      expect(text).toContain(way);
  });

  it('answers a side question without touching the open list', async () => {
    const talk = converse('checklist', () => ({ output: 'exit code 1', isError: false }));
    await talk.run('- `x` must fail\n- run `y`');
    expect(await talk.run('what does foo do?')).toContain('2 items of the list are still open');
  });

  it('asks for the list when it is told to go on and knows none', async () => {
    const talk = converse('checklist', (call) => ({
      output:
        call.name === 'todo_read'
          ? 'List version 3: 1 of 2 completed, 1 open\n4 [pending] (high) run `a` (note: soon)\n7 [completed] run `b`'
          : 'ok',
    }));
    await talk.run('continue');
    expect(talk.lines).toEqual(['todo_read ', 'todo_write >x', 'shell a', 'todo_write xx']);
  });

  it('carries on after a compaction, from a summary of its own making', async () => {
    const talk = converse('checklist', world);
    talk.history.push({ role: 'user', kind: 'prompt', text: `- run \`cat a.txt\`\n- create \`b.txt\`\n\`\`\`\nblock\n\`\`\`` });
    const first = await talk.respond();
    const origin = { provider: 'builtin', model: 'checklist' };
    talk.history.push({ role: 'assistant', parts: first.calls.map((call) => ({ type: 'tool-call' as const, ...call, origin })) });
    for (const call of first.calls)
      talk.history.push({ role: 'tool', callId: call.callId, name: call.name, ...world(call), isError: false });
    let summary = '';
    const ask: ProviderRequest = { model: 'checklist', system: '', messages: talk.history, tools: [] };
    for await (const event of createBuiltin().stream(ask, new AbortController().signal))
      if (event.type === 'text-delta') summary += event.text;
    talk.history.splice(0, talk.history.length, { role: 'user', kind: 'summary', text: summary });
    await talk.run(undefined, 'go on');
    expect(talk.lines).toEqual(['shell cat a.txt', 'todo_write x>', 'write_file b.txt', 'todo_write xx']);
  });

  it('reads the list that the engine re-states behind a summary, and nothing else of it', async () => {
    const talk = converse('checklist', world);
    const text = [
      '[Summary of the conversation so far]',
      'The list so far:',
      '1. [completed] run `old`',
      '2. [pending] create `b.txt`\n```\nblock\n```',
      '3. [pending] run `cat a.txt`',
      'Files read: a.txt',
      'Todo list as it stands now:',
      '- [completed] 1: run `old`',
      '- [in_progress] 2: create `b.txt` (in a hurry)',
      '- [pending] 3: run `cat a.txt`',
    ].join('\n');
    talk.history.push({ role: 'user', kind: 'summary', text });
    await talk.run(undefined, 'go on');
    expect(talk.lines).toEqual(['write_file b.txt', 'todo_write xx>', 'shell cat a.txt', 'todo_write xxx']);
  });

  it('takes no list of long ago from a summary', async () => {
    const talk = converse('checklist');
    talk.history.push({ role: 'user', kind: 'summary', text: 'User: 1. run `a`\n2. run `b`' });
    expect(await talk.run('and now?')).not.toContain('still open');
    expect(talk.lines).toEqual([]);
  });

  it('gives the same events for the same history', async () => {
    const request: ProviderRequest = { model: 'checklist', system: '', messages: [{ role: 'user', kind: 'prompt', text: list }], tools };
    const once = async (): Promise<ProviderEvent[]> => {
      const events: ProviderEvent[] = [];
      for await (const event of createBuiltin().stream(request, new AbortController().signal)) events.push(event);
      return events;
    };
    expect(await once()).toEqual(await once());
    expect((await once()).at(-1)).toEqual({ type: 'finish', finish: 'tool-calls' });
  });

  it('names its models when asked for another', async () => {
    const events: ProviderEvent[] = [];
    const request: ProviderRequest = { model: 'gpt', system: '', messages: [], tools };
    for await (const event of createBuiltin().stream(request, new AbortController().signal)) events.push(event);
    expect(events).toEqual([
      {
        type: 'error',
        error: {
          kind: 'bad-request',
          message: "The built-in provider has no model 'gpt'. Accepted: checklist, checklist-lazy, checklist-forgetful.",
          retryable: false,
        },
      },
    ]);
  });
});

describe('checklist-lazy', () => {
  it('asks after each item and goes on when nudged, by a reminder or by the user', async () => {
    const talk = converse('checklist-lazy');
    expect(await talk.run('1. run `a`\n2. run `b`\n3. run `c`')).toContain('Shall I continue?');
    expect(talk.lines).toEqual(['todo_write >..', 'shell a', 'todo_write x..']);
    expect(await talk.run(undefined, 'You have an active task')).toContain('Shall I continue?');
    expect(talk.lines.slice(3)).toEqual(['todo_write x>.', 'shell b', 'todo_write xx.']);
    expect(await talk.run('yes')).toContain('Finished.');
    expect(talk.lines.slice(6)).toEqual(['todo_write xx>', 'shell c', 'todo_write xxx']);
  });
});

describe('checklist-forgetful', () => {
  it('does the work but closes the item only when reminded', async () => {
    const talk = converse('checklist-forgetful');
    await talk.run('1. run `a`\n2. run `b`');
    expect(talk.lines).toEqual(['todo_write >.', 'shell a']);
    await talk.run(undefined, 'mark it completed');
    expect(talk.lines.slice(2)).toEqual(['todo_write x>', 'shell b']);
    await talk.run(undefined, 'mark it completed');
    expect(talk.lines.slice(4)).toEqual(['todo_write xx']);
  });
});
