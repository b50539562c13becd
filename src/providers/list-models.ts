import type { Clock } from '../lib/clock.ts';
import type { GeminiConfig, OpenAiConfig } from './config.ts';
import { explainFailure, HttpFailure } from './failure.ts';
import type { ModelListing } from './provider.ts';
import { startWatchdog } from './watchdog.ts';
import { asRecord, countAt, listAt, textAt } from './wire-values.ts';

export type ListCall = {
  /** Gives the body of an answer that is no error; throws for any other. */
  readonly read: (signal: AbortSignal) => Promise<string>;
  readonly config: OpenAiConfig | GeminiConfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** The models that the endpoint serves, in either dialect. Throws an Error with a sentence for the user. */
export async function listModels({ read, config, clock, signal }: ListCall): Promise<readonly ModelListing[]> {
  const limitMs = config.timeoutsMs.connect;
  const stop = new AbortController();
  const watchdog = startWatchdog(clock, () => stop.abort());
  watchdog.enter('connect', limitMs);
  try {
    const body = await read(AbortSignal.any([signal, stop.signal]));
    const record = asRecord(JSON.parse(body));
    if (record === undefined || record.error !== undefined) throw new HttpFailure(200, body, undefined);
    return [...listAt(record, 'data'), ...listAt(record, 'models')].flatMap(readModel);
  } catch (thrown) {
    if (signal.aborted) throw new Error('Listing the models was stopped.');
    const failure = stop.signal.aborted ? ({ kind: 'timeout', phase: 'connect', limitMs } as const) : ({ kind: 'thrown', thrown } as const);
    throw new Error(explainFailure(failure, config, clock.now()).message);
  } finally {
    watchdog.stop();
  }
}

/** Gateways name the window in one of these fields; Gemini also lists models that do not chat. */
function readModel(entry: unknown): readonly ModelListing[] {
  const record = asRecord(entry);
  const id = textAt(record, 'id') ?? textAt(record, 'name')?.replace(/^models\//u, '');
  const methods = listAt(record, 'supportedGenerationMethods');
  if (id === undefined || (methods.length > 0 && !methods.includes('generateContent'))) return [];
  const windows = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'inputTokenLimit'];
  const contextWindow = windows.map((field) => countAt(record, field)).find((value) => value !== undefined);
  return [{ id, ...(contextWindow === undefined ? {} : { contextWindow }) }];
}
