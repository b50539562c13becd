import type { Clock } from '../lib/clock.ts';
import type { ProviderConfig } from '../providers/config.ts';
import type { ModelListing, Provider, ProviderEvent } from '../providers/provider.ts';
import { messageOf } from '../types/errors.ts';

export type DoctorDeps = {
  readonly provider: ProviderConfig;
  /** What set the provider, the model and the address, in words. */
  readonly origins: { readonly provider: string; readonly model: string; readonly address: string };
  readonly contextWindow: number | undefined;
  readonly warnings: readonly string[];
  readonly clock: Clock;
  open(): Promise<Provider>;
  write(text: string): Promise<void>;
};

/** Longest wait for one check, in ms. */
const checkMs = 60_000;

/** Checks the set-up step by step and says for each what was found. Resolves with 0 when a model can be used, else 1. */
export async function runDoctor(deps: DoctorDeps): Promise<number> {
  const { provider, origins, write } = deps;
  const line = (ok: boolean | undefined, what: string, found: string): Promise<void> =>
    write(`${ok === undefined ? '-' : ok ? '✓' : '✗'} ${what.padEnd(15)}  ${found}\n`);
  await line(undefined, 'provider', `${provider.id} (${origins.provider})`);
  await line(undefined, 'model', `${provider.model} (${origins.model})`);
  if ('baseUrl' in provider) {
    await line(undefined, 'address', `${provider.baseUrl} (${origins.address})`);
    const name = provider.keyName ?? 'no variable';
    await line(
      undefined,
      'key',
      provider.apiKey === undefined ? `none is set (${name}), and none is needed here` : `present, from ${name}`,
    );
  } else await line(undefined, 'offline', 'this model is built in; no key, no network');
  const window = deps.contextWindow;
  await line(
    window !== undefined,
    'context window',
    window === undefined ? 'unknown: set contextWindow in a profile' : `${window.toLocaleString('en')} tokens`,
  );
  for (const warning of deps.warnings) await line(false, 'settings', warning);

  const opened = await deps.open();
  const listed = await checkListing(opened, deps);
  await line(listed.ok, 'model listed', listed.found);
  const called = await checkCall(opened, deps);
  await line(called.ok, 'tool call', called.found);
  await write(called.ok ? '\nReady.\n' : '\nNot ready: see the lines marked ✗.\n');
  return called.ok ? 0 : 1;
}

type Finding = { readonly ok: boolean | undefined; readonly found: string };

/** A signal that aborts after `checkMs`, and what ends the waiting. */
function patience(clock: Clock): { readonly signal: AbortSignal; done(): void } {
  const limit = new AbortController();
  const waiting = new AbortController();
  void clock.sleep(checkMs, waiting.signal).then(() => limit.abort());
  return { signal: limit.signal, done: () => waiting.abort() };
}

async function checkListing(opened: Provider, { provider, clock }: DoctorDeps): Promise<Finding> {
  if (opened.listModels === undefined) return { ok: undefined, found: 'this endpoint lists no models' };
  const { signal, done } = patience(clock);
  try {
    const models = await opened.listModels(signal);
    if (models.some(({ id }) => sameModel(id, provider.model))) return { ok: true, found: `yes, one of ${models.length}` };
    return { ok: undefined, found: `'${provider.model}' is not among: ${nameSome(models)}` };
  } catch (error) {
    return { ok: undefined, found: `the endpoint does not list models: ${messageOf(error)}` };
  } finally {
    done();
  }
}

/** Gemini lists `models/name`, ollama `name:latest`. */
function sameModel(listed: string, wanted: string): boolean {
  return listed === wanted || listed.replace(/^models\//u, '') === wanted || listed === `${wanted}:latest`;
}

function nameSome(models: readonly ModelListing[]): string {
  const shown = models.slice(0, 8).map(({ id }) => id);
  return models.length > shown.length ? `${shown.join(', ')} and ${models.length - shown.length} more` : shown.join(', ');
}

const echoTool = {
  name: 'echo',
  description: 'Repeats a word. Call it when asked to.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
} as const;

/** One small request, the only one that may cost something: does the model answer, and can it call a tool? */
async function checkCall(opened: Provider, { provider, clock }: DoctorDeps): Promise<Finding> {
  if (provider.offline) return { ok: true, found: 'built in' };
  const { signal, done } = patience(clock);
  const request = {
    model: provider.model,
    system: 'You test a connection.',
    messages: [{ role: 'user', kind: 'prompt', text: 'Call the tool echo with the word "ready". Do nothing else.' }],
    tools: [echoTool],
  } as const;
  let calls = 0;
  let last: ProviderEvent | undefined;
  for await (const event of opened.stream(request, signal)) {
    if (event.type === 'tool-call' && event.call.name === 'echo' && event.call.invalid === undefined) calls += 1;
    last = event;
  }
  done();
  if (last?.type === 'error') return { ok: false, found: last.error.message };
  if (signal.aborted) return { ok: false, found: `no answer within ${checkMs / 1000} s` };
  if (calls > 0) return { ok: true, found: 'the endpoint answers, and the model calls tools' };
  return { ok: false, found: 'the endpoint answers, but the model called no tool: it cannot do work here. Try another model.' };
}
