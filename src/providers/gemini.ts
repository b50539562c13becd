import { type GenerateContentRequest, GoogleGenerativeAI } from '@google/generative-ai';
import type { Clock } from '../lib/clock.ts';
import type { GeminiConfig } from './config.ts';
import { explainFailure, HttpFailure } from './failure.ts';
import { createGeminiAssembler } from './gemini-assemble.ts';
import { madeUpId, toGeminiParams } from './gemini-convert.ts';
import { listModels } from './list-models.ts';
import { findUnpaired } from './pairing.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';
import { throughFetch } from './wire-fetch.ts';
import { streamWire } from './wire-stream.ts';
import { asRecord, countAt, listAt, textAt } from './wire-values.ts';

/** A provider that speaks Gemini's generateContent. One try for each `stream`; trying again is the retry decorator's. */
export function createGemini(config: GeminiConfig, { clock }: { readonly clock: Clock }): Provider {
  return {
    id: config.id,
    stream: (request, signal) => streamOnce(request, { config, clock, signal }),
    // The SDK cannot list models.
    async listModels(signal) {
      const headers = headersOf(config);
      headers.set('x-goog-api-key', config.apiKey ?? '');
      const read = async (stop: AbortSignal): Promise<string> => {
        const response = await fetch(`${rootOf(config)}/v1beta/models?pageSize=1000`, { redirect: 'manual', headers, signal: stop });
        const body = await response.text();
        if (!response.ok) throw new HttpFailure(response.status, body, response.headers);
        return body;
      };
      return listModels({ read, config, clock, signal });
    },
  };
}

type CallDeps = { readonly config: GeminiConfig; readonly clock: Clock; readonly signal: AbortSignal };

async function* streamOnce(request: ProviderRequest, { config, clock, signal }: CallDeps): AsyncGenerator<ProviderEvent> {
  const unpaired = findUnpaired(request.messages);
  if (unpaired !== undefined) {
    yield { type: 'error', error: { kind: 'internal', message: unpaired, retryable: false } };
    return;
  }
  const usedIds = new Set(request.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])));
  const assembler = createGeminiAssembler({ usedIds, newId: () => `${madeUpId}${clock.newId()}` });
  const baseUrl = rootOf(config);
  const path = request.model.includes('/') ? request.model : `models/${request.model}`;
  const url = `${baseUrl}/v1beta/${path}:streamGenerateContent?alt=sse`;
  const open: Parameters<typeof streamWire>[0]['open'] = async (stop, onSent) => {
    const { body } = await throughFetch(url, onSent, async () => {
      const client = new GoogleGenerativeAI(config.apiKey ?? '');
      const model = client.getGenerativeModel({ model: request.model }, { baseUrl, customHeaders: headersOf(config) });
      // The parameters are ours, with fields newer than the types of the SDK, which passes them on.
      const params = toGeminiParams(request, config) as unknown as GenerateContentRequest;
      const result = await model.generateContentStream(params, { signal: stop }).catch((thrown: unknown) => {
        throw toHttpFailure(thrown) ?? thrown;
      });
      // The SDK keeps a second copy of the stream; its fault is the same as that of the first.
      result.response.catch(() => undefined);
      return { body: result.stream as AsyncIterable<unknown> };
    });
    return { chunks: body, sawDone: () => false };
  };
  const explain: Parameters<typeof streamWire>[0]['explain'] = (failure) => explainFailure(failure, config, clock.now());
  yield* streamWire({ open, assembler, explain, clock, timeoutsMs: config.timeoutsMs }, signal);
}

/** The SDK appends the version itself. */
function rootOf(config: GeminiConfig): string {
  return config.baseUrl.replace(/\/v1(?:beta|alpha)?$/u, '');
}

/** The SDK refuses to have these two set. */
function headersOf(config: GeminiConfig): Headers {
  return new Headers(Object.entries(config.headers).filter(([name]) => !/^x-goog-api-(?:key|client)$/iu.test(name)));
}

/** The SDK's error for a status carries the text of the endpoint in its message, with the address before it and the details behind it. */
function toHttpFailure(thrown: unknown): HttpFailure | undefined {
  const record = asRecord(thrown);
  const status = countAt(record, 'status');
  if (record === undefined || status === undefined) return undefined;
  const details = listAt(record, 'errorDetails');
  const whole = (textAt(record, 'message') ?? '').replace(/^.*?\[\d{3}[^\]]*\]\s*/u, '');
  const suffix = ` ${JSON.stringify(details)}`;
  const message = whole.endsWith(suffix) ? whole.slice(0, -suffix.length) : whole;
  return new HttpFailure(status, JSON.stringify({ error: { message, details } }), undefined);
}
