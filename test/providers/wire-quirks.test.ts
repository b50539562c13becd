import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinDeltas } from '../../src/providers/event-batches.ts';
import type { ProviderEvent } from '../../src/providers/provider.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type StrictServer, sse, startStrictServer } from '../helpers/strict-server.ts';
import {
  adapterFor,
  bodyOf,
  collect,
  configFor,
  type Dialect,
  loadFixtures,
  messageFrom,
  prompt,
  requestOf,
  resultsFor,
  testKeys,
  type WireFixture,
} from './harness.ts';

let server: StrictServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(fixture: WireFixture): Promise<StrictServer> {
  server = await startStrictServer({
    ...fixture.server,
    key: testKeys[fixture.dialect],
    issued: new Map(Object.entries(fixture.issued ?? {})),
  });
  return server;
}

const goOn = {
  openai: sse([{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }]),
  gemini: sse([{ candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] }], { done: false }),
};

/** What one network read brings is one piece of text; how much that is, is up to the machine. */
function joined(events: readonly ProviderEvent[]): readonly ProviderEvent[] {
  const all: ProviderEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const both = last === undefined ? undefined : joinDeltas(last, event);
    if (both === undefined) all.push(event);
    else all[all.length - 1] = both;
  }
  return all;
}

describe.each(
  [...loadFixtures('openai'), ...loadFixtures('gemini')].map(
    (fixture) => [`${fixture.dialect}/${fixture.name}: ${fixture.quirk}`, fixture] as const,
  ),
)('%s', (_, fixture) => {
  it('becomes these events, and the next request is accepted', async () => {
    const { url, reply, requests } = await start(fixture);
    const { status, headers } = fixture;
    reply(
      { body: bodyOf(fixture), ...(status === undefined ? {} : { status }), ...(headers === undefined ? {} : { headers }) },
      { body: goOn[fixture.dialect] },
    );
    const model = fixture.model ?? 'm';
    const config = configFor(fixture.dialect, url, { model, ...(fixture.compat === undefined ? {} : { compat: fixture.compat }) });
    const provider = adapterFor(config, createFakeClock());
    const history = [prompt('Look at both.')];
    const events = joined(await collect(provider, requestOf(history, { model })));

    const expectedEvents = joined(fixture.events as readonly ProviderEvent[]); // an expected error has less in it, and is never joined
    expect(requests[0]?.problem).toBeUndefined();
    expect(events).toHaveLength(expectedEvents.length);
    for (const [index, expected] of (expectedEvents as WireFixture['events']).entries()) {
      const event = events[index];
      if (expected.type !== 'error' || event?.type !== 'error') {
        expect(event).toEqual(expected);
        continue;
      }
      const { message, ...facts } = event.error;
      expect(facts).toEqual(expected.error);
      for (const text of expected.includes ?? []) expect(message).toContain(text);
      expect(message).not.toContain(testKeys[fixture.dialect]);
    }

    const answer = messageFrom(events, { provider: config.id, model });
    const reminder = { role: 'user', kind: 'reminder', text: 'Carry on.' } as const;
    const next = await collect(provider, requestOf([...history, answer, ...resultsFor(answer), reminder], { model }));
    expect(requests[1]?.problem).toBeUndefined();
    expect(next.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
  });
});

describe('what goes back', () => {
  it('returns thoughts with calls only in the field that the profile names', async () => {
    const fixture = loadFixtures('openai').find(({ name }) => name === 'reasoning-content');
    if (fixture === undefined) throw new Error('no such fixture');
    for (const compat of [fixture.compat ?? {}, {}]) {
      const { url, reply, requests, close } = await start(fixture);
      reply({ body: bodyOf(fixture) }, { body: goOn.openai });
      const config = configFor('openai', url, { compat });
      const provider = adapterFor(config, createFakeClock());
      const events = await collect(provider, requestOf([prompt('Go.')]));
      const answer = messageFrom(events, { provider: 'openai', model: 'm' });
      // reasoning_content is no field that our strict server knows at the top, so it looks at the message only
      await collect(provider, requestOf([prompt('Go.'), answer, ...resultsFor(answer)]));
      const sent = JSON.stringify(requests[1]?.body);
      expect(sent.includes('"reasoning_content":"Let me see."')).toBe('returnReasoning' in compat);
      await close();
    }
  });
});

describe('slow servers', () => {
  let clock = createFakeClock();
  let held: Server | undefined;
  beforeEach(() => {
    clock = createFakeClock();
  });
  afterEach(() => {
    held?.close();
    held?.closeAllConnections();
  });

  /** What comes of one request whose response the test writes, piece by piece; `text` is what has come of it so far. */
  async function hold(
    dialect: Dialect,
  ): Promise<{ response: ServerResponse; events: Promise<readonly ProviderEvent[]>; text: () => string }> {
    const listening = createServer();
    held = listening;
    await once(listening.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`; // a TCP server
    const seen: ProviderEvent[] = [];
    const read = async (): Promise<readonly ProviderEvent[]> => {
      const provider = adapterFor(configFor(dialect, url), clock);
      for await (const event of provider.stream(requestOf([prompt('hi')]), new AbortController().signal)) seen.push(event);
      return seen;
    };
    const events = read();
    const [request, response] = (await once(listening, 'request')) as [IncomingMessage, ServerResponse];
    request.resume();
    return { response, events, text: () => seen.map((event) => (event.type === 'text-delta' ? event.text : '')).join('') };
  }
  const begin = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  };
  /** Writes, and lets it arrive. */
  const write = async (response: ServerResponse, text: string): Promise<void> => {
    await new Promise((resolve) => response.write(text, resolve));
    for (let round = 0; round < 20; round += 1) await clock.settle();
  };

  it('a local server may take minutes before the first byte', async () => {
    const { response, events } = await hold('openai');
    await clock.advance(119_000);
    begin(response);
    response.end(goOn.openai);
    expect((await events).at(-1)).toEqual({ type: 'finish', finish: 'stop' });
  });

  const openAiText = (content: string): string =>
    sse([{ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }], { done: false });
  const geminiText = (text: string): string =>
    sse([{ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }], { done: false });

  describe.each([
    ['openai', openAiText],
    ['gemini', geminiText],
  ] as const)('%s with a finish in each chunk', (dialect, piece) => {
    it('is read to its end, however long it pauses', async () => {
      const { response, events, text } = await hold(dialect);
      begin(response);
      response.write(piece('one '));
      response.write(piece('two '));
      await expect.poll(text).toBe('one two ');
      await clock.advance(60_000);
      response.end(piece('three'));
      const all = joined(await events);
      expect(all).toEqual([
        { type: 'text-delta', text: 'one two three' },
        { type: 'finish', finish: 'stop' },
      ]);
    });

    it('and lost on the way is no whole answer', async () => {
      const { response, events, text } = await hold(dialect);
      begin(response);
      response.write(piece('one '));
      response.write(piece('two '));
      await expect.poll(text).toBe('one two ');
      response.destroy();
      expect((await events).at(-1)).toMatchObject({ type: 'error', error: { retryable: true } });
    });
  });

  it('comments before the first event are a sign of life, but not for ever', async () => {
    const { response, events } = await hold('openai');
    begin(response);
    let ended = false;
    void events.then(() => {
      ended = true;
    });
    let waited = 0;
    for (; !ended && waited < 60; waited += 1) {
      await write(response, ': PROCESSING\n\n');
      await clock.advance(60_000);
    }
    expect(waited).toBeGreaterThanOrEqual(9);
    expect(waited).toBeLessThan(15);
    expect((await events).at(-1)).toMatchObject({ type: 'error', error: { kind: 'timeout' } });
  });
});
