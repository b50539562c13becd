import { messageOf } from '../types/errors.ts';
import { watchTransport } from './transport-watch.ts';
import type { WireReply, WireRequest } from './wire-http.ts';

/** Sends with Node's fetch, which obeys the proxies that `applyProxy` has set. Redirects are not followed. */
export function sendByFetch({ url, method, headers, body, signal, onSent }: WireRequest): Promise<WireReply> {
  return throughFetch(url, onSent, async () => {
    const response = await fetch(url, { method, redirect: 'manual', headers, body: body ?? null, signal });
    return { status: response.status, headers: response.headers, body: response.body ?? noBody() };
  });
}

/** Runs what uses Node's fetch; its faults get the socket's own fault as their cause, with the code that some libraries drop. */
export async function throughFetch<Reply extends { readonly body: AsyncIterable<unknown> }>(
  url: string,
  onSent: () => void,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const watch = watchTransport(url, onSent);
  const withCause = (thrown: unknown): unknown => {
    const fault = watch.error();
    return fault === undefined ? thrown : new Error(messageOf(thrown), { cause: fault });
  };
  try {
    const reply = await send();
    return { ...reply, body: read(reply.body) };
  } catch (thrown) {
    watch.stop();
    throw withCause(thrown);
  }

  async function* read(body: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    try {
      yield* body;
    } catch (thrown) {
      throw withCause(thrown);
    } finally {
      watch.stop();
    }
  }
}

async function* noBody(): AsyncGenerator<Uint8Array> {}
