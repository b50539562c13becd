import { HttpFailure } from './failure.ts';
import { createJoiner } from './sse-join.ts';
import type { WireReply } from './wire-http.ts';
import { asRecord, parseJson } from './wire-values.ts';

/** A body that is no stream is read up to here, in bytes. */
const maxWholeBytes = 16 * 1024 * 1024;

export type Tail = {
  readonly keep: (bytes: Uint8Array) => void;
  /** Whether the last thing that arrived was `[DONE]`. */
  readonly sawDone: () => boolean;
};

/** As much of the end of a body as `[DONE]` takes, in bytes. */
const tailBytes = 64;

/** Remembers the end of a body, in whatever pieces it comes: the SDK does not say whether a stream was ended or just closed. */
export function createTail(): Tail {
  let end: Uint8Array = new Uint8Array();
  return {
    keep(bytes) {
      end = bytes.length >= tailBytes ? bytes.subarray(-tailBytes) : Buffer.concat([end, bytes]).subarray(-tailBytes);
    },
    sawDone: () => /data:\s*\[DONE\]\s*$/u.test(new TextDecoder().decode(end)),
  };
}

/**
 * The reply as the event stream that the SDK takes it for: it asks for no content type. One whole completion becomes a stream of one chunk; throws
 * HttpFailure for anything else that is no stream. An error status is left as it is.
 */
export async function toEventStream(reply: WireReply, keep: Tail['keep']): Promise<WireReply> {
  const { status, headers } = reply;
  if (status < 200 || status >= 300) return reply;
  const source = reply.body[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | undefined;
  if (!/event-stream/iu.test(headers.get('content-type') ?? '')) {
    first = await source.next();
    const beginning = first.done === true ? '' : new TextDecoder().decode(first.value.subarray(0, 200)).trimStart();
    if (first.done === true || /^[{[<]/u.test(beginning)) {
      const body = new TextDecoder().decode(await readBytes(from(source, first), maxWholeBytes));
      const completion = asRecord(parseJson(body));
      if (completion === undefined || !Array.isArray(completion.choices)) throw new HttpFailure(status, body, headers);
      return { ...reply, body: kept(only(`data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`), keep) };
    }
  }
  return { ...reply, body: kept(from(source, first), keep) };
}

/** Reads until there are that many bytes, or all. */
export async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** What an iterator still has, behind what was read of it already. */
async function* from(source: AsyncIterator<Uint8Array>, first: IteratorResult<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  try {
    for (let read = first ?? (await source.next()); read.done !== true; read = await source.next()) yield read.value;
  } finally {
    await source.return?.();
  }
}

async function* kept(body: AsyncIterable<Uint8Array>, keep: Tail['keep']): AsyncGenerator<Uint8Array> {
  const join = createJoiner();
  for await (const bytes of body) {
    keep(bytes);
    yield join(bytes);
  }
}

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
