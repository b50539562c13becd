import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../../src/providers/provider.ts';
import { createFakeClock, type FakeClock } from '../helpers/fake-clock.ts';
import { type Reply, startStrictServer } from '../helpers/strict-server.ts';
import { type FaultRuns, startFaultRuns } from './fault-runs.ts';
import { adapterFor, bodyOf, configFor, loadFixtures, prompt, requestOf, type WireFixture } from './harness.ts';

const factor = Math.min(100, Number(process.env.TILLDONE_SOAK_FACTOR ?? 1));

/** A sample; integration-tests/wire runs every byte, 500 faults and 1,000 streams. */
describe('faulty streams', () => {
  let runs: FaultRuns;
  beforeAll(async () => {
    runs = await startFaultRuns(Number(process.env.TILLDONE_SEED ?? 1));
  });
  afterAll(() => runs.close());

  it.each(['openai', 'gemini'] as const)('cut at every 41st byte (%s): no call unless the response is whole', async (dialect) => {
    expect(await runs.cutEvery(dialect, 41)).toEqual([]);
  });
  it('20 seeded faults of ten more streams', async () => {
    expect(await runs.seededFaults(2 * factor)).toEqual([]);
  });
  it('60 fuzzed streams: no crash, one end each', async () => {
    expect(await runs.fuzz(60 * factor)).toEqual([]);
  });
});

describe('silence', () => {
  const whole = bodyOf(loadFixtures('openai').find(({ name }) => name === 'usage-without-choices') as WireFixture); // it is in the tree
  async function silent(
    reply: Reply,
    advance: (clock: FakeClock, sent: Promise<void>) => Promise<void>,
  ): Promise<readonly ProviderEvent[]> {
    const clock = createFakeClock();
    const own = await startStrictServer();
    let arrived = (): void => undefined;
    const sent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    own.replyWith(() => {
      arrived();
      return reply;
    });
    const events: ProviderEvent[] = [];
    const done = (async () => {
      for await (const event of adapterFor(configFor('openai', own.url), clock).stream(
        requestOf([prompt('hi')]),
        new AbortController().signal,
      ))
        events.push(event);
    })();
    await advance(clock, sent);
    await done;
    await own.close();
    expect(clock.pending()).toBe(0);
    return events;
  }

  it('no first byte: given up after 120 s, not before', async () => {
    const events = await silent({ body: '', silent: true }, async (clock, sent) => {
      await sent;
      await clock.advance(119_999);
      expect(clock.pending()).toBe(1);
      await clock.advance(1);
    });
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'timeout', retryable: true } }]);
  });

  it('comments are no events: keep-alives alone do not keep a request alive', async () => {
    const events = await silent({ body: [': waiting\n\n', ': waiting\n\n'], hang: true }, async (clock, sent) => {
      await sent;
      await clock.advance(121_000);
    });
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'timeout' } }]);
  });

  it('a finish without an end is a finish, without waiting for the idle limit', async () => {
    const upToFinish = whole.slice(
      0,
      whole.indexOf('data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "m", "choices": []'),
    );
    const body = upToFinish.length > 10 ? upToFinish : whole.slice(0, whole.lastIndexOf('data: {'));
    const events = await silent({ body, hang: true }, async (clock, sent) => {
      await sent;
      while (clock.pending() > 0) await clock.advance(500);
    });
    expect(events.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
  });

  it('finish and usage together end the turn though the socket stays open', async () => {
    const events = await silent({ body: whole.replace('data: [DONE]\n\n', ' '), hang: true }, async (clock, sent) => {
      await sent;
      while (clock.pending() > 0) await clock.advance(50);
    });
    expect(events.map((event) => event.type)).toEqual(['text-delta', 'usage', 'finish']);
  });
});
