import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mechanicalSummary, planCompaction, summaryMessage, touchedFiles, trimToolOutputs } from '../../src/core/compaction.ts';
import { createBuiltin } from '../../src/providers/builtin.ts';
import type { ProviderRequest } from '../../src/providers/provider.ts';
import { todoPause } from '../../src/tools/todo-pause.ts';
import { todoRead } from '../../src/tools/todo-read.ts';
import { todoWrite } from '../../src/tools/todo-write.ts';
import { defineTool, success } from '../../src/tools/tool.ts';
import type { AssistantPart, Message } from '../../src/types/messages.ts';
import type { Todo } from '../../src/types/todos.ts';
import { looking, testEngine, write } from '../helpers/engine.ts';

const origin = { provider: 'test', model: 'test' };
const said = (text: string, ...calls: readonly { id: string; name: string; path?: string }[]): Message => ({
  role: 'assistant',
  parts: [
    { type: 'text', text, origin },
    ...calls.map(
      ({ id, name, path }): AssistantPart => ({
        type: 'tool-call',
        callId: id,
        name,
        arguments: path === undefined ? {} : { path },
        origin,
      }),
    ),
  ],
});
const result = (id: string, output: string): Message => ({ role: 'tool', callId: id, name: 'look', output, isError: false });
const user = (text: string): Message => ({ role: 'user', kind: 'prompt', text });
const todo = (content: string, status: Todo['status']): Todo => ({ id: content, content, status, priority: 'medium' });

describe('planCompaction', () => {
  const history = [
    user('one'),
    said('a', { id: '1', name: 'look' }),
    result('1', 'x'.repeat(3500)),
    said('b', { id: '2', name: 'look' }),
    result('2', 'y'.repeat(700)),
    said('c'),
  ];

  it.each<[string, number, number]>([
    ['keeps at least the last message of a person or the model', 1, 1],
    ['never parts a call from its result', 100, 1],
    ['keeps whole turns as long as they fit', 300, 3],
    ['keeps everything when there is room', 100_000, 6],
  ])('%s', (_rule, keepTokens, kept) => {
    const { old, recent } = planCompaction(history, keepTokens);
    expect(recent).toHaveLength(kept);
    expect([...old, ...recent]).toEqual(history);
    expect(recent[0]?.role).not.toBe('tool');
  });
});

describe('trimToolOutputs', () => {
  const history = [result('1', 'x'.repeat(5000)), result('2', 'y'.repeat(5000)), said('a'), said('b')];
  it('cuts the oldest first, and only as many as needed', () => {
    const [first, second] = trimToolOutputs(history, { targetTokens: 2000, keepMessages: 2 });
    expect(first).toMatchObject({ output: expect.stringContaining('[… 4600 characters dropped to save context]') });
    expect(second).toBe(history[1]);
  });
  it('leaves the last messages whole', () => {
    expect(trimToolOutputs(history, { targetTokens: 0, keepMessages: 4 })).toEqual(history);
  });
});

describe('what stands for the old part', () => {
  it('names the files that were read and changed', () => {
    const history = [
      said(
        '',
        { id: '1', name: 'read_file', path: 'a.ts' },
        { id: '2', name: 'edit_file', path: 'a.ts' },
        { id: '3', name: 'write_file', path: 'b.ts' },
      ),
    ];
    expect(touchedFiles(history)).toEqual({ read: ['a.ts'], changed: ['a.ts', 'b.ts'] });
  });
  it('keeps the newest prompt word for word, older ones cut', () => {
    const text = mechanicalSummary([user('o'.repeat(3000)), user('n'.repeat(3000)), said('I did it.')]);
    expect(text).toBe(`User: ${'o'.repeat(1000)}\nUser: ${'n'.repeat(3000)}\nYou last said: I did it.`);
  });
  it.each<[string, readonly Todo[], boolean]>([
    ['an active list is stated again', [todo('a', 'completed'), todo('b', 'pending')], true],
    ['a finished list is not', [todo('a', 'completed'), todo('b', 'cancelled')], false],
    ['a list with only blocked items is not', [todo('a', 'blocked')], false],
  ])('%s', (_rule, todos, stated) => {
    const { text } = summaryMessage({ summary: 'S', old: [], todos, pause: 'why' });
    expect(text.includes('Todo list as it stands now')).toBe(stated);
    expect(text.includes('Work is paused: why')).toBe(stated);
  });
});

/** How often the list stands in a request outside the results of the todo tools. */
const listings = (request: ProviderRequest | undefined): number =>
  request?.messages.filter((message) => message.role === 'user' && message.text.includes('Todo list as it stands now')).length ?? 0;

describe('compaction in the engine', () => {
  const isSummary = (request: ProviderRequest): boolean => request.tools.length === 0;

  it('19: a context-length error compacts once and goes on; a second one in a row ends with context-limit', async () => {
    const tooLong = { error: { kind: 'context-length' as const, message: 'too long', retryable: false } };
    let failures = 1;
    const machine = (request: ProviderRequest) => {
      if (isSummary(request)) return { text: 'the summary' };
      if (failures > 0 && request.messages.length > 2) {
        failures -= 1;
        return tooLong;
      }
      return request.messages.length > 1 ? { text: 'Done.' } : { calls: [looking('a'.repeat(4000))] };
    };
    const once = testEngine(machine);
    expect(await once.play('look at it')).toBe('no-list 0');
    expect(once.collector.count('compaction')).toBe(1);
    failures = 2;
    const twice = testEngine(machine);
    expect(await twice.play('look at it')).toBe('context-limit 62');
    expect(twice.collector.count('compaction')).toBe(1);
  });

  it('Esc at the moment of the error: no summary is asked for', async () => {
    const engine = testEngine([
      { calls: [looking('a'.repeat(4000))] },
      { error: { kind: 'context-length', message: 'too long', retryable: false } },
    ]);
    engine.recorder.subscribe((event) => {
      if (event.type === 'error') engine.service.interrupt();
    });
    expect(await engine.play('look at it')).toBe('aborted 130');
    expect(engine.requestCount()).toBe(2);
  });

  it('26: compaction in mid list states it once; a finished list is not stated', async () => {
    let turn = 0;
    const active = testEngine(
      (request) => {
        if (isSummary(request)) return { text: 'the summary' };
        turn += 1;
        if (turn === 1) return { calls: [write('a', 'b')] };
        if (turn < 6) return { calls: [looking(`${turn} ${'x'.repeat(4000)}`)] };
        return turn === 6 ? { calls: [write(['a', 'completed'], ['b', 'completed'])] } : { text: 'Done.' };
      },
      { contextWindow: 4_000 },
    );
    expect(await active.play('do it')).toBe('done 0');
    expect(active.collector.count('compaction')).toBeGreaterThan(0);
    const after = active.provider.requests.filter((request) => !isSummary(request) && JSON.stringify(request).includes('the summary'));
    expect(after.length).toBeGreaterThan(0);
    expect(after.every((request) => listings(request) === 1)).toBe(true);

    const finished = testEngine(
      (request) => {
        if (isSummary(request)) return { text: 'the summary' };
        const { length } = request.messages;
        if (length === 1) return { calls: [write(['a', 'completed'])] };
        return length < 12 && !JSON.stringify(request).includes('the summary')
          ? { calls: [looking(`${length} ${'x'.repeat(4000)}`)] }
          : { text: 'Done.' };
      },
      { contextWindow: 4_000 },
    );
    await finished.play('do it');
    expect(finished.collector.count('compaction')).toBeGreaterThan(0);
    expect(finished.provider.requests.map(listings)).not.toContain(1);
  });

  it.each<[string, number, number, string]>([
    ['a half-full window is not compacted by default', 0.8, 0.9, 'no-list 0, 0 compactions'],
    ['compact-at is reached', 0.5, 0.9, 'no-list 0, 1 compactions'],
    ['stop-at is reached first: compaction is tried, and there is room', 0.8, 0.5, 'no-list 0, 1 compactions'],
    ['both are off at 1', 1, 1, 'no-list 0, 0 compactions'],
    ['stop-at is reached first, and compaction does not help', 1, 0.1, 'context-limit 62, 1 compactions'],
  ])('%s: compact-at %d, stop-at %d', async (_name, compactAt, stopAt, expected) => {
    let reads = 0;
    const engine = testEngine(
      (request) => {
        if (isSummary(request)) return { text: 'long '.repeat(1000) };
        reads += 1;
        return reads <= 5 ? { calls: [looking(`${reads} `.repeat(1500))] } : { text: 'Done.' };
      },
      { contextWindow: 16_000, settings: { 'compact-at': compactAt, 'stop-at': stopAt } },
    );
    const ended = await engine.play('a question');
    expect(`${ended}, ${engine.collector.count('compaction')} compactions`).toBe(expected);
  });

  it('a window that stays full ends with context-limit after two compactions in vain', async () => {
    const engine = testEngine((request) => (isSummary(request) ? { text: 'long '.repeat(3000) } : { calls: [looking('same')] }), {
      contextWindow: 1_000,
    });
    expect(await engine.play('x'.repeat(3000))).toBe('context-limit 62');
    expect(engine.collector.count('compaction')).toBeLessThanOrEqual(2);
  });

  it('what the summary cost counts against the caps of the prompt', async () => {
    const engine = testEngine(
      (request) => {
        if (isSummary(request)) return [{ text: 'the summary' }, { usage: { inputTokens: 700, outputTokens: 30 } }];
        return request.messages.length === 1 ? { calls: [looking('y'.repeat(12_000))] } : { text: 'Done.' };
      },
      { contextWindow: 4_000 },
    );
    await engine.play('a question');
    expect(engine.recorder.state.prompt.tokens).toBe(730);
  });

  it('a summary that fails falls back to a mechanical one', async () => {
    const engine = testEngine(
      (request) => {
        if (isSummary(request)) return { error: 'no summary today' };
        return request.messages.length === 1 ? { calls: [looking('y'.repeat(12_000))] } : { text: 'Done.' };
      },
      { contextWindow: 4_000 },
    );
    await engine.play('a question');
    expect(engine.collector.last('compaction')).toMatchObject({ method: 'mechanical', trigger: 'auto' });
  });

  it('a list of 100 items over three forced compactions with the lazy model: done, every item once', async () => {
    const ran: string[] = [];
    const shell = defineTool({
      name: 'shell',
      kind: 'act',
      description: 'Runs.',
      schema: () => z.object({ command: z.string() }),
      prepare: async ({ command }, { cwd }) => ({
        effects: [{ kind: 'command', command, cwd }],
        run: async () => {
          ran.push(command);
          return success('exit code 0\nfine');
        },
      }),
    });
    const items = Array.from({ length: 100 }, (_, index) => `echo ${index + 1}`);
    const engine = testEngine([], {
      tools: [shell, todoWrite, todoRead, todoPause],
      model: { provider: createBuiltin(), name: 'checklist-lazy' },
      contextWindow: 100_000,
    });
    expect(await engine.play(items.map((command, index) => `${index + 1}. run \`${command}\``).join('\n'))).toBe('done 0');
    expect(engine.collector.count('compaction')).toBeGreaterThanOrEqual(3);
    expect(ran).toEqual(items);
  });
});
