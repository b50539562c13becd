import { describe, expect, it } from 'vitest';
import { describeOutcome, type OutcomeFacts, outcomes } from '../../src/follow-through/outcome.ts';
import { type Reason, reasons } from '../../src/types/reasons.ts';
import { countTodos } from '../../src/types/todos.ts';
import { todosOf } from './snapshots.ts';

const facts: OutcomeFacts = {
  counts: countTodos(todosOf('completed', 'pending', 'blocked')),
  detail: undefined,
  nudges: 3,
  limit: undefined,
  dropped: [],
  interactive: true,
};
const finished = { ...facts, counts: countTodos(todosOf('completed', 'completed')) };
const nothing = { ...facts, counts: countTodos([]) };

/** As section 4 of the contract and the exit table of the interface have it, with items open. */
const exitCodes: Readonly<Record<Reason, number>> = {
  aborted: 130,
  auth: 41,
  error: 1,
  'rate-limit': 1,
  empty: 1,
  'output-limit': 1,
  safety: 1,
  'turn-limit': 53,
  'token-limit': 62,
  'budget-limit': 62,
  'time-limit': 62,
  'context-limit': 62,
  loop: 60,
  'user-input': 61,
  question: 64,
  permission: 64,
  recovering: 61,
  paused: 61,
  'paused-by-resume': 61,
  off: 61,
  'plan-mode': 61,
  'agent-off': 61,
  'no-list': 0,
  'not-in-play': 0,
  'list-cleared': 61,
  dropped: 61,
  done: 0,
  'check-failed': 63,
  blocked: 61,
  background: 61,
  'no-progress': 60,
  'continuation-limit': 60,
};

describe('the table of outcomes', () => {
  it.each(reasons.map((reason) => [reason, exitCodes[reason]] as const))('%s exits with %d', (reason, exitCode) => {
    expect(describeOutcome(reason, facts)).toMatchObject({ reason, exitCode });
  });

  it('says nothing only where nothing is to be said', () => {
    const silent = reasons.filter((reason) => outcomes[reason].sentence(facts) === '');
    expect(silent).toEqual(['user-input', 'recovering', 'no-list']);
  });

  it.each(['paused', 'paused-by-resume', 'off', 'plan-mode', 'agent-off', 'user-input', 'background'] as const)(
    '%s exits with 0 when nothing is open, and with 61 when items were dropped',
    (reason) => {
      expect(describeOutcome(reason, finished).exitCode).toBe(0);
      expect(describeOutcome(reason, { ...finished, dropped: ["'a'"] }).exitCode).toBe(61);
    },
  );

  it.each<[Reason, Partial<OutcomeFacts>, string]>([
    ['done', finished, 'All 2 todos done'],
    ['done', { counts: countTodos(todosOf('completed')) }, 'The todo is done'],
    ['done', { counts: countTodos(todosOf('completed', 'cancelled')) }, '1 of 2 todos done, 1 cancelled'],
    ['no-progress', {}, 'Stopped: 3 continuations without progress, 2 of 3 open. /continue to go on'],
    ['no-progress', { nudges: 1 }, 'Stopped: 1 continuation without progress, 2 of 3 open. /continue to go on'],
    [
      'no-progress',
      { detail: '15 turns in a row without progress' },
      'Stopped: 15 turns in a row without progress, 2 of 3 open. /continue to go on',
    ],
    ['continuation-limit', { nudges: 10 }, 'Stopped: 10 continuations without closing an item, 2 of 3 open. /continue to go on'],
    ['paused', { detail: 'The file is missing.' }, 'Paused: The file is missing, 2 of 3 open. /continue to go on'],
    ['blocked', { detail: 'no network' }, 'Stopped: 1 of 3 blocked, nothing else to do: no network. /continue to go on'],
    ['not-in-play', {}, '2 open from before, /continue'],
    ['not-in-play', { interactive: false }, '2 open from before, tilldone -c -p'],
    ['paused', { detail: 'lunch', interactive: false }, 'Paused: lunch, 2 of 3 open. tilldone -c -p to go on'],
    ['turn-limit', { limit: '500' }, 'Stopped: 500 requests made for this prompt (max-turns), 2 of 3 open. /continue to go on'],
    ['time-limit', { limit: '60' }, 'Stopped: 60 seconds spent on this prompt (timeout), 2 of 3 open. /continue to go on'],
    ['error', { ...nothing, detail: 'Connection refused.' }, 'Stopped: the model could not be asked: Connection refused'],
    ['aborted', nothing, 'Stopped: interrupted by you'],
    ['list-cleared', { ...nothing, dropped: ["'a'"] }, "Stopped: the model emptied the list, unfinished: 'a'. /continue to go on"],
  ])('%s %#', (reason, change, sentence) => {
    expect(describeOutcome(reason, { ...facts, ...change }).sentence).toBe(sentence);
  });
});
