import { Stream } from 'openai/streaming';
import { HttpFailure } from './failure.ts';
import type { WireReply } from './wire-http.ts';
import { asRecord, parseJson } from './wire-values.ts';

/** An error body beyond this is cut: it is only shown. */
const maxErrorBytes = 64 * 1024;

export type OpenedStream = {
  readonly chunks: AsyncIterable<unknown>;
  /** Whether the last thing that arrived was `[DONE]`. */
  readonly sawDone: () => boolean;
};

/**
 * Decodes a reply with the SDK's own stream. Only that part of the SDK is loaded: its client takes as long to start as Node itself, and reads the
 * environment. Throws HttpFailure for anything that is no stream; one whole completion is a stream of one chunk.
 */
export async function openStream(reply: WireReply, signal: AbortSignal): Promise<OpenedStream> {
  const { status, headers } = reply;
  const source = reply.body[Symbol.asyncIterator]();
  if (status < 200 || status >= 300) throw new HttpFailure(status, await readRest(source, await source.next()), headers);
  let first: IteratorResult<Uint8Array> | undefined;
  if (!/event-stream/iu.test(headers.get('content-type') ?? '')) {
    first = await source.next();
    const beginning = first.done === true ? '' : new TextDecoder().decode(first.value.subarray(0, 200)).trimStart();
    if (first.done === true || /^[{[<]/u.test(beginning)) {
      const body = await readRest(source, first);
      const completion = asRecord(parseJson(body));
      if (completion === undefined || !Array.isArray(completion.choices)) throw new HttpFailure(status, body, headers);
      return { chunks: single(completion), sawDone: () => true };
    }
  }
  const tail = createTail();
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  signal.addEventListener('abort', () => controller.abort(), { once: true });
  // What the SDK reads of a response and of a client is just this.
  const response = { body: watched(source, first, tail.keep), headers } as unknown as Response;
  const silent = { logLevel: 'off' } as unknown as Parameters<typeof Stream.fromSSEResponse>[2];
  return { chunks: Stream.fromSSEResponse(response, controller, silent), sawDone: tail.sawDone };
}

async function* watched(
  source: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array> | undefined,
  keep: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let read = first ?? (await source.next()); read.done !== true; read = await source.next()) {
      keep(read.value);
      yield read.value;
    }
  } finally {
    await source.return?.();
  }
}

async function* single(chunk: unknown): AsyncGenerator<unknown> {
  yield chunk;
}

/** Remembers the end of a body without copying it. */
function createTail(): { readonly keep: (bytes: Uint8Array) => void; readonly sawDone: () => boolean } {
  let previous: Uint8Array = new Uint8Array();
  let last: Uint8Array = new Uint8Array();
  const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(-64));
  return {
    keep(bytes) {
      previous = last;
      last = bytes;
    },
    sawDone: () => /data:\s*\[DONE\]\s*$/u.test(textOf(previous) + textOf(last)),
  };
}

async function readRest(source: AsyncIterator<Uint8Array>, first: IteratorResult<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = first; read.done !== true && size < maxErrorBytes; read = await source.next()) {
    chunks.push(read.value);
    size += read.value.byteLength;
  }
  await source.return?.();
  return new TextDecoder().decode(Buffer.concat(chunks));
}
