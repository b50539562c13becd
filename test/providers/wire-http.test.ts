import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpSend } from '../../src/providers/wire-http.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { encodeTurn } from './conversations.ts';
import { adapterFor, collect, configFor, prompt, requestOf } from './harness.ts';

let server: Server;
let url = '';
let sockets: Socket[] = [];
/** What the server does with the request of that number. */
let onRequest: (index: number, socket: Socket) => 'answer' | 'nothing' = () => 'answer';
beforeEach(async () => {
  sockets = [];
  onRequest = () => 'answer';
  let requests = 0;
  server = createServer((incoming, response) => {
    const index = requests++;
    incoming.resume();
    if (onRequest(index, incoming.socket) === 'nothing') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(encodeTurn('openai', { text: `answer ${index}` }, index));
    response.end();
  });
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('connections', () => {
  it('one serves many turns', async () => {
    const provider = adapterFor(configFor('openai', url), createFakeClock());
    for (let turn = 0; turn < 5; turn += 1) {
      const events = await collect(provider, requestOf([prompt('hi')]));
      expect(events).toMatchObject([
        { type: 'text-delta', text: `answer ${turn}` },
        { type: 'finish', finish: 'stop' },
      ]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sockets).toHaveLength(1);
  });

  it('a kept one that the server closed in that moment is replaced, without a failed try', async () => {
    onRequest = (index, socket) => {
      if (index !== 1) return 'answer';
      socket.resetAndDestroy();
      return 'nothing';
    };
    const provider = adapterFor(configFor('openai', url), createFakeClock());
    for (let turn = 0; turn < 2; turn += 1) {
      const events = await collect(provider, requestOf([prompt('hi')]));
      expect(events.at(-1)).toEqual({ type: 'finish', finish: 'stop' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sockets).toHaveLength(2);
  });

  it('says when the request goes out, on a new connection and on a kept one', async () => {
    const send = createHttpSend(createFakeClock());
    let sent = 0;
    for (let turn = 1; turn <= 2; turn += 1) {
      const onSent = (): void => {
        sent += 1;
      };
      const reply = await send({ url, method: 'POST', headers: {}, body: '{}', signal: new AbortController().signal, onSent });
      for await (const _ of reply.body) expect(sent).toBe(turn);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBe(2);
  });

  it('headers come back by any spelling', async () => {
    const reply = await createHttpSend(createFakeClock())({
      url,
      method: 'GET',
      headers: {},
      body: undefined,
      signal: new AbortController().signal,
      onSent: () => undefined,
    });
    expect([reply.status, reply.headers.get('Content-Type'), reply.headers.get('retry-after')]).toEqual([200, 'text/event-stream', null]);
  });
});
