import type { Clock } from '../lib/clock.ts';
import type { ErrorInfo } from '../types/errors.ts';
import type { OpenAiConfig } from './config.ts';
import { createBatches } from './event-batches.ts';
import type { ProviderEvent } from './provider.ts';
import { startWatchdog, type WaitPhase } from './watchdog.ts';
import type { WireRecord } from './wire-values.ts';

/** Turns the chunks of one response into events. */
export type Assembler<Chunk> = {
  push(chunk: Chunk): readonly ProviderEvent[];
  /** The closing events, a finish last; undefined when the response is not complete. `sawDone`: the stream said that it was over. */
  end(sawDone: boolean): readonly ProviderEvent[] | undefined;
  /** finishing: the model is done, usage may come. done: only the end of the stream is awaited. failed: an error came inside the stream. */
  state(): 'open' | 'finishing' | 'done' | 'failed';
  failure(): WireRecord | undefined;
};

/** How long the end of the stream is awaited after the model has finished, in ms: usage may come yet, or nothing but the end. */
const afterFinishMs = 1500;
const afterUsageMs = 100;
/** How many times the limit for the first byte a server may take that sends comments meanwhile. */
const signsOfLifeFactor = 5;

export type WireCallOptions<Chunk> = {
  /** Sends the request, says when it went out and when anything of the response came; resolves when the response has begun. */
  readonly open: (
    signal: AbortSignal,
    onSent: () => void,
    onBytes: () => void,
  ) => Promise<{ readonly chunks: AsyncIterable<Chunk>; readonly sawDone: () => boolean }>;
  readonly assembler: Assembler<Chunk>;
  readonly explain: (cause: WireFailure) => ErrorInfo;
  readonly clock: Clock;
  readonly timeoutsMs: OpenAiConfig['timeoutsMs'];
};

/** What went wrong, before it is put into words. */
export type WireFailure =
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'in-stream'; readonly error: WireRecord }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'timeout'; readonly phase: WaitPhase; readonly limitMs: number };

/** One request under watch: whatever the endpoint does, it ends with exactly one finish or error. */
export async function* streamWire<Chunk>(options: WireCallOptions<Chunk>, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
  const { assembler } = options;
  if (signal.aborted) {
    yield { type: 'finish', finish: 'aborted' };
    return;
  }
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const batches = createBatches();
  const receiving = receive(options, stop, batches.push).finally(batches.end);
  let isReadOut = false;
  try {
    yield* batches.events();
    isReadOut = true;
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isReadOut) stop.abort();
  }
  const { failure, sawDone } = await receiving;
  if (signal.aborted) {
    yield { type: 'finish', finish: 'aborted' };
    return;
  }
  // A fault after the model has finished changes nothing, and one before it is told even when the stream said that it was over.
  const isLost = failure?.kind === 'in-stream' || (failure !== undefined && assembler.state() === 'open');
  const complete = isLost ? undefined : assembler.end(sawDone && failure === undefined);
  if (complete !== undefined) yield* complete;
  else yield { type: 'error', error: options.explain(failure ?? { kind: 'truncated' }) };
}

type Reception = { readonly failure: WireFailure | undefined; readonly sawDone: boolean };

/** Takes in a response to its end, however it ends. Never rejects. */
async function receive<Chunk>(
  { open, assembler, clock, timeoutsMs }: WireCallOptions<Chunk>,
  stop: AbortController,
  push: (event: ProviderEvent) => boolean,
): Promise<Reception> {
  let expired: WaitPhase | undefined;
  const watchdog = startWatchdog(clock, (phase) => {
    expired = phase;
    stop.abort();
  });
  watchdog.enter('connect', timeoutsMs.connect);
  let failure: WireFailure | undefined;
  let sawDone = false;
  let isWhole = false;
  let hasBegun = false;
  let isClosing = false;
  try {
    const awaitFirst = (): void => watchdog.enter('first-byte', timeoutsMs.firstByte);
    const givesUpAtMs = clock.now() + signsOfLifeFactor * timeoutsMs.firstByte;
    // Gateways send comments while the model has not begun. Between events they count for nothing: the model may be gone.
    const onBytes = (): void => {
      if (!hasBegun && clock.now() < givesUpAtMs) awaitFirst();
    };
    const response = await open(stop.signal, awaitFirst, onBytes);
    awaitFirst();
    for await (const chunk of response.chunks) {
      hasBegun = true;
      const events = assembler.push(chunk);
      let isNew = events.length === 0;
      for (const event of events) isNew = push(event) || isNew;
      const state = assembler.state();
      if (state === 'failed') break;
      // what arrives within one turn of the event loop arrives at one time
      if (state === 'open' && !isNew && !isClosing) continue;
      isClosing = state !== 'open';
      if (!isClosing) watchdog.enter('idle', timeoutsMs.idle);
      else watchdog.enter('after-finish', state === 'finishing' ? afterFinishMs : afterUsageMs);
    }
    sawDone = response.sawDone();
    isWhole = assembler.state() !== 'failed';
  } catch (thrown) {
    failure = { kind: 'thrown', thrown };
  } finally {
    watchdog.stop();
    // A connection whose response was read to its end serves the next turn.
    if (!isWhole) stop.abort();
  }
  const inStream = assembler.failure();
  if (inStream !== undefined) failure = { kind: 'in-stream', error: inStream };
  else if (expired !== undefined && expired !== 'after-finish')
    failure = { kind: 'timeout', phase: expired, limitMs: limitOf(expired, timeoutsMs) };
  return { failure, sawDone };
}

function limitOf(phase: WaitPhase, timeoutsMs: OpenAiConfig['timeoutsMs']): number {
  if (phase === 'connect') return timeoutsMs.connect;
  return phase === 'first-byte' ? timeoutsMs.firstByte : timeoutsMs.idle;
}
