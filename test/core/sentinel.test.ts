import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/providers/scripted.ts';
import { acting, looking, type TestEngine, type TestEngineOptions, testEngine, write } from '../helpers/engine.ts';
import { answering, reminderOf } from './scripts.ts';

const three = write('item-one', 'item-two', 'item-three');
const pause = { name: 'todo_pause', arguments: { reason: 'x' } };
const complex = 'First add a login page, then write tests for it, update the docs, and finally deploy it.';

type Scenario = [name: string, wanted: RegExp, script: Script, options?: TestEngineOptions & { readonly text?: string }];
/** Every kind of text that the engine adds to a request, and the scripts that bring it about. */
const scenarios: readonly Scenario[] = [
  ['retry and continuation', /You stopped again/u, (_, index) => (index === 0 ? { calls: [three] } : { text: 'talk' })],
  ['in yolo mode', /You MUST continue/u, (_, index) => (index === 0 ? { calls: [three] } : { text: 'talk' }), { mode: 'yolo' }],
  ['an empty answer', /Your last answer was empty/u, [{ calls: [three] }, [], { calls: [pause] }]],
  ['the same list again', /writing it again does nothing/u, answering({ calls: [three] }, () => ({ calls: [three] }))],
  [
    'an item passed over',
    /was named several times/u,
    (_, index) => (index === 0 ? { calls: [three] } : index % 2 === 1 ? { text: 'hm' } : { calls: [looking(`at ${index}`)] }),
    { settings: { 'max-attempts': 1 } },
  ],
  [
    'dropped items',
    /left out unfinished items/u,
    [{ calls: [three] }, { calls: [write(['item-one', 'completed'])] }, { text: 'x' }, { text: 'y' }],
  ],
  ['a loop', /You are repeating yourself/u, { turns: [{ calls: [looking('x')] }], repeatLast: true }],
  ['idle turns', /brought nothing new/u, (_, index) => ({ calls: [write(`item ${index}`)] })],
  ['an update', /is finished, mark it completed/u, [{ calls: [write(['item-one', 'in_progress']), acting('x')] }, { calls: [pause] }]],
  [
    'updates that were not heard',
    /has not been updated for a while/u,
    (_, index) => ({ calls: index === 0 ? [write(['item-one', 'in_progress'])] : index < 10 ? [acting(`f${index}`)] : [pause] }),
  ],
  [
    'automatic closing',
    /Marked completed for you/u,
    [{ calls: [write(['write x.txt', 'in_progress']), acting('x.txt')] }, { text: 'ok' }],
    { settings: { 'smart-todo-completion': 'auto' } },
  ],
  ['a complex request', /Use todo_write to make a todo list/u, [{ text: 'ok' }], { text: complex }],
];

/** Everything that is kept or shown, as one text. */
function everything(engine: TestEngine): string {
  return JSON.stringify([
    engine.log,
    engine.recorder.state.history,
    engine.collector.events,
    engine.recorder.state.todos,
    engine.service.explain(),
  ]);
}

describe('29: no text of the engine is kept or shown', () => {
  it.each<Scenario>([...scenarios])('%s', async (_name, wanted, script, options = {}) => {
    const engine = testEngine(script, options);
    await engine.play(options.text ?? 'go');
    const texts = engine.provider.requests.flatMap((request) => reminderOf(request) ?? []);
    expect(texts.some((text) => wanted.test(text))).toBe(true);
    const kept = everything(engine);
    for (const text of texts) {
      for (const sentence of text.split(/(?<=\.) /u)) expect(kept).not.toContain(JSON.stringify(sentence).slice(1, -1));
    }
  });

  it('each stands alone at the tail of one request', async () => {
    for (const [, , script, options = {}] of scenarios) {
      const engine = testEngine(script, options);
      await engine.play(options.text ?? 'go');
      for (const request of engine.provider.requests) {
        const places = request.messages.flatMap((message, at) => (message.role === 'user' && message.kind === 'reminder' ? [at] : []));
        expect(places.every((at) => at === request.messages.length - 1)).toBe(true);
      }
    }
  });

  it('after a compaction, too: the summary is asked for without being kept', async () => {
    const engine = testEngine(
      (request, index) =>
        request.tools.length === 0
          ? { text: 'A summary.' }
          : index === 0
            ? { calls: [three] }
            : index < 10
              ? { calls: [looking(`${index} `.repeat(600))] }
              : { calls: [pause] },
      { contextWindow: 8000 },
    );
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.count('compaction')).toBeGreaterThan(0);
    expect(everything(engine)).not.toContain('Summarize the conversation');
  });
});
