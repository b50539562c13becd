import { describe, expect, it } from 'vitest';
import { type AttemptState, flush, newAttempt, stepAttempt } from '../../src/core/attempt.ts';
import type { ProviderEvent } from '../../src/providers/provider.ts';
import { outlineEvent } from '../helpers/events.ts';

const context = { place: { runId: 'r', turn: 1, attempt: 1 }, origin: { provider: 'p', model: 'm' } };

const text = (words: string): ProviderEvent => ({ type: 'text-delta', text: words });
const thought = (words: string): ProviderEvent => ({ type: 'reasoning-delta', text: words });
const call: ProviderEvent = { type: 'tool-call', call: { callId: 'c', name: 'look', arguments: {} } };
const citation: ProviderEvent = { type: 'citation', text: 'a page', url: 'https://example.org' };
const usage = (outputTokens: number): ProviderEvent => ({ type: 'usage', usage: { inputTokens: 1, outputTokens } });
const wait = (voids: boolean): ProviderEvent => ({ type: 'retry-wait', delayMs: 5, cause: '429', voids });
const finish: ProviderEvent = { type: 'finish', finish: 'stop' };
const error: ProviderEvent = { type: 'error', error: { kind: 'network', message: 'reset', retryable: true } };
const long = 'x'.repeat(600);

/** What each event led to, a `|` between events; then `=`, and what an accepted attempt still owes. */
function played(deferring: boolean, events: readonly ProviderEvent[], cut = false): { line: string; state: AttemptState } {
  let state = newAttempt(deferring);
  const parts = events.map((event) => {
    const step = stepAttempt(state, event, context);
    state = step.state;
    return step.emit.map((emitted) => outlineEvent(emitted).replace(long, 'LONG')).join(', ');
  });
  const owed = flush(state, cut).map(
    (event) => `${outlineEvent(event).replace(long, 'LONG')}${event.type === 'text-delta' && event.cut === true ? ' (cut)' : ''}`,
  );
  return { line: `${parts.join(' | ')} = ${owed.join(', ')}`, state };
}

describe('stepAttempt', () => {
  it.each<[string, boolean, readonly ProviderEvent[], string]>([
    ['text streams when no retry is possible', false, [text('a'), text('b'), finish], 'text-delta a | text-delta b |  = '],
    [
      'text is held and drafted while one is',
      true,
      [text('a'), text('b'), finish],
      'draft-delta a | draft-delta b |  = text-delta a, text-delta b',
    ],
    [
      'the first call settles it, held text first',
      true,
      [text('a'), call, text('b')],
      'draft-delta a | text-delta a, tool-call look | text-delta b = ',
    ],
    ['a second call just follows', true, [call, call], 'tool-call look | tool-call look = '],
    ['600 characters do not', true, [text(long)], 'draft-delta LONG = text-delta LONG'],
    [
      'the 601st does, and text streams on',
      true,
      [text(long), text('y'), text('z')],
      'draft-delta LONG | text-delta LONG, text-delta y | text-delta z = ',
    ],
    ['white space around does not count', true, [text(`  ${long}\n\n`)], 'draft-delta   LONG\n\n = text-delta   LONG\n\n'],
    ['citations come once, at the end', false, [text('a'), citation, text('b'), finish], 'text-delta a |  | text-delta b |  = citation'],
    [
      'and stay held when the text is settled',
      true,
      [citation, text('a'), call, finish],
      ' | draft-delta a | text-delta a, tool-call look |  = citation',
    ],
    ['thoughts are shown at once', true, [thought('hm'), text('a')], 'reasoning-delta hm | draft-delta a = text-delta a'],
    ['empty pieces show nothing', true, [text(''), thought('')], ' |  = '],
    ['a wait is shown', true, [wait(false), text('a')], 'retry-wait | draft-delta a = text-delta a'],
    [
      'a wait that voids forgets what was held',
      true,
      [text('a'), wait(true), text('b')],
      'draft-delta a | retry-wait | draft-delta b = text-delta b',
    ],
    [
      'after it settled, voided text is held again',
      true,
      [call, wait(true), text('b')],
      'tool-call look | retry-wait | draft-delta b = text-delta b',
    ],
    [
      'where no retry is possible it streams again',
      false,
      [text('a'), wait(true), text('b')],
      'text-delta a | retry-wait | text-delta b = ',
    ],
  ])('%s', (_name, deferring, events, expected) => {
    expect(played(deferring, events).line).toBe(expected);
  });

  it('marks held text of a stream that was cut', () => {
    expect(played(true, [text('a'), citation, error], true).line).toBe('draft-delta a |  |  = text-delta a (cut), citation');
  });

  it('joins pieces of one kind and keeps the order of parts, signatures and origin', () => {
    const { state } = played(false, [
      thought('a'),
      { type: 'reasoning-delta', text: 'b', signature: 'sig' },
      thought('c'),
      text('d'),
      text('e'),
      call,
      text('f'),
    ]);
    const { origin } = context;
    expect(state.parts).toEqual([
      { type: 'reasoning', text: 'ab', signature: 'sig', origin },
      { type: 'reasoning', text: 'c', origin },
      { type: 'text', text: 'de', origin },
      { type: 'tool-call', callId: 'c', name: 'look', arguments: {}, origin },
      { type: 'text', text: 'f', origin },
    ]);
    expect([state.text, state.toolCalls]).toEqual(['def', 1]);
  });

  it('a signature without text is kept, an empty piece is not', () => {
    expect(played(false, [{ type: 'reasoning-delta', text: '', signature: 's' }, text('')]).state.parts).toHaveLength(1);
  });

  it('a later usage replaces an earlier one, and voiding keeps it', () => {
    expect(played(false, [usage(1), usage(7), wait(true)]).state.usage?.outputTokens).toBe(7);
  });

  it('ends with a finish or an error', () => {
    expect(played(false, [finish]).state.finish).toBe('stop');
    expect(played(false, [error]).state).toMatchObject({ finish: 'error', error: { message: 'reset' } });
  });
});
