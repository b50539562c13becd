import { describe, expect, it } from 'vitest';
import { newPromptState, type PromptState } from '../../src/core/prompt-state.ts';
import { chooseReminder, nothingPending, type PendingReminders, retryReminder } from '../../src/core/reminders.ts';
import type { ContinuationDecision } from '../../src/follow-through/decide-continuation.ts';
import { todosOf } from '../follow-through/snapshots.ts';
import { defaultSettings } from '../helpers/engine.ts';

const quiet: PromptState = {
  ...newPromptState('p', todosOf('in_progress', 'pending'), true),
  turn: { calls: 1, unchanged: 0, waited: false },
};
const update = quiet.update;

describe('chooseReminder', () => {
  it.each<[string, Partial<PromptState>, Partial<PendingReminders>, string | undefined]>([
    ['nothing is due', {}, {}, undefined],
    ['a loop first of all', { idleTurns: 12 }, { loop: 'x', closed: ['a'], complexity: 'c' }, 'loop'],
    ['idle turns', { idleTurns: 12, turn: { calls: 1, unchanged: 1, waited: false } }, { closed: ['a'] }, 'idle'],
    ['idle turns, one short', { idleTurns: 11 }, {}, undefined],
    ['idle turns, already said', { idleTurns: 13, idleReminded: true }, {}, undefined],
    ['idle turns, said late', { idleTurns: 14 }, {}, 'idle'],
    ['a turn of writes that changed nothing', { turn: { calls: 2, unchanged: 2, waited: false } }, { closed: ['a'] }, 'unchanged'],
    ['one write among others that changed nothing', { turn: { calls: 2, unchanged: 1, waited: false } }, {}, undefined],
    ['an item closed by the program', { update: { ...update, actingSinceWrite: 9 } }, { closed: ['a'] }, 'closed'],
    ['list and acting tool in one turn', { update: { ...update, actingSinceWrite: 1, sharedTurn: true } }, { complexity: 'c' }, 'update'],
    ['but only once', { update: { ...update, actingSinceWrite: 2, actingAtReminder: 1, reminders: 1, sharedTurn: true } }, {}, undefined],
    ['three acting results', { update: { ...update, actingSinceWrite: 3 } }, {}, undefined],
    ['four acting results', { update: { ...update, actingSinceWrite: 4 } }, {}, 'update'],
    ['three more', { update: { ...update, actingSinceWrite: 7, actingAtReminder: 4, reminders: 1 } }, {}, undefined],
    ['four more', { update: { ...update, actingSinceWrite: 8, actingAtReminder: 4, reminders: 1 } }, {}, 'update'],
    ['not when the list is not in play', { inPlay: false, update: { ...update, actingSinceWrite: 4 } }, {}, undefined],
    ['not when nothing is active', { todos: todosOf('blocked'), update: { ...update, actingSinceWrite: 4 } }, {}, undefined],
    [
      'not for a shared turn when the item is only pending',
      { todos: todosOf('pending'), update: { ...update, actingSinceWrite: 1, sharedTurn: true } },
      {},
      undefined,
    ],
    ['a complex request last', {}, { complexity: 'c' }, 'complexity'],
  ])('%s', (_name, prompt, pending, mark) => {
    const reminder = chooseReminder({ ...quiet, ...prompt }, defaultSettings(), { ...nothingPending, ...pending });
    expect(reminder?.marks[0]).toBe(mark);
  });

  it('no update when it is switched off', () => {
    const prompt = { ...quiet, update: { ...update, actingSinceWrite: 4 } };
    expect(chooseReminder(prompt, defaultSettings({ 'smart-todo-completion': 'off' }), nothingPending)).toBeUndefined();
  });
});

describe('retryReminder', () => {
  const options = { isYoloMode: false, runningCommands: [] };
  const todo = todosOf('pending')[0];
  const decision: ContinuationDecision = { kind: 'continue', todo, passedOver: undefined, strength: 'gentle' };

  it.each<[string, Partial<PromptState>, 'open-todos' | 'empty', RegExp]>([
    ['gentle at first', {}, 'open-todos', /^You have an active task: 'item 1'\.(?!.*You stopped again)/u],
    ['escalated from the second nudge on', { nudgesSinceClose: 1 }, 'open-todos', /You stopped again/u],
    ['its own text for an empty answer', {}, 'empty', /^Your last answer was empty/u],
    [
      'names the item that the continuation named',
      { named: { lastId: '1', times: 2, skipped: [] } },
      'open-todos',
      /active task: 'item 1'/u,
    ],
    [
      'and the next one when it was passed over',
      { named: { lastId: '2', times: 1, skipped: ['1'] } },
      'open-todos',
      /active task: 'item 2'/u,
    ],
  ])('%s', (_name, prompt, cause, text) => {
    expect(retryReminder({ ...quiet, ...prompt }, cause, decision, options).text).toMatch(text);
  });
});
