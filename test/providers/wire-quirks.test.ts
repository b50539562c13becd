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
  beforeEach(() => {
    clock = createFakeClock();
  });

  it('a local server may take minutes before the first byte', async () => {
    let release = (): void => undefined;
    const { createServer } = await import('node:http');
    const slow = createServer((incoming, response) => {
      incoming.resume();
      release = () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(goOn.openai);
      };
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const address = slow.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const arrived = new Promise<void>((resolve) => slow.once('request', () => resolve()));
    const events = collect(adapterFor(configFor('openai', `http://127.0.0.1:${port}`), clock), requestOf([prompt('hi')]));
    await arrived;
    await clock.advance(119_000);
    release();
    expect((await events).at(-1)).toEqual({ type: 'finish', finish: 'stop' });
    slow.close();
  });
});
