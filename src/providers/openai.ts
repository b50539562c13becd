import OpenAI from 'openai';
import type { Clock } from '../lib/clock.ts';
import type { OpenAiConfig } from './config.ts';
import { explainFailure } from './failure.ts';
import { listModels } from './list-models.ts';
import { createOpenAiAssembler } from './openai-assemble.ts';
import { toOpenAiBody } from './openai-convert.ts';
import { findUnpaired } from './pairing.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';
import { fetchStream } from './wire-fetch.ts';
import { streamWire } from './wire-stream.ts';

/** A provider that speaks Chat Completions, whoever serves it. One try for each `stream`; trying again is the retry decorator's. */
export function createOpenAi(config: OpenAiConfig, { clock }: { readonly clock: Clock }): Provider {
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'tilldone',
    ...(config.apiKey === undefined ? {} : { authorization: `Bearer ${config.apiKey}` }),
    ...config.headers,
  };
  return {
    id: config.id,
    stream: (request, signal) => streamOnce(request, { config, clock, headers, signal }),
    listModels: (signal) => listModels({ url: `${config.baseUrl}/models`, headers, config, clock, signal }),
  };
}

type CallDeps = {
  readonly config: OpenAiConfig;
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

async function* streamOnce(request: ProviderRequest, { config, clock, headers, signal }: CallDeps): AsyncGenerator<ProviderEvent> {
  const unpaired = findUnpaired(request.messages);
  if (unpaired !== undefined) {
    yield { type: 'error', error: { kind: 'internal', message: unpaired, retryable: false } };
    return;
  }
  const usedIds = new Set(request.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])));
  const assembler = createOpenAiAssembler({
    compat: config.compat,
    toolNames: new Set(request.tools.map((tool) => tool.name)),
    usedIds,
    newId: () => `tilldone-${clock.newId()}`,
  });
  const open = async (stop: AbortSignal): ReturnType<Parameters<typeof streamWire>[0]['open']> => {
    let sawDone = (): boolean => false;
    const client = openClient(config, async (url, init) => {
      const sent = await fetchStream(String(url), { headers, body: String(init?.body), signal: stop });
      sawDone = sent.sawDone;
      return sent.response;
    });
    // The body is ours, with fields of many dialects, so it is no closed type of the SDK.
    const body = toOpenAiBody(request, config) as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
    const chunks = await client.chat.completions.create(body, { signal: stop });
    return { chunks, sawDone: () => sawDone() };
  };
  const explain: Parameters<typeof streamWire>[0]['explain'] = (failure) => explainFailure(failure, config, clock.now());
  const url = `${config.baseUrl}/chat/completions`;
  yield* streamWire({ open, url, assembler, explain, clock, timeoutsMs: config.timeoutsMs }, signal);
}

/** Everything that the SDK would read from the environment by itself is given, so that only our configuration counts. */
function openClient(config: OpenAiConfig, fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>): OpenAI {
  return new OpenAI({
    apiKey: config.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: config.baseUrl,
    maxRetries: 0,
    // The SDK's own time limit does not cover a stalled body; ours does, so its must never come first.
    timeout: 2_000_000_000,
    logLevel: 'off',
    fetch,
  });
}
