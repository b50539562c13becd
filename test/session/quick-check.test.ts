import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { quickCheck } from '../../src/session/quick-check.ts';
import { type DurableEvent, durableEventSchema, nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { sampleEvents, seed, soakFactor } from './sample-log.ts';

const origin = { provider: 'p', model: 'm' };
const events: readonly DurableEvent[] = [
  ...sampleEvents(1, 5),
  { type: 'permission-decision', ...nowhere, requestId: 'r', callId: 'c', verdict: 'refuse', by: 'user', reason: 'no', endsRun: true },
  {
    type: 'compaction',
    ...nowhere,
    messages: [{ role: 'user', kind: 'summary', text: 's' }],
    trigger: 'auto',
    method: 'summary',
    tokensBefore: 2,
    tokensAfter: 1,
  },
  {
    type: 'turn-end',
    ...nowhere,
    message: { role: 'assistant', parts: [{ type: 'text', text: 't', origin }], cut: true },
    finish: 'stop',
    usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 },
  },
  { type: 'loop-detected', ...nowhere, detail: 'x', strike: 2 },
  { type: 'error', ...nowhere, error: { kind: 'server', message: 'x', retryable: true } },
];

const isEvent = quickCheck(durableEventSchema());

describe('on events', () => {
  it('knows every event that a session is made of', () => {
    expect(events.filter((event) => !isEvent(JSON.parse(JSON.stringify(event)))).map(({ type }) => type)).toEqual([]);
  });

  it('never says yes where the schema would say no or give something else', () => {
    const clock = createFakeClock(0, seed);
    const below = (count: number): number => Math.floor(clock.random() * count);
    const strange = [null, '', 'x', -1, 0, 1.5, 1e300, true, [], {}, { type: 'text' }, [1], { a: 1 }];
    /** Takes away, adds or exchanges something at a random place. */
    const spoil = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || below(4) === 0) return strange[below(strange.length)];
      if (Array.isArray(value))
        return value.length === 0 ? [strange[below(strange.length)]] : value.with(below(value.length), spoil(value[below(value.length)]));
      const keys = Object.keys(value);
      const key = keys[below(keys.length)];
      if (key === undefined || below(5) === 0)
        return { ...value, [['extra', '__proto__x', 'note'][below(3)] ?? '']: strange[below(strange.length)] };
      const { [key]: old, ...rest } = value as Record<string, unknown>; // a JSON object
      return below(5) === 0 ? rest : { ...rest, [key]: spoil(old) };
    };
    const rounds = 3000 * soakFactor;
    let accepted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const value = spoil(JSON.parse(JSON.stringify(events[below(events.length)])));
      if (!isEvent(value)) continue;
      accepted += 1;
      expect(durableEventSchema().safeParse(value)).toEqual({ success: true, data: value });
    }
    expect(accepted).toBeGreaterThan(rounds / 100);
  });
});

describe('on schemas', () => {
  it.each<[string, z.ZodType, unknown, boolean]>([
    ['a text', z.string(), 'a', true],
    ['a text with a length: unknown', z.string().max(3), 'a', false],
    ['a text that is changed by the parse: unknown', z.string().trim(), 'a', false],
    ['a number', z.number(), 1.5, true],
    ['no number', z.number(), Number.NaN, false],
    ['an integer', z.number().int(), 3, true],
    ['no integer', z.number().int(), 3.5, false],
    ['an integer beyond what is exact', z.number().int(), 2 ** 60, false],
    ['not negative', z.number().nonnegative(), 0, true],
    ['negative', z.number().nonnegative(), -1, false],
    ['positive: unknown', z.number().positive(), 1, false],
    ['at most: unknown', z.number().max(3), 1, false],
    ['a choice', z.enum(['a', 'b']), 'b', true],
    ['none of the choices', z.enum(['a', 'b']), 'c', false],
    ['a literal', z.literal(1), 1, true],
    ['nullable', z.string().nullable(), null, true],
    ['a default is not left out', z.object({ a: z.string().default('x') }), {}, false],
    ['an optional key is left out', z.object({ a: z.string().optional() }), {}, true],
    ['a key is missing', z.object({ a: z.string() }), {}, false],
    ['a key of the prototype is no key', z.object({ constructor: z.unknown() }), {}, false],
    ['a key more', z.object({ a: z.string() }), { a: 'x', b: 1 }, false],
    ['loose objects: unknown', z.looseObject({ a: z.string() }), { a: 'x' }, false],
    ['an array is no object', z.object({}), [], false],
    ['a list', z.array(z.string()), ['a', 'b'], true],
    ['a list with a stranger', z.array(z.string()), ['a', 1], false],
    ['a list with a length: unknown', z.array(z.string()).max(3), ['a'], false],
    ['a record', z.record(z.string(), z.number()), { a: 1 }, true],
    ['a record with a stranger', z.record(z.string(), z.number()), { a: '1' }, false],
    ['a record with the one key that is dropped', z.record(z.string(), z.unknown()), JSON.parse('{"__proto__":1}'), false],
    ['literals in a union', z.union([z.literal(1), z.literal(2)]), 2, true],
    [
      'objects in a union: the first one may drop keys',
      z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })]),
      { a: 'x', b: 'y' },
      false,
    ],
    ['a refinement: unknown', z.object({ a: z.string() }).refine(() => true), { a: 'x' }, false],
    ['a date: unknown', z.date(), new Date(0), false],
  ])('%s', (_name, schema, value, expected) => {
    expect(quickCheck(schema)(value)).toBe(expected);
    if (expected) expect(schema.parse(value)).toEqual(value);
  });
});
