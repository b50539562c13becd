import { HttpFailure } from './failure.ts';
import { asRecord, parseJson } from './wire-values.ts';

/** An error body beyond this is cut: it is only shown. */
const maxErrorBytes = 64 * 1024;

type ReadResult = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

export type WireResponse = { readonly response: Response; readonly sawDone: () => boolean };

/**
 * Sends a request with exactly these headers: nothing that a library or its environment variables would add. Throws HttpFailure for anything
 * that is no stream; a server that answers with one whole completion is turned into a stream of one event.
 */
export async function fetchStream(
  url: string,
  init: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
): Promise<WireResponse> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...init });
  if (!response.ok) throw new HttpFailure(response.status, await readBounded(response), response.headers);
  if (response.body === null) throw new HttpFailure(response.status, '', response.headers);
  const reader = response.body.getReader();
  let first: ReadResult | undefined;
  if (!/event-stream/iu.test(response.headers.get('content-type') ?? '')) {
    first = await reader.read();
    const beginning = first.done ? '' : new TextDecoder().decode(first.value.subarray(0, 200)).trimStart();
    if (first.done || /^[{[<]/u.test(beginning)) {
      const body = await readRest(reader, first);
      const completion = asRecord(parseJson(body));
      if (completion === undefined || !Array.isArray(completion.choices)) throw new HttpFailure(response.status, body, response.headers);
      return { response: new Response(`data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`), sawDone: () => true };
    }
  }
  let previous: Uint8Array = new Uint8Array();
  let last: Uint8Array = new Uint8Array();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = first ?? (await reader.read());
      first = undefined;
      if (done) {
        controller.close();
        return;
      }
      previous = last;
      last = value;
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const tail = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(-64));
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    sawDone: () => /data:\s*\[DONE\]\s*$/u.test(tail(previous) + tail(last)),
  };
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  return readRest(reader, await reader.read());
}

async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>, first: ReadResult): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = first; !read.done && size < maxErrorBytes; read = await reader.read()) {
    chunks.push(read.value);
    size += read.value.byteLength;
  }
  void reader.cancel().catch(() => undefined);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
