import { describe, expect, it } from 'vitest';
import { gates, judgeGates, type Snapshot } from '../../src/follow-through/gates.ts';
import { reasons } from '../../src/types/reasons.ts';
import { goingOn, todosOf } from './snapshots.ts';

const closed = todosOf('completed', 'cancelled');
const lost = todosOf('pending');

describe('judgeGates', () => {
  it.each<[string, Partial<Snapshot>, ReturnType<typeof judgeGates>]>([
    ['continue: an active item', {}, undefined],
    ['continue: an item in progress', { todos: todosOf('in_progress') }, undefined],
    ['continue: an active item beside a blocked one', { todos: todosOf('blocked', 'pending') }, undefined],
    ['1 aborted', { aborted: true }, 'aborted'],
    ['1 aborted by how the run ended', { end: 'aborted' }, 'aborted'],
    ['1 before 2: aborted during an error', { aborted: true, end: 'error' }, 'aborted'],
    ['2 auth', { end: 'auth' }, 'auth'],
    ['2 error', { end: 'error' }, 'error'],
    ['2 rate-limit', { end: 'rate-limit' }, 'rate-limit'],
    ['2 empty', { end: 'empty' }, 'empty'],
    ['2 output-limit', { end: 'output-limit' }, 'output-limit'],
    ['2 safety', { end: 'safety' }, 'safety'],
    ['2 also when all is done', { end: 'error', todos: closed }, 'error'],
    ['2 before 3', { end: 'error', capReached: 'turn-limit' }, 'error'],
    ['3 turn-limit ended the run', { end: 'turn-limit' }, 'turn-limit'],
    ['3 token-limit ended the run', { end: 'token-limit' }, 'token-limit'],
    ['3 budget-limit ended the run', { end: 'budget-limit' }, 'budget-limit'],
    ['3 time-limit ended the run', { end: 'time-limit' }, 'time-limit'],
    ['3 context-limit ended the run', { end: 'context-limit' }, 'context-limit'],
    ['3 a cap is reached and work is left', { capReached: 'turn-limit' }, 'turn-limit'],
    ['3 a cap is reached and only dropped items are left', { capReached: 'turn-limit', todos: closed, dropped: lost }, 'turn-limit'],
    ['3 a cap is reached with nothing left to do', { capReached: 'turn-limit', todos: closed }, 'done'],
    ['3 a cap is reached and the list is not in play', { capReached: 'turn-limit', inPlay: false }, 'not-in-play'],
    ['3 before 5', { capReached: 'token-limit', userInput: true }, 'token-limit'],
    ['4 loop', { end: 'loop' }, 'loop'],
    ['4 no-progress by idle turns', { end: 'no-progress' }, 'no-progress'],
    ['4 before 5', { end: 'loop', userInput: true }, 'loop'],
    ['5 user-input', { userInput: true }, 'user-input'],
    ['5 before 6', { userInput: true, denied: true }, 'user-input'],
    ['6 question is open', { asking: 'question' }, 'question'],
    ['6 permission is open', { asking: 'permission' }, 'permission'],
    ['6 denied', { denied: true }, 'permission'],
    ['6 denied, nothing open', { denied: true, todos: closed }, 'permission'],
    ['6 the run ended with a denial', { end: 'permission' }, 'permission'],
    ['6 one-shot: every acting call was refused', { neededPerson: 'permission' }, 'permission'],
    ['6 one-shot: a question was refused', { neededPerson: 'question' }, 'question'],
    ['6 one-shot: refused, without a list', { neededPerson: 'permission', todos: [], inPlay: false }, 'permission'],
    ['6 one-shot: refused, but nothing open', { neededPerson: 'permission', todos: closed }, 'done'],
    ['6 before 7', { denied: true, recovering: true }, 'permission'],
    ['7 recovering', { recovering: true }, 'recovering'],
    ['7 before 8', { recovering: true, paused: true }, 'recovering'],
    ['8 paused', { paused: true }, 'paused'],
    ['8 paused by how the run ended', { end: 'paused' }, 'paused'],
    ['8 paused with blocked items only', { paused: true, todos: todosOf('blocked') }, 'paused'],
    ['8 paused with nothing open', { paused: true, todos: closed }, 'done'],
    ['8 paused without a list', { paused: true, todos: [], inPlay: false }, 'no-list'],
    ['8 paused-by-resume', { resumed: true }, 'paused-by-resume'],
    ['8 a pause before the resume', { paused: true, resumed: true }, 'paused'],
    ['8 before 9', { paused: true, enabled: false }, 'paused'],
    ['9 off', { enabled: false }, 'off'],
    ['9 off with nothing active', { enabled: false, todos: todosOf('blocked') }, 'blocked'],
    ['9 off before plan-mode', { enabled: false, planMode: true }, 'off'],
    ['9 plan-mode', { planMode: true }, 'plan-mode'],
    ['9 plan-mode before agent-off', { planMode: true, agentActs: false }, 'plan-mode'],
    ['9 agent-off', { agentActs: false }, 'agent-off'],
    ['9 before 10', { enabled: false, inPlay: false }, 'off'],
    ['10 no-list', { todos: [] }, 'no-list'],
    ['10 a finished list that is not in play', { todos: closed, inPlay: false }, 'no-list'],
    ['10 not-in-play', { inPlay: false }, 'not-in-play'],
    ['10 not-in-play with blocked items', { inPlay: false, todos: todosOf('blocked') }, 'not-in-play'],
    ['11 dropped, not named yet: continue', { todos: closed, dropped: lost }, undefined],
    ['11 dropped and named', { todos: closed, dropped: lost, droppedNamed: true }, 'dropped'],
    ['11 dropped and named, blocked ones left', { todos: todosOf('blocked'), dropped: lost, droppedNamed: true }, 'dropped'],
    ['11 dropped and named, but work is left: continue', { dropped: lost, droppedNamed: true }, undefined],
    ['11 list emptied, not named yet: continue', { todos: [], dropped: lost }, undefined],
    ['11 list emptied and named', { todos: [], dropped: lost, droppedNamed: true }, 'list-cleared'],
    ['12 done', { todos: closed }, 'done'],
    ['12 before 14', { todos: closed, background: 1 }, 'done'],
    ['12 before 15', { todos: closed, nudgesWithoutProgress: 3 }, 'done'],
    ['13 blocked', { todos: todosOf('blocked', 'completed') }, 'blocked'],
    ['13 before 14', { todos: todosOf('blocked'), background: 1 }, 'blocked'],
    ['14 background', { background: 1 }, 'background'],
    ['14 before 15', { background: 1, nudgesWithoutProgress: 3 }, 'background'],
    ['15 one nudge below', { nudgesWithoutProgress: 2 }, undefined],
    ['15 no-progress', { nudgesWithoutProgress: 3 }, 'no-progress'],
    ['15 above', { nudgesWithoutProgress: 4 }, 'no-progress'],
    ['15 before 16', { nudgesWithoutProgress: 3, nudgesSinceClose: 10 }, 'no-progress'],
    ['16 one nudge below', { nudgesSinceClose: 9 }, undefined],
    ['16 continuation-limit', { nudgesSinceClose: 10 }, 'continuation-limit'],
    ['16 a limit of 0', { maxContinuations: 0 }, 'continuation-limit'],
  ])('%s', (_name, change, reason) => {
    expect(judgeGates({ ...goingOn, ...change })).toBe(reason);
  });

  it('each reason belongs to one gate, but for those that end a run in two ways', () => {
    const named = gates.flatMap((gate) => gate.reasons);
    expect(new Set([...named, 'check-failed'])).toEqual(new Set(reasons));
    const twice = named.filter((reason, at) => named.indexOf(reason) !== at);
    expect(twice).toEqual(['no-progress']);
  });

  it('a gate names only reasons of its own', () => {
    const counts = { pending: 1, in_progress: 0, completed: 0, cancelled: 0, blocked: 0, total: 1, active: 1, open: 1 };
    for (const change of [
      {},
      { aborted: true },
      { end: 'loop' as const },
      { paused: true },
      { enabled: false },
      { denied: true },
      { inPlay: false },
    ]) {
      for (const gate of gates) {
        const reason = gate.judge({ ...goingOn, ...change, counts, hasWork: true });
        if (reason !== undefined) expect(gate.reasons).toContain(reason);
      }
    }
  });
});
