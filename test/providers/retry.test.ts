import { describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../../src/providers/provider.ts';
import { decideTry, withRetry } from '../../src/providers/retry.ts';
import { readDuration, readRetryAfter } from '../../src/providers/retry-after.ts';
import { createScripted, type Script } from '../../src/providers/scripted.ts';
import type { ErrorInfo } from '../../src/types/errors.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { prompt, requestOf } from './harness.ts';

const server: ErrorInfo = { kind: 'server', message: 'h answered HTTP 500.', status: 500, retryable: true };
const limited: ErrorInfo = { kind: 'rate-limit', message: 'h answered HTTP 429.', status: 429, retryable: true };

describe('decideTry', () => {
  it.each<[string, ErrorInfo, { tries?: number; called?: boolean; random?: number }, object]>([
    ['the first wait is half a second', server, {}, { kind: 'wait', delayMs: 500 }],
    ['it doubles', server, { tries: 3 }, { kind: 'wait', delayMs: 2000 }],
    ['jitter adds up to a quarter', server, { random: 1 }, { kind: 'wait', delayMs: 625 }],
    ['five tries and no more', server, { tries: 5 }, { kind: 'stop', error: { message: 'h answered HTTP 500. Gave up after 5 tries.' } }],
    ['not retryable', { ...server, retryable: false }, {}, { kind: 'stop' }],
    ['never after a call was handed out', server, { called: true }, { kind: 'stop' }],
    ['Retry-After is honoured', { ...limited, retryAfterMs: 3000 }, {}, { kind: 'wait', delayMs: 3000 }],
    ['with jitter on top, never below', { ...limited, retryAfterMs: 3000 }, { random: 1 }, { kind: 'wait', delayMs: 3125 }],
    ['up to 60 s', { ...limited, retryAfterMs: 60_000 }, { random: 1 }, { kind: 'wait', delayMs: 60_000 }],
    [
      'beyond that it stops and names the time',
      { ...limited, retryAfterMs: 300_000 },
      {},
      { kind: 'stop', error: { message: 'h answered HTTP 429. It asks to wait 5 min; try again then.' } },
    ],
    ['Retry-After 0 still waits for the jitter only', { ...limited, retryAfterMs: 0 }, { random: 0 }, { kind: 'wait', delayMs: 0 }],
    ['silence gets one more try', { ...server, kind: 'timeout' }, { tries: 2 }, { kind: 'stop' }],
    [
      'a server that is not there gets one more try',
      { ...server, kind: 'network', message: 'Nothing answers (ECONNREFUSED).' },
      { tries: 2 },
      { kind: 'stop' },
    ],
  ])('%s', (_, error, { tries = 1, called = false, random = 0 }, expected) => {
    expect(decideTry(error, { tries, called, random })).toMatchObject(expected);
  });
});

describe('readRetryAfter', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  const info = (retryDelay: string) => ({ details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }] });
  it.each<[string, Record<string, string>, Record<string, unknown> | undefined, string, number | undefined]>([
    ['seconds', { 'retry-after': '3' }, undefined, '', 3000],
    ['fractions of a second', { 'retry-after': '0.5' }, undefined, '', 500],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, undefined, '', 20_000],
    ['a date in the past', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, undefined, '', 0],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '9' }, undefined, '', 250],
    ['RetryInfo', {}, info('7.5s'), '', 7500],
    ['words', {}, undefined, 'Rate limit reached. Please try again in 1m2.5s. Visit us.', 62_500],
    ['words in ms', {}, undefined, 'Please try again in 120ms.', 120],
    ['words with units', {}, undefined, 'retry after 20 seconds', 20_000],
    ['garbage', { 'retry-after': 'soon' }, undefined, 'later', undefined],
    ['nothing', {}, undefined, '', undefined],
  ])('%s', (_, headers, error, text, expected) => {
    expect(readRetryAfter({ headers: new Headers(headers), error, text, nowMs })).toBe(expected);
  });
  it.each([
    ['7s', 7000],
    ['6m0s', 360_000],
    ['1h2m', 3_720_000],
    ['15 milliseconds', 15],
  ])('duration %s', (text, ms) => expect(readDuration(text)).toBe(ms));
});

describe('withRetry', () => {
  const request = requestOf([prompt('hi')]);
  function start(script: Script): {
    events: ProviderEvent[];
    done: Promise<void>;
    abort: AbortController;
    clock: ReturnType<typeof createFakeClock>;
    requests: number[];
  } {
    const clock = createFakeClock();
    const scripted = createScripted(script, { clock });
    const abort = new AbortController();
    const events: ProviderEvent[] = [];
    const requests: number[] = [];
    const done = (async () => {
      for await (const event of withRetry(scripted, { clock }).stream(request, abort.signal)) events.push(event);
      requests.push(scripted.requests.length);
    })();
    return { events, done, abort, clock, requests };
  }
  const outline = (events: readonly ProviderEvent[]): readonly string[] =>
    events.map((event) =>
      event.type === 'retry-wait' ? `wait ${event.voids ? 'voids' : 'keeps'}` : event.type === 'finish' ? event.finish : event.type,
    );

  it('tries again, says so, and ends with one finish', async () => {
    const run = start([{ error: server }, [{ text: 'half' }, { error: server }], { text: 'whole' }]);
    await run.clock.advanceUntil(() => false);
    await run.done;
    expect(outline(run.events)).toEqual(['wait keeps', 'text-delta', 'wait voids', 'text-delta', 'stop']);
    expect(run.requests).toEqual([3]);
  });

  it('waits what the server asks for (scenario 17)', async () => {
    const run = start([{ error: { ...limited, retryAfterMs: 3000 } }, { text: 'ok' }]);
    await run.clock.settle();
    expect(run.events).toMatchObject([{ type: 'retry-wait', cause: 'h answered HTTP 429.' }]);
    await run.clock.advance(2999);
    expect(run.events).toHaveLength(1);
    await run.clock.advance(200);
    await run.done;
    expect(outline(run.events)).toEqual(['wait keeps', 'text-delta', 'stop']);
  });

  it('gives up with one error after five tries', async () => {
    const run = start({ turns: [{ error: server }], repeatLast: true });
    await run.clock.advanceUntil(() => false);
    await run.done;
    expect(outline(run.events)).toEqual(['wait keeps', 'wait keeps', 'wait keeps', 'wait keeps', 'error']);
    expect(run.requests).toEqual([5]);
  });

  it('does not try again after a call was handed out', async () => {
    const run = start([[{ calls: [{ name: 'shell' }] }, { error: server }], { text: 'never' }]);
    await run.done;
    expect(outline(run.events)).toEqual(['tool-call', 'error']);
  });

  it('an abort ends the wait at once, and nothing is sent any more', async () => {
    const run = start({ turns: [{ error: server }], repeatLast: true });
    await run.clock.settle();
    run.abort.abort();
    await run.done;
    await run.clock.advance(600_000);
    expect(outline(run.events)).toEqual(['wait keeps', 'aborted']);
    expect(run.requests).toEqual([1]);
    expect(run.clock.pending()).toBe(0);
  });
});
