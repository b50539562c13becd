import { describe, expect, it } from 'vitest';
import { createBatches } from '../../src/providers/event-batches.ts';
import type { ProviderEvent } from '../../src/providers/provider.ts';

const text = (piece: string): ProviderEvent => ({ type: 'text-delta', text: piece });
const thought = (piece: string): ProviderEvent => ({ type: 'reasoning-delta', text: piece });
const usage: ProviderEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } };
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function readAll(events: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const all: ProviderEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('events that come together', () => {
  it.each<[string, ProviderEvent[], ProviderEvent[]]>([
    ['pieces of one text', [text('a'), text('b'), text('c')], [text('abc')]],
    ['text and thoughts stay apart', [thought('x'), thought('y'), text('a'), thought('z')], [thought('xy'), text('a'), thought('z')]],
    ['what stands between two pieces', [text('a'), usage, text('b')], [text('a'), usage, text('b')]],
    [
      'a signed piece is one of its own',
      [thought('a'), { type: 'reasoning-delta', text: 'b', signature: 's' }, thought('c'), thought('d')],
      [thought('a'), { type: 'reasoning-delta', text: 'b', signature: 's' }, thought('cd')],
    ],
    ['nothing at all', [], []],
  ])('%s', async (_, pushed, expected) => {
    const batches = createBatches();
    const read = readAll(batches.events());
    for (const event of pushed) {
      batches.push(event);
      await Promise.resolve(); // a library that hands on one event a microtask
    }
    batches.end();
    expect(await read).toEqual(expected);
  });

  it('reach a waiting reader in the same turn of the event loop, before the end is known', async () => {
    const batches = createBatches();
    const seen: ProviderEvent[] = [];
    const read = (async () => {
      for await (const event of batches.events()) seen.push(event);
    })();
    batches.push(text('a'));
    batches.push(text('b'));
    await turnOfLoop();
    await turnOfLoop();
    expect(seen).toEqual([text('ab')]);
    batches.push(text('c'));
    await turnOfLoop();
    await turnOfLoop();
    expect(seen).toEqual([text('ab'), text('c')]);
    batches.end();
    await read;
  });

  it('wait for a reader that is slow', async () => {
    const batches = createBatches();
    const events = batches.events();
    batches.push(text('a'));
    expect(await events.next()).toEqual({ done: false, value: text('a') });
    batches.push(text('b'));
    batches.push(usage);
    batches.end();
    expect([await events.next(), await events.next(), (await events.next()).done]).toEqual([
      { done: false, value: text('b') },
      { done: false, value: usage },
      true,
    ]);
  });
});
