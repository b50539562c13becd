import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { streamTurn, type TurnResult } from '../../src/core/client.ts';
import { createRecorder } from '../../src/core/recorder.ts';
import { buildRequest } from '../../src/core/request.ts';
import { newSessionState } from '../../src/core/session-state.ts';
import type { ContinuationDecision } from '../../src/follow-through/decide-continuation.ts';
import { createScripted, type Script, type ScriptedProvider } from '../../src/providers/scripted.ts';
import { defaultSettings, looking, testEngine, write } from '../helpers/engine.ts';
import { createEventCollector } from '../helpers/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { called, dropped, ended, prompt, said } from './outline.ts';
import { reminderOf } from './scripts.ts';

const goOn: ContinuationDecision = {
  kind: 'continue',
  todo: { id: '1', content: 'a', status: 'pending', priority: 'medium' },
  passedOver: undefined,
  strength: 'gentle',
};
const done: ContinuationDecision = { kind: 'return', reason: 'done' };

type Streamed = {
  readonly result: TurnResult;
  readonly provider: ScriptedProvider;
  readonly outline: readonly string[];
  readonly tokens: number;
};

/** One turn of the client alone; `decision` is what the gates would say. */
async function stream(
  script: Script,
  {
    decision = goOn,
    settings = {},
    abortAfterMs,
  }: { decision?: ContinuationDecision; settings?: Partial<Settings>; abortAfterMs?: number } = {},
): Promise<Streamed> {
  const clock = createFakeClock();
  const provider = createScripted(script, { clock });
  const recorder = createRecorder(newSessionState(), { append: async () => {} });
  const collector = createEventCollector();
  recorder.subscribe(collector.emit);
  const controller = new AbortController();
  const streaming = streamTurn(
    {
      recorder,
      settings: () => defaultSettings(settings),
      decide: () => decision,
      capReached: () => false,
      elapsedMs: () => 0,
      retryReminder: (cause) => ({ text: `nudge for ${cause}`, marks: [] }),
      costOf: () => 0.5,
    },
    {
      runId: 'run',
      turn: 1,
      provider,
      origin: { provider: 'scripted', model: 'm' },
      reminder: undefined,
      request: (reminder) =>
        buildRequest({ model: 'm', system: '', history: [{ role: 'user', kind: 'prompt', text: 'go' }], tools: [], reminder }),
      signal: controller.signal,
    },
  );
  if (abortAfterMs !== undefined) {
    await clock.advance(abortAfterMs);
    controller.abort();
  }
  await clock.advance(60_000);
  const result = await streaming;
  return { result, provider, outline: collector.outline(), tokens: recorder.state.prompt.tokens };
}

describe('the four cases of the client loop', () => {
  it('allows tool-driven progress without looping', async () => {
    const { provider, outline, result } = await stream([[{ text: 'Reading.' }, { calls: [looking('x')] }]]);
    expect(provider.requests).toHaveLength(1);
    expect(outline).toEqual([
      'turn-start',
      'draft-delta Reading.',
      'text-delta Reading.',
      'tool-call look',
      'turn-end tool-calls',
      'finish tool-calls',
    ]);
    expect(result.message.parts.map((part) => part.type)).toEqual(['text', 'tool-call']);

    const engine = testEngine([
      [{ text: 'Plan.' }, { calls: [write('a')] }],
      [{ text: 'Reading.' }, { calls: [looking('x')] }],
      { calls: [write(['a', 'completed'])] },
      { text: 'ok' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.requestCount()).toBe(4);
    expect(engine.collector.count('attempt-retry')).toBe(0);
    expect(engine.collector.count('finish')).toBe(4);
  });

  it('retries once when no tool work and todos unchanged', async () => {
    const { provider, outline, result } = await stream([{ text: 'Shall I go on?' }, { text: 'I wait.' }]);
    expect(provider.requests.map(reminderOf)).toEqual([undefined, 'nudge for open-todos']);
    expect(outline).toEqual([...dropped('Shall I go on?'), ...said('I wait.', { reminded: true })]);
    expect(result).toMatchObject({ finish: 'stop', isEmpty: false, place: { attempt: 2 } });
    expect(JSON.stringify(provider.requests[1])).not.toContain('Shall I go on?');
  });

  it('does not retry after todo_pause', async () => {
    const engine = testEngine([
      { calls: [write('a')] },
      [{ text: 'I am stuck.' }, { calls: [{ name: 'todo_pause', arguments: { reason: 'no file' } }] }],
    ]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.requestCount()).toBe(2);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:pending' }),
      'turn-start',
      'draft-delta I am stuck.',
      'text-delta I am stuck.',
      ...called('todo_pause').slice(1).toSpliced(-1, 0, 'pause model no file'),
      ...ended('paused', 'paused 61'),
    ]);
  });

  it('duplicate todo write still triggers override retry', async () => {
    const engine = testEngine([
      { calls: [write('a')] },
      { calls: [write('a')] },
      { text: 'The list is up to date.' },
      { calls: [write(['a', 'completed'])] },
      { text: 'ok' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.provider.requests.map(reminderOf)).toEqual([
      undefined,
      undefined,
      "The list already was as you wrote it; writing it again does nothing. Work is next, not another write. The task in hand is 'a'.",
      expect.stringMatching(
        /^You have an active task: 'a'\..*The list already was as you wrote it\. Work on the task is next, not another write of the list\./u,
      ),
      undefined,
    ]);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:pending' }),
      ...called('todo_write', { after: ['notice info The list was written again without a change.'] }),
      ...dropped('The list is up to date.', { reminded: 'unchanged' }),
      ...called('todo_write', { reminded: true, list: '1:completed' }),
      ...said('ok'),
      ...ended('complete', 'done 0'),
    ]);
  });
});

describe('streamTurn', () => {
  it('holds no text back where no retry is possible', async () => {
    for (const options of [{ decision: done }, { settings: { 'max-attempts': 1 } }]) {
      const { outline } = await stream([{ text: ['Hello ', 'there'] }], options);
      expect(outline).toEqual(['turn-start', 'text-delta Hello ', 'text-delta there', 'turn-end stop', 'finish stop']);
    }
  });

  it.each([
    [1, 1],
    [2, 2],
    [4, 4],
  ])('makes at most `max-attempts` attempts: %d', async (maxAttempts, requests) => {
    const { provider, outline } = await stream((_, index) => ({ text: `talk ${index}` }), { settings: { 'max-attempts': maxAttempts } });
    expect(provider.requests).toHaveLength(requests);
    expect(outline.filter((line) => line.startsWith('finish'))).toEqual(['finish stop']);
  });

  it('retries an empty answer only once, however many attempts there are', async () => {
    const { provider, result } = await stream((_, _index) => [], { settings: { 'max-attempts': 5 }, decision: done });
    expect(provider.requests.map(reminderOf)).toEqual([undefined, 'nudge for empty']);
    expect(result.isEmpty).toBe(true);
  });

  it('counts the usage of a dropped attempt', async () => {
    const usage = { usage: { inputTokens: 10, outputTokens: 5 } };
    const { outline, tokens } = await stream([
      [{ text: 'a' }, usage],
      [{ text: 'b' }, usage],
    ]);
    expect(tokens).toBe(30);
    expect(outline.filter((line) => line === 'usage')).toHaveLength(2);
  });

  it('settles at the 601st character, and streams on', async () => {
    const { outline, provider } = await stream([{ text: ['1'.repeat(300), '2'.repeat(300), '3', '4'] }], { settings: { 'loop-text': -1 } });
    expect(provider.requests).toHaveLength(1);
    expect(outline).toEqual([
      'turn-start',
      `draft-delta ${'1'.repeat(300)}`,
      `draft-delta ${'2'.repeat(300)}`,
      `text-delta ${'1'.repeat(300)}`,
      `text-delta ${'2'.repeat(300)}`,
      'text-delta 3',
      'text-delta 4',
      'turn-end stop',
      'finish stop',
    ]);
  });

  it('600 characters are still retried', async () => {
    const { provider } = await stream([{ text: 'x'.repeat(600) }, { text: 'y' }], { settings: { 'loop-text': -1 } });
    expect(provider.requests).toHaveLength(2);
  });

  it('on an error shows the held text first, marked as cut, then the error', async () => {
    const { outline, result } = await stream([[{ text: 'Half' }, { type: 'citation', text: 'a page' }, { error: 'gone' }]]);
    expect(outline).toEqual([
      'turn-start',
      'draft-delta Half',
      'text-delta Half',
      'citation',
      'error internal',
      'turn-end error',
      'finish error',
    ]);
    expect(result).toMatchObject({ finish: 'error', message: { cut: true }, error: { message: 'gone' } });
  });

  it('on an abort keeps the held text, marked as cut, and no call of the stream', async () => {
    const { outline, result } = await stream([[{ text: 'Half' }, { calls: [looking('x')] }, { wait: 5000 }, { text: ' more' }]], {
      abortAfterMs: 1000,
    });
    expect(outline).toEqual(['turn-start', 'draft-delta Half', 'text-delta Half', 'tool-call look', 'turn-end aborted', 'finish aborted']);
    expect(result.message).toMatchObject({ cut: true, parts: [{ type: 'text', text: 'Half' }] });
  });

  it('a stream that just ends is an error', async () => {
    const result = await streamTurn(
      {
        recorder: createRecorder(newSessionState(), { append: async () => {} }),
        settings: () => defaultSettings(),
        decide: () => done,
        capReached: () => false,
        elapsedMs: () => 0,
        retryReminder: () => ({ text: '', marks: [] }),
        costOf: () => undefined,
      },
      {
        runId: 'run',
        turn: 1,
        provider: {
          id: 'broken',
          async *stream() {
            yield { type: 'text-delta', text: 'Half' };
          },
        },
        origin: { provider: 'broken', model: 'm' },
        reminder: undefined,
        request: () => ({ model: 'm', system: '', messages: [], tools: [] }),
        signal: new AbortController().signal,
      },
    );
    expect(result.error).toMatchObject({ kind: 'protocol', message: 'The stream ended without a finish.' });
  });

  it('cuts a text that repeats itself and keeps nothing of it', async () => {
    const again = 'I will now look at the file and then decide what to do about it. ';
    const { outline, result } = await stream((_, _index) => ({ text: Array(40).fill(again) }), { decision: done });
    expect(outline.filter((line) => line.startsWith('text-delta'))).toHaveLength(10);
    expect(outline.slice(-3)).toEqual(['loop-detected strike 2', 'turn-end loop', 'finish loop']);
    expect(result.message).toEqual({ role: 'assistant', parts: [], cut: true });
  });

  it('a transport retry that voids the text makes it held again', async () => {
    const voids = { type: 'retry-wait' as const, delayMs: 10, cause: 'reset', voids: true };
    const { outline, provider } = await stream([[{ text: 'x'.repeat(601) }, voids, { text: 'short' }], { text: 'again' }], {
      settings: { 'loop-text': -1 },
    });
    expect(provider.requests).toHaveLength(2);
    expect(outline).toEqual([
      'turn-start',
      `text-delta ${'x'.repeat(601)}`,
      'retry-wait',
      'draft-delta short',
      'attempt-retry open-todos',
      ...said('again', { reminded: true }),
    ]);
  });
});
