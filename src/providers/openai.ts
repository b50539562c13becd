import type { Clock } from '../lib/clock.ts';
import type { OpenAiConfig } from './config.ts';
import { explainFailure } from './failure.ts';
import { listModels } from './list-models.ts';
import { createOpenAiAssembler } from './openai-assemble.ts';
import { toOpenAiBody } from './openai-convert.ts';
import { openStream } from './openai-stream.ts';
import { findUnpaired } from './pairing.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';
import { sendByFetch } from './wire-fetch.ts';
import { createHttpSend, type WireSend } from './wire-http.ts';
import { streamWire } from './wire-stream.ts';

/** A provider that speaks Chat Completions, whoever serves it. One try for each `stream`; trying again is the retry decorator's. */
export function createOpenAi(config: OpenAiConfig, { clock }: { readonly clock: Clock }): Provider {
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'tilldone',
    ...(config.apiKey === undefined ? {} : { authorization: `Bearer ${config.apiKey}` }),
    ...Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const send = config.proxy === undefined ? createHttpSend(clock) : sendByFetch;
  return {
    id: config.id,
    stream: (request, signal) => streamOnce(request, { config, clock, headers, send, signal }),
    listModels: (signal) => listModels({ url: `${config.baseUrl}/models`, headers, config, clock, signal }),
  };
}

type CallDeps = {
  readonly config: OpenAiConfig;
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: WireSend;
  readonly signal: AbortSignal;
};

async function* streamOnce(request: ProviderRequest, { config, clock, headers, send, signal }: CallDeps): AsyncGenerator<ProviderEvent> {
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
  const url = `${config.baseUrl}/chat/completions`;
  const open: Parameters<typeof streamWire>[0]['open'] = async (stop, onSent) =>
    openStream(await send({ url, headers, body: JSON.stringify(toOpenAiBody(request, config)), signal: stop, onSent }), stop);
  const explain: Parameters<typeof streamWire>[0]['explain'] = (failure) => explainFailure(failure, config, clock.now());
  yield* streamWire({ open, assembler, explain, clock, timeoutsMs: config.timeoutsMs }, signal);
}
