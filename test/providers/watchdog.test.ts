import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../../src/providers/provider.ts';
import { startWatchdog, type WaitPhase } from '../../src/providers/watchdog.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { startStrictServer } from '../helpers/strict-server.ts';
import { adapterFor, collect, configFor, type Dialect, prompt, requestOf } from './harness.ts';

describe('startWatchdog', () => {
  it.each<
    [string, (enter: (phase: WaitPhase, ms: number) => void, advance: (ms: number) => Promise<void>) => Promise<void>, readonly WaitPhase[]]
  >([
    [
      'expires once, at its limit',
      async (enter, advance) => {
        enter('idle', 100);
        await advance(99);
        await advance(1);
        await advance(1000);
      },
      ['idle'],
    ],
    [
      'not before',
      async (enter, advance) => {
        enter('idle', 100);
        await advance(99);
      },
      [],
    ],
    [
      'each entry starts anew',
      async (enter, advance) => {
        enter('idle', 100);
        await advance(99);
        enter('idle', 100);
        await advance(99);
      },
      [],
    ],
    [
      'a shorter wait ends earlier',
      async (enter, advance) => {
        enter('first-byte', 1000);
        await advance(10);
        enter('after-finish', 50);
        await advance(50);
      },
      ['after-finish'],
    ],
    [
      'a longer wait ends later',
      async (enter, advance) => {
        enter('connect', 10);
        enter('first-byte', 1000);
        await advance(999);
      },
      [],
    ],
  ])('%s', async (_, act, expected) => {
    const clock = createFakeClock();
    const expired: WaitPhase[] = [];
    const watchdog = startWatchdog(clock, (phase) => expired.push(phase));
    await act(watchdog.enter, clock.advance);
    expect(expired).toEqual(expected);
    watchdog.stop();
    await clock.advance(10_000);
    expect(expired).toEqual(expected);
    expect(clock.pending()).toBe(0);
  });

  it('has one sleep open, however many events there are', () => {
    const clock = createFakeClock();
    const watchdog = startWatchdog(clock, () => undefined);
    for (let event = 0; event < 1000; event += 1) watchdog.enter('idle', 100 + event);
    expect(clock.pending()).toBe(1);
    watchdog.stop();
  });
});

describe.each(['openai', 'gemini'] as const)('a connection that is never made (%s)', (dialect: Dialect) => {
  it('is given up after 15 s', async () => {
    // It takes the connection but never answers the TLS handshake, so no request can be sent.
    const mute = createServer();
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const arrived = new Promise<void>((resolve) =>
      mute.once('connection', (socket) => {
        socket.on('error', () => undefined);
        resolve();
      }),
    );
    const clock = createFakeClock();
    const events = collect(adapterFor(configFor(dialect, `https://127.0.0.1:${port}`), clock), requestOf([prompt('hi')]));
    await arrived;
    await clock.advance(14_999);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(await events).toMatchObject([{ type: 'error', error: { kind: 'timeout', message: expect.stringContaining('within 15 s') } }]);
    mute.close();
  });

  it('and one that is refused says what to do', async () => {
    const server = await startStrictServer();
    const { url } = server;
    await server.close();
    const events = await collect(adapterFor(configFor(dialect, url), createFakeClock()), requestOf([prompt('hi')]));
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'network', message: expect.stringContaining('start the server') } }]);
  });
});

describe.each(['openai', 'gemini'] as const)('an abort (%s)', (dialect: Dialect) => {
  it.each(['before the request', 'before the first byte', 'in the middle'] as const)(
    '%s ends the stream with finish aborted, and the request is gone',
    async (when) => {
      const server = await startStrictServer();
      const first =
        dialect === 'openai'
          ? 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
          : 'data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\n';
      let arrived = (): void => undefined;
      const seen = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      server.replyWith(() => {
        arrived();
        return when === 'in the middle' ? { body: first, hang: true } : { body: '', silent: true };
      });
      const abort = new AbortController();
      if (when === 'before the request') abort.abort();
      const events: ProviderEvent[] = [];
      const clock = createFakeClock();
      for await (const event of (async function* () {
        const stream = adapterFor(configFor(dialect, server.url), clock).stream(requestOf([prompt('hi')]), abort.signal);
        if (when === 'before the first byte') void seen.then(() => abort.abort());
        yield* stream;
      })()) {
        events.push(event);
        if (event.type === 'text-delta') abort.abort();
      }
      expect(events.at(-1)).toEqual({ type: 'finish', finish: 'aborted' });
      expect(events.filter((event) => event.type === 'finish')).toHaveLength(1);
      while (server.open() > 0) await clock.settle();
      expect(server.requests).toHaveLength(when === 'before the request' ? 0 : 1);
      expect(clock.pending()).toBe(0);
      await server.close();
    },
  );

  it('a reader that walks away takes the request with it', async () => {
    const server = await startStrictServer();
    const first =
      dialect === 'openai'
        ? 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
        : 'data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\n';
    server.reply({ body: first, hang: true });
    const clock = createFakeClock();
    for await (const event of adapterFor(configFor(dialect, server.url), clock).stream(
      requestOf([prompt('hi')]),
      new AbortController().signal,
    )) {
      if (event.type === 'text-delta') break;
    }
    while (server.open() > 0) await clock.settle();
    expect(clock.pending()).toBe(0);
    await server.close();
  });
});
