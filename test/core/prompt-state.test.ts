import { describe, expect, it } from 'vitest';
import { newPromptState, type PromptState, reducePrompt } from '../../src/core/prompt-state.ts';
import { applyEvent, newSessionState, type SessionState } from '../../src/core/session-state.ts';
import type { Script } from '../../src/providers/scripted.ts';
import { type AgentEvent, type DurableEvent, durableEventSchema, isDurable, nowhere } from '../../src/types/events.ts';
import { acting, looking, type TestEngine, type TestEngineOptions, testEngine, write } from '../helpers/engine.ts';
import { answering } from './scripts.ts';

const pause = { name: 'todo_pause', arguments: { reason: 'x' } };
const three = write('a', 'b', 'c');

/** What a log line gives back: the event through JSON and the schema. */
function reread(event: DurableEvent): DurableEvent {
  return durableEventSchema().parse(JSON.parse(JSON.stringify(event)));
}

describe('the fold of the log equals the live state, at every prefix', () => {
  const usage = { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01 } };
  it.each<[string, Script, TestEngineOptions, readonly string[]]>([
    ['only talk', (_, index) => (index === 0 ? { calls: [three] } : [{ text: 'talk' }, usage]), {}, ['go', 'continue']],
    ['the same list again', answering({ calls: [three] }, () => ({ calls: [three] })), {}, ['go']],
    ['cheap reads', answering({ calls: [three] }, (index) => ({ calls: [looking(`at ${index}`)] })), {}, ['go', 'a side question']],
    [
      'acting, updates and a pause',
      (_, index) => ({ calls: index === 0 ? [write(['a', 'in_progress']), acting('x')] : index < 12 ? [acting(`f${index}`)] : [pause] }),
      {},
      ['go', 'go on'],
    ],
    [
      'dropped items',
      [{ calls: [three] }, { calls: [write(['a', 'completed'])] }, { text: 'x' }, { text: 'y' }, { text: 'z' }],
      {},
      ['go', 'hello'],
    ],
    [
      'automatic closing',
      [{ calls: [write(['do x.txt', 'in_progress']), acting('x.txt')] }, { text: 'ok' }],
      { settings: { 'smart-todo-completion': 'auto' } },
      ['go'],
    ],
    ['refusals', [{ calls: [three, acting('x')] }, { text: 'I may not' }], { mode: 'default' }, ['go']],
    [
      'an error, an empty answer and a loop',
      [{ error: 'gone' }, [], [], { calls: Array(6).fill(looking('x')) }, { calls: [looking('x')] }],
      {},
      ['a', 'b', 'c'],
    ],
    [
      'unusable calls',
      (_, index) => (index < 4 ? [{ calls: [{ name: 'look', invalid: 'not JSON' }] }, { finish: 'length' }] : { text: 'x' }),
      {},
      ['go'],
    ],
  ])('%s', async (_name, script, options, prompts) => {
    const engine: TestEngine = testEngine(script, options);
    const live: PromptState[] = [];
    const histories: number[] = [];
    engine.recorder.subscribe((event) => {
      if (!isDurable(event)) return;
      live.push(engine.recorder.state.prompt);
      histories.push(engine.recorder.state.history.length);
    });
    for (const text of prompts) await engine.play(text);
    expect(engine.log.length).toBe(live.length);
    const replayed: SessionState = newSessionState();
    for (const [index, event] of engine.log.entries()) {
      applyEvent(replayed, reread(event));
      expect(replayed.prompt, `after event ${index}, ${event.type}`).toEqual(live[index]);
      expect(replayed.history.length).toBe(histories[index]);
    }
    expect(replayed).toEqual(engine.recorder.state);
  });
});

/** The state after the events, from a prompt with the list `a`, `b` in play. */
function stateAfter(...events: readonly AgentEvent[]): PromptState {
  const todos = [
    { id: '1', content: 'a', status: 'pending', priority: 'medium' },
    { id: '2', content: 'b', status: 'pending', priority: 'medium' },
  ] as const;
  return events.reduce(reducePrompt, { ...newPromptState('p', todos, true), nudgesSinceClose: 5, nudgesWithoutProgress: 2, idleTurns: 7 });
}

const result = (rest: Partial<Extract<AgentEvent, { type: 'tool-result' }>>): AgentEvent => ({
  type: 'tool-result',
  ...nowhere,
  callId: 'c',
  name: 'look',
  arguments: {},
  output: 'seen',
  isError: false,
  acting: false,
  working: true,
  ...rest,
});
const list = (by: 'model' | 'user' | 'engine', ...statuses: readonly ('pending' | 'completed')[]): AgentEvent => ({
  type: 'todos-change',
  ...nowhere,
  by,
  list: {
    items: statuses.map((status, at) => ({ id: String(at + 1), content: 'ab'[at] ?? 'x', status, priority: 'medium' })),
    version: 2,
    lastId: 2,
  },
});
const message = (kind: 'prompt' | 'steer' | 'queue' | 'shell', resumes?: true): AgentEvent => ({
  type: 'user-message',
  ...nowhere,
  kind,
  text: 'x',
  promptId: 'next',
  ...(resumes === undefined ? {} : { resumes }),
});

const refusal = (by: 'user' | 'session' | 'rule'): Extract<AgentEvent, { type: 'permission-decision' }> => ({
  type: 'permission-decision',
  ...nowhere,
  requestId: 'r',
  callId: 'c',
  verdict: 'refuse',
  by,
  reason: 'use pnpm',
  endsRun: false,
});

describe('counting', () => {
  it.each<[string, readonly AgentEvent[], readonly [number, number, number]]>([
    ['nothing yet', [], [5, 2, 7]],
    ['a retry is a nudge', [{ type: 'attempt-retry', ...nowhere, cause: 'open-todos', draft: '' }], [6, 3, 7]],
    [
      'a continuation is a nudge',
      [{ type: 'continuation-start', ...nowhere, continuation: 1, todoId: '1', strength: 'gentle' }],
      [6, 3, 7],
    ],
    [
      'a turn is idle until it shows progress',
      [{ type: 'turn-end', ...nowhere, message: { role: 'assistant', parts: [] }, finish: 'stop' }],
      [5, 2, 8],
    ],
    ['a newly closed item gives everything back', [list('model', 'pending', 'pending'), list('model', 'completed', 'pending')], [0, 0, 0]],
    ['an item that the program closed does, too', [list('engine', 'completed', 'pending')], [0, 0, 0]],
    ['the first list of the prompt is progress', [list('model', 'pending', 'pending')], [5, 0, 0]],
    ['an item that the user closed counts for nothing', [list('user', 'completed', 'pending')], [5, 2, 7]],
    ['a new result of a working tool is progress', [result({})], [5, 0, 0]],
    ['a failed call is not', [result({ isError: true })], [5, 2, 7]],
    ['a todo tool as such is not', [result({ name: 'todo_read', working: false })], [5, 2, 7]],
    ['waiting takes back the idle turn', [result({ waiting: true })], [5, 2, 6]],
    ['waiting twice in a turn takes back one', [result({ waiting: true }), result({ waiting: true })], [5, 2, 6]],
    ['steering gives nudges back, not idle turns', [message('steer')], [0, 0, 7]],
    ['a no with a reason is steering', [refusal('user')], [0, 0, 7]],
    ['a no that is only remembered is not', [refusal('session')], [5, 2, 7]],
    ['nor is one of the rules', [refusal('rule')], [5, 2, 7]],
    ['a no without a reason gives nothing back', [{ ...refusal('user'), endsRun: true }], [5, 2, 7]],
    ['a shell command of the user changes nothing', [message('shell')], [5, 2, 7]],
    ['a new prompt starts from zero', [message('prompt')], [0, 0, 0]],
    ['so does a queued one', [message('queue')], [0, 0, 0]],
  ])('%s', (_name, events, counters) => {
    const { nudgesSinceClose, nudgesWithoutProgress, idleTurns } = stateAfter(...events);
    expect([nudgesSinceClose, nudgesWithoutProgress, idleTurns]).toEqual(counters);
  });

  it('a second, same result is no progress', () => {
    expect(stateAfter(result({}), { type: 'attempt-retry', ...nowhere, cause: 'empty', draft: '' }, result({})).nudgesWithoutProgress).toBe(
      1,
    );
  });

  it.each<[string, readonly AgentEvent[], boolean]>([
    ['a new prompt takes the list out of play', [message('prompt')], false],
    ['a go-ahead puts it in play', [message('prompt', true)], true],
    ['a write puts it in play', [message('prompt'), list('model', 'pending')], true],
    ['an acting call that succeeds does', [message('prompt'), result({ acting: true })], true],
    ['one that fails does not', [message('prompt'), result({ acting: true, isError: true })], false],
    ['a read does not', [message('prompt'), result({})], false],
    ['an edit by the user does not', [message('prompt'), list('user', 'pending')], false],
    ['nothing open: an acting call does not', [message('prompt'), list('user', 'completed'), result({ acting: true })], false],
    ['nothing open: a go-ahead does not', [list('user', 'completed'), message('prompt', true)], false],
  ])('in play: %s', (_name, events, inPlay) => {
    expect(stateAfter(...events).inPlay).toBe(inPlay);
  });

  it('caps of a prompt that was cut off go on after a go-ahead; its nudges are given back', () => {
    const start: AgentEvent = { type: 'turn-start', ...nowhere, reminded: false, elapsedMs: 1000 };
    const used: AgentEvent = { type: 'usage', ...nowhere, usage: { inputTokens: 10, outputTokens: 1, costUsd: 0.5 } };
    const end: AgentEvent = { type: 'prompt-end', ...nowhere, promptId: 'p', reason: 'paused', exitCode: 61, sentence: '' };
    const caps = ({ requests, tokens, costUsd, elapsedMs }: PromptState) => ({ requests, tokens, costUsd, elapsedMs });
    const goneOn = stateAfter(start, used, message('prompt', true));
    expect(caps(goneOn)).toEqual({ requests: 1, tokens: 11, costUsd: 0.5, elapsedMs: 1000 });
    expect([goneOn.nudgesSinceClose, goneOn.promptId]).toEqual([0, 'next']);
    const anew = { requests: 0, tokens: 0, costUsd: 0, elapsedMs: 0 };
    expect(caps(stateAfter(start, used, message('prompt')))).toEqual(anew);
    expect(caps(stateAfter(start, used, end, message('prompt', true)))).toEqual(anew);
  });
});

describe('a session that was cut off in mid-prompt', () => {
  it('waits for the user, and its turn cap holds across the crash', async () => {
    const script: Script = (_, index) => ({ calls: index === 0 ? [three] : [looking(`at ${index}`)] });
    const settings = { 'max-turns': 8 };
    const first = testEngine(script, { settings });
    expect(await first.play('go')).toBe('turn-limit 53');
    const crashedAt = first.log.findIndex(
      (event, at) => event.type === 'turn-end' && first.log.slice(0, at).filter(({ type }) => type === 'turn-start').length === 5,
    );
    const second = testEngine((_, index) => ({ calls: [looking(`again ${index}`)] }), {
      settings,
      resumeFrom: first.log.slice(0, crashedAt + 1).map(reread),
    });
    second.agent.markResumed();
    expect(second.agent.decide('complete')).toEqual({ kind: 'return', reason: 'paused-by-resume' });
    expect(second.todos.list().items).toHaveLength(3);
    expect(await second.play('continue')).toBe('turn-limit 53');
    expect(second.requestCount()).toBe(3);
    expect(await second.play('continue')).toBe('turn-limit 53');
    expect(second.requestCount()).toBe(11);
  });

  it('an ordinary prompt has caps of its own', async () => {
    const first = testEngine({ turns: [{ calls: [three] }], repeatLast: true }, { settings: { 'max-turns': 3 } });
    await first.play('go');
    const cut = first.log.filter((event) => event.type !== 'prompt-end' && event.type !== 'run-end');
    const second = testEngine((_, index) => ({ calls: [looking(`again ${index}`)] }), { settings: { 'max-turns': 3 }, resumeFrom: cut });
    second.agent.markResumed();
    expect(await second.play('something else')).toBe('turn-limit 53');
    expect(second.requestCount()).toBe(3);
  });

  it('the clock of the cap goes on, too', async () => {
    const slow: Script = () => [{ wait: 4000 }, { calls: [looking('x')] }, { wait: 1 }];
    const first = testEngine(slow, { settings: { timeout: 10 } });
    await first.start('go');
    await first.clock.advance(5000);
    const second = testEngine(slow, { settings: { timeout: 10 }, resumeFrom: first.log.map(reread) });
    second.agent.markResumed();
    const start = second.clock.now();
    expect(await second.play('continue')).toBe('time-limit 62');
    expect(second.clock.now() - start).toBeLessThanOrEqual(6001);
  });
});
