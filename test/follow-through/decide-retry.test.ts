import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, decideRetry } from '../../src/follow-through/decide-retry.ts';

const stopped: AttemptOutcome = {
  finish: 'stop',
  toolCalls: 0,
  textChars: 10,
  attempt: 1,
  maxAttempts: 2,
  emptyRetried: false,
  capReached: false,
  decision: { kind: 'continue', todo: undefined, passedOver: undefined, strength: 'gentle' },
};
const done = { kind: 'return', reason: 'done' } as const;

describe('decideRetry', () => {
  it.each<[string, Partial<AttemptOutcome>, 'accept' | 'open-todos' | 'empty']>([
    ['1: aborted', { finish: 'aborted' }, 'accept'],
    ['1: error', { finish: 'error' }, 'accept'],
    ['1: loop', { finish: 'loop' }, 'accept'],
    ['1: length', { finish: 'length' }, 'accept'],
    ['1: safety', { finish: 'safety' }, 'accept'],
    ['1: an error without text', { finish: 'error', textChars: 0 }, 'accept'],
    ['2: a tool call', { toolCalls: 1 }, 'accept'],
    ['2: a tool call without text', { toolCalls: 1, textChars: 0, finish: 'tool-calls' }, 'accept'],
    ['3: empty', { textChars: 0 }, 'empty'],
    ['3: empty without anything to do', { textChars: 0, decision: done }, 'empty'],
    ['3: an unusable call that never came', { textChars: 0, finish: 'malformed-call' }, 'empty'],
    ['3: empty again', { textChars: 0, emptyRetried: true, maxAttempts: 5 }, 'accept'],
    ['3: empty at the last attempt', { textChars: 0, attempt: 2 }, 'accept'],
    ['3: empty with a cap reached', { textChars: 0, capReached: true }, 'accept'],
    ['4: the last attempt', { attempt: 2 }, 'accept'],
    ['4: one attempt only', { maxAttempts: 1 }, 'accept'],
    ['5: 601 characters', { textChars: 601 }, 'accept'],
    ['5: 600 characters', { textChars: 600 }, 'open-todos'],
    ['6: nothing to continue', { decision: done }, 'accept'],
    ['6: waiting', { decision: { kind: 'wait', reason: 'background' } }, 'accept'],
    ['7: text with open todos', {}, 'open-todos'],
    ['7: after an empty attempt', { attempt: 2, maxAttempts: 3, emptyRetried: true }, 'open-todos'],
  ])('%s', (_name, change, expected) => {
    const decision = decideRetry({ ...stopped, ...change });
    expect(decision.kind === 'retry' ? decision.cause : decision.kind).toBe(expected);
  });
});
