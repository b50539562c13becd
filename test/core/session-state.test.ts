import { describe, expect, it } from 'vitest';
import { applyEvent, foldEvents, newSessionState } from '../../src/core/session-state.ts';
import type { DurableEvent } from '../../src/types/events.ts';
import { looking, testEngine, write } from '../helpers/engine.ts';

/** A session of several prompts: a finished list, a side question, an unfinished list, a go-ahead. */
async function severalPrompts(): Promise<readonly DurableEvent[]> {
  const engine = testEngine([
    { calls: [write('a')] },
    { calls: [looking('a'), write(['a', 'completed'])] },
    { text: 'Done.' },
    { text: 'An answer.' },
    { calls: [write('b', 'c')] },
    { calls: [looking('b')] },
    { calls: [{ name: 'todo_pause', arguments: { reason: 'wait' } }] },
    { calls: [write(['b', 'completed'], ['c', 'completed'])] },
    { text: 'All done.' },
  ]);
  for (const prompt of ['do a', 'what is a?', 'do b and c', 'continue']) await engine.play(prompt);
  return engine.log;
}

describe('foldEvents', () => {
  it('gives what folding event by event gives, at every prefix', async () => {
    const log = await severalPrompts();
    for (let length = 0; length <= log.length; length += 1) {
      const state = newSessionState();
      for (const event of log.slice(0, length)) applyEvent(state, event);
      expect(foldEvents(log.slice(0, length))).toEqual(state);
    }
  });
});
