import { OpenAI } from 'openai/client';
import { APIError } from 'openai/error';
import type { OpenAiConfig } from './config.ts';
import { HttpFailure } from './failure.ts';
import { readBytes } from './openai-reply.ts';
import type { WireReply, WireSend } from './wire-http.ts';

/** The SDK's own time limit, in ms: the most that a timer takes. Our limits are shorter, and count on events. */
const noLimitMs = 2 ** 31 - 1;
/** An error body beyond this is cut: it is only shown. */
const maxErrorBytes = 64 * 1024;

/** What one call wants of our connections. */
export type ClientCall = {
  /** Called when the connection stands and the request goes out. */
  readonly onSent: () => void;
  /** Makes of a reply what the SDK expects; may throw HttpFailure. */
  readonly adapt: (reply: WireReply) => Promise<WireReply>;
};

/** As the SDK's option of a call: it hands these on to what it takes for fetch. */
export function forFetch(call: ClientCall): NonNullable<OpenAI.RequestOptions['fetchOptions']> {
  return { call } as object;
}

/**
 * The official client, over connections of ours. Every option is given, for the SDK looks into the environment for those that are
 * missing. It adds headers of its own, and those of OPENAI_CUSTOM_HEADERS, which no option takes back: only what is configured goes out.
 */
export function openClient(config: OpenAiConfig, send: WireSend): OpenAI {
  const headers = headersOf(config);
  return new OpenAI({
    // Without a key it would not start. The header that it makes of this one is left out below.
    apiKey: config.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: config.baseUrl,
    defaultHeaders: { authorization: null, ...headers },
    maxRetries: 0,
    timeout: noLimitMs,
    logLevel: 'off',
    async fetch(url, init: RequestInit & { readonly call?: ClientCall } = {}) {
      const { method = 'GET', headers: all, body, signal, call } = init;
      const sent = [...(all as Headers)].filter(([name]) => name in headers); // the SDK hands over what it has built itself
      const reply = await send({
        url: String(url),
        method,
        headers: Object.fromEntries(sent),
        body: typeof body === 'string' ? body : undefined,
        signal: signal ?? new AbortController().signal,
        onSent: call?.onSent ?? (() => undefined),
      });
      return toResponse(call === undefined ? reply : await call.adapt(reply));
    },
  });
}

/** Names in lower case. What the profile sets wins. */
function headersOf({ apiKey, headers }: OpenAiConfig): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'tilldone',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/** Just what the SDK reads of a response. To make a real one, Node would load its fetch, which takes a quarter of the time that it takes itself. */
function toResponse({ status, headers, body }: WireReply): Response {
  const ok = status >= 200 && status < 300;
  const response = {
    ok,
    status,
    // It asks for all of them only to find an id for its log.
    headers: { get: (name: string) => headers.get(name), entries: () => [] },
    body,
    text: async () => new TextDecoder().decode(await readBytes(body, ok ? Number.POSITIVE_INFINITY : maxErrorBytes)),
  };
  return response as unknown as Response; // the rest of a Response is not asked for
}

/** The SDK's error for a status as ours, with the body as the endpoint sent it; anything else as it is. */
export function unwrapFailure(thrown: unknown): unknown {
  if (!(thrown instanceof APIError) || typeof thrown.status !== 'number') return thrown;
  const { status, error, headers, message } = thrown;
  // What is no JSON it keeps only in its message, behind the status.
  const text = message === `${status} status code (no body)` ? '' : message.replace(`${status} `, '');
  return new HttpFailure(status, error === undefined ? text : JSON.stringify({ error }), headers);
}
