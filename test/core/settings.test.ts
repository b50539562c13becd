import { describe, expect, it } from 'vitest';
import { type SettingKey, type Settings, settings as table } from '../../src/config/settings.ts';
import type { Script, ScriptTurn } from '../../src/providers/scripted.ts';
import { type AgentEvent, nowhere } from '../../src/types/events.ts';
import { acting, looking, type TestEngine, type TestEngineOptions, testEngine, write } from '../helpers/engine.ts';
import { answering } from './scripts.ts';

/** Says in one line what came of a script. */
type Trial = (settings: Partial<Settings>) => Promise<string>;

const three = write('a', 'b', 'c');
const pause = { calls: [{ name: 'todo_pause', arguments: { reason: 'x' } }] };

function outcomeOf(script: Script, options: TestEngineOptions & { readonly count?: AgentEvent['type'] } = {}): Trial {
  return async (settings) => {
    const engine = testEngine(script, { ...options, settings });
    const ended = await engine.play('go');
    const counted = options.count === undefined ? '' : `, ${engine.collector.count(options.count)} ${options.count}`;
    return `${ended}, ${engine.requestCount()} requests${counted}`;
  };
}

const talks: Script = (_, index) => (index === 0 ? { calls: [three] } : { text: 'talk' });
const reads: Script = (_, index) => ({ calls: index === 0 ? [three] : [looking(`at ${index}`)] });
const costs =
  (usage: { inputTokens: number; outputTokens: number; costUsd?: number }): Script =>
  (_, index) => [{ calls: index === 0 ? [three] : [looking(`at ${index}`)] }, { usage }];
const bigReads: Script = (request, index) =>
  request.tools.length === 0
    ? { text: 'A summary.' }
    : index < 12
      ? index === 0
        ? { calls: [three] }
        : { calls: [looking(`${index} `.repeat(600))] }
      : pause;

/** When continuations were sent, in ms from the start. */
async function continuationTimes(
  settings: Partial<Settings>,
  touch: (engine: TestEngine) => void | Promise<void> = () => {},
): Promise<string> {
  const script: Script = (_, index) =>
    index === 0 ? { calls: [three] } : index % 2 === 1 ? { text: 'hm' } : { calls: [looking(`at ${index}`)] };
  const engine = testEngine(script, { interactive: true, settings: { 'max-attempts': 1, 'max-todo-continuations': 2, ...settings } });
  const times: number[] = [];
  const start = engine.clock.now();
  engine.recorder.subscribe((event) => event.type === 'continuation-start' && times.push(engine.clock.now() - start));
  const playing = await engine.start('go');
  await touch(engine);
  await engine.clock.advanceUntil(() => playing.ended !== undefined);
  return times.join(' ');
}

const trials: { readonly [Key in SettingKey]?: readonly [value: Settings[Key], trial: Trial, byDefault: string, changed: string] } = {
  'todo-continuation': [false, outcomeOf(talks), 'no-progress 60, 5 requests', 'off 61, 2 requests'],
  'max-todo-continuations': [
    4,
    outcomeOf(answering({ calls: [three] }, (index) => ({ calls: [looking(`at ${index}`)] }))),
    'continuation-limit 60, 22 requests',
    'continuation-limit 60, 10 requests',
  ],
  'max-no-progress': [5, outcomeOf(talks), 'no-progress 60, 5 requests', 'no-progress 60, 7 requests'],
  'max-idle-turns': [
    5,
    outcomeOf((_, index) => ({ calls: [write(`a ${index}`)] })),
    'no-progress 60, 16 requests',
    'no-progress 60, 9 requests',
  ],
  'continuation-countdown': [7, continuationTimes, '2000 4000', '7000 14000'],
  'continuation-grace': [
    100,
    (settings) =>
      continuationTimes(settings, async (engine) => {
        await engine.clock.advance(300);
        void engine.recorder.record({ type: 'user-message', ...nowhere, kind: 'shell', text: '!ls', promptId: 'x' });
      }),
    '2000 4000',
    '',
  ],
  'todo-check-interval': [5000, continuationTimes, '2000 4000', '2000 7000'],
  'max-attempts': [
    1,
    outcomeOf(talks, { count: 'attempt-retry' }),
    'no-progress 60, 5 requests, 2 attempt-retry',
    'no-progress 60, 5 requests, 0 attempt-retry',
  ],
  'max-turns': [4, outcomeOf(reads, {}), 'turn-limit 53, 500 requests', 'turn-limit 53, 4 requests'],
  'max-total-tokens': [
    100,
    outcomeOf(costs({ inputTokens: 30, outputTokens: 3 })),
    'turn-limit 53, 500 requests',
    'token-limit 62, 4 requests',
  ],
  'max-budget-usd': [
    1,
    outcomeOf(costs({ inputTokens: 1, outputTokens: 1, costUsd: 0.5 })),
    'turn-limit 53, 500 requests',
    'budget-limit 62, 2 requests',
  ],
  timeout: [
    10,
    outcomeOf((_, index) => (index < 8 ? [{ wait: 3000 }, { calls: [looking(`at ${index}`)] }] : { text: 'ok' })),
    'no-list 0, 9 requests',
    'time-limit 62, 4 requests',
  ],
  'compact-at': [
    0.4,
    outcomeOf(bigReads, { contextWindow: 8000, count: 'compaction' }),
    'paused 61, 13 requests, 1 compaction',
    'paused 61, 14 requests, 3 compaction',
  ],
  'stop-at': [0.11, outcomeOf(bigReads, { contextWindow: 8000 }), 'paused 61, 13 requests', 'context-limit 62, 3 requests'],
  'background-wait': [
    5,
    async (settings) => {
      const serve = (): ScriptTurn => {
        engine.processes = [{ id: 'p', command: 'serve', state: 'running', exitCode: null }];
        return { calls: [three] };
      };
      const engine: TestEngine = testEngine([serve, { text: 'up' }, pause], { settings });
      const start = engine.clock.now();
      return `${await engine.play('go')} after ${engine.clock.now() - start}`;
    },
    'paused 61 after 120000',
    'paused 61 after 5000',
  ],
  'smart-todo-completion': [
    'auto',
    outcomeOf([{ calls: [write(['do x.txt', 'in_progress']), acting('x.txt')] }, pause, { text: 'ok' }]),
    'paused 61, 2 requests',
    'done 0, 3 requests',
  ],
  'loop-identical-calls': [
    2,
    outcomeOf({ turns: [{ calls: [looking('x')] }], repeatLast: true }),
    'loop 60, 6 requests',
    'loop 60, 3 requests',
  ],
  'loop-failing-calls': [
    2,
    outcomeOf({ turns: [{ calls: [looking('x', { fail: true })] }], repeatLast: true }),
    'loop 60, 4 requests',
    'loop 60, 3 requests',
  ],
  'loop-cycles': [
    2,
    outcomeOf((_, index) => ({ calls: [looking(index % 2 === 0 ? 'A' : 'B')] })),
    'loop 60, 7 requests',
    'loop 60, 5 requests',
  ],
  'loop-text': [
    -1,
    outcomeOf([{ text: Array(30).fill('Let me look at this file once more before I go on. ') }]),
    'loop 60, 1 requests',
    'no-list 0, 1 requests',
  ],
};

/** Read elsewhere: by the config, the providers, the permissions and the screen. */
const notTheEngines: readonly string[] = ['provider', 'model', 'base-url', 'approval-mode', 'sandbox', 'sandbox-network', 'theme'];

describe('every setting that the engine reads', () => {
  it.each(Object.entries(trials))('%s changes what it does', async (key, [value, trial, byDefault, changed]) => {
    expect([await trial({}), await trial({ [key]: value })]).toEqual([byDefault, changed]);
  });

  it('is in this test', () => {
    expect(new Set(Object.keys(table).filter((key) => !notTheEngines.includes(key)))).toEqual(new Set(Object.keys(trials)));
  });
});
