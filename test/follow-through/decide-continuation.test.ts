import { describe, expect, it } from 'vitest';
import { decideContinuation, explainDecision } from '../../src/follow-through/decide-continuation.ts';
import type { Snapshot } from '../../src/follow-through/gates.ts';
import { nothingNamed } from '../../src/follow-through/next-todo.ts';
import { goingOn, todosOf } from './snapshots.ts';

const twice = { lastId: '1', times: 2, skipped: [] };

describe('decideContinuation', () => {
  it.each<[string, Partial<Snapshot>, typeof twice | typeof nothingNamed, string]>([
    ['gentle at first', {}, nothingNamed, 'continue 1 gentle'],
    ['escalated from the second nudge', { nudgesSinceClose: 1 }, nothingNamed, 'continue 1 escalated'],
    ['escalated when the item was named before', {}, { ...twice, times: 1 }, 'continue 1 escalated'],
    ['the next item at the third naming', { todos: todosOf('pending', 'pending') }, twice, 'continue 2 skip'],
    ['the same item when there is no other', {}, twice, 'continue 1 skip'],
    ['without an item when only dropped ones are left', { todos: [], dropped: todosOf('pending') }, nothingNamed, 'continue - gentle'],
    ['waits for background commands', { background: 1 }, nothingNamed, 'wait background'],
    ['waits for a compaction', { recovering: true }, nothingNamed, 'wait recovering'],
    ['waits for an open question', { asking: 'question' }, nothingNamed, 'wait question'],
    ['waits for an open approval', { asking: 'permission' }, nothingNamed, 'wait permission'],
    ['a denial does not pass by itself', { denied: true }, nothingNamed, 'return permission'],
    ['nor does a question that nobody can answer', { neededPerson: 'question' }, nothingNamed, 'return question'],
    ['returns otherwise', { todos: todosOf('completed') }, nothingNamed, 'return done'],
  ])('%s', (_name, change, named, expected) => {
    const decision = decideContinuation({ ...goingOn, ...change }, named);
    expect(
      decision.kind === 'continue' ? `continue ${decision.todo?.id ?? '-'} ${decision.strength}` : `${decision.kind} ${decision.reason}`,
    ).toBe(expected);
  });

  it('explains itself with every value that it looked at', () => {
    const snapshot: Snapshot = {
      ...goingOn,
      end: 'complete',
      aborted: true,
      todos: todosOf('completed', 'pending', 'blocked', 'cancelled'),
      planMode: true,
      agentActs: false,
      enabled: false,
      paused: true,
      resumed: true,
      asking: 'question',
      denied: true,
      dropped: todosOf('pending'),
      background: 2,
      capReached: 'turn-limit',
    };
    expect(explainDecision(snapshot, { kind: 'return', reason: 'aborted' })).toEqual([
      'decision: return (aborted)',
      'run ended: complete, aborted by you',
      'todos: 1 of 4 completed, 1 active, 1 blocked, 1 cancelled',
      'in play: yes',
      'todo-continuation: off, plan mode, agent without acting tools',
      'paused: yes, resumed session',
      'waiting text of yours: no; open question: question; said no: yes',
      'left out by the model: 1; background commands waited for: 2',
      'nudges without progress: 0 of 3',
      'nudges since the last closed item: 0 of 10',
      'cap reached: turn-limit',
    ]);
  });
});
