import type { OpenAI } from 'openai/client';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Clock } from '../lib/clock.ts';
import { lazy } from '../types/lazy.ts';
import type { OpenAiConfig } from './config.ts';
import { explainFailure } from './failure.ts';
import { listModels } from './list-models.ts';
import { createOpenAiAssembler } from './openai-assemble.ts';
import { forFetch, openClient, unwrapFailure } from './openai-client.ts';
import { toOpenAiBody } from './openai-convert.ts';
import { createTail, toEventStream } from './openai-reply.ts';
import { findUnpaired } from './pairing.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';
import { sendByFetch } from './wire-fetch.ts';
import { createHttpSend } from './wire-http.ts';
import { streamWire } from './wire-stream.ts';

/** A provider that speaks Chat Completions, whoever serves it. One try for each `stream`; trying again is the retry decorator's. */
export function createOpenAi(config: OpenAiConfig, { clock }: { readonly clock: Clock }): Provider {
  // made in a call, where a fault of its settings has somewhere to go
  const client = lazy(() => openClient(config, config.proxy === undefined ? createHttpSend(clock) : sendByFetch));
  return {
    id: config.id,
    stream: (request, signal) => streamOnce(request, { config, clock, client, signal }),
    listModels(signal) {
      const read = async (stop: AbortSignal): Promise<string> => {
        const response = await client().models.list({ signal: stop }).asResponse();
        return response.text();
      };
      return listModels({ read: (stop) => read(stop).catch(rethrow), config, clock, signal });
    },
  };
}

type CallDeps = {
  readonly config: OpenAiConfig;
  readonly clock: Clock;
  readonly client: () => OpenAI;
  readonly signal: AbortSignal;
};

async function* streamOnce(request: ProviderRequest, { config, clock, client, signal }: CallDeps): AsyncGenerator<ProviderEvent> {
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
  // The body is ours, with fields that the SDK does not know; it passes them on.
  const body = toOpenAiBody(request, config) as unknown as ChatCompletionCreateParamsStreaming;
  const open: Parameters<typeof streamWire>[0]['open'] = async (stop, onSent, onBytes) => {
    const { keep, sawDone } = createTail();
    const take = (bytes: Uint8Array): void => {
      keep(bytes);
      onBytes();
    };
    const fetchOptions = forFetch({ onSent, adapt: (reply) => toEventStream(reply, take) });
    const options = { signal: stop, headers: config.headers, fetchOptions };
    return { chunks: await client().chat.completions.create(body, options).catch(rethrow), sawDone };
  };
  const explain: Parameters<typeof streamWire>[0]['explain'] = (failure) => explainFailure(failure, config, clock.now());
  yield* streamWire({ open, assembler, explain, clock, timeoutsMs: config.timeoutsMs }, signal);
}

function rethrow(thrown: unknown): never {
  throw unwrapFailure(thrown);
}
