import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/lib/clock.ts';
import type { Compat, ProviderConfig } from '../../src/providers/config.ts';
import { createGemini } from '../../src/providers/gemini.ts';
import { createOpenAi } from '../../src/providers/openai.ts';
import { resolveProvider } from '../../src/providers/presets.ts';
import type { Provider, ProviderEvent, ProviderRequest, ToolSchema } from '../../src/providers/provider.ts';
import type { AssistantPart, Message, Origin } from '../../src/types/messages.ts';

export type Dialect = 'openai' | 'gemini';
export const testKeys = { openai: 'sk-test-0123456789abcdef', gemini: 'AIzaTest0123456789abcdefghijk' };

export const tools: readonly ToolSchema[] = [
  {
    name: 'read_file',
    description: 'Read a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { name: 'shell', description: 'Run a command.', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
  { name: 'todo_read', description: 'Show the list.', parameters: { type: 'object', properties: {} } },
];

/** The configuration for a server of the test, as the environment would give it. */
export function configFor(
  dialect: Dialect,
  url: string,
  options: { model?: string; compat?: Compat; profile?: object } = {},
): ProviderConfig {
  const profile = {
    baseUrl: dialect === 'openai' ? `${url}/v1` : url,
    ...(options.compat === undefined ? {} : { compat: options.compat }),
    ...options.profile,
  };
  const env = { OPENAI_API_KEY: testKeys.openai, GEMINI_API_KEY: testKeys.gemini };
  const config = resolveProvider({ provider: dialect, model: options.model ?? 'm', profile }, env);
  if ('error' in config) throw new Error(config.error);
  return config;
}

/** The bare adapter, without the retry decorator. */
export function adapterFor(config: ProviderConfig, clock: Clock): Provider {
  if (config.kind === 'openai') return createOpenAi(config, { clock });
  if (config.kind === 'gemini') return createGemini(config, { clock });
  throw new Error(`no wire adapter for ${config.kind}`);
}

export function requestOf(messages: readonly Message[], options: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: 'm', system: 'You are a test.', messages, tools, ...options };
}

export function prompt(text: string): Message {
  return { role: 'user', kind: 'prompt', text };
}

export async function collect(
  provider: Provider,
  request: ProviderRequest,
  signal = new AbortController().signal,
): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(request, signal)) events.push(event);
  return events;
}

/** The message that the engine would keep of these events. */
export function messageFrom(events: readonly ProviderEvent[], origin: Origin): Message {
  const parts: AssistantPart[] = [];
  for (const event of events) {
    if (event.type === 'tool-call') parts.push({ type: 'tool-call', ...event.call, origin });
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') continue;
    const type = event.type === 'text-delta' ? 'text' : 'reasoning';
    const signed = event.signature === undefined ? {} : { signature: event.signature };
    const last = parts.at(-1);
    if (last?.type === type && last.signature === undefined) parts[parts.length - 1] = { ...last, text: last.text + event.text, ...signed };
    else parts.push({ type, text: event.text, ...signed, origin });
  }
  return { role: 'assistant', parts };
}

/** One result for each call of the message. */
export function resultsFor(message: Message): readonly Message[] {
  if (message.role !== 'assistant') return [];
  return message.parts.flatMap((part): Message[] =>
    part.type === 'tool-call'
      ? [{ role: 'tool', callId: part.callId, name: part.name, output: `result of ${part.name}`, isError: part.invalid !== undefined }]
      : [],
  );
}

/** Exactly one finish or error, and nothing after it. */
export function endsOf(events: readonly ProviderEvent[]): readonly ProviderEvent[] {
  return events.filter((event) => event.type === 'finish' || event.type === 'error');
}

export type WireFixture = {
  readonly name: string;
  readonly dialect: Dialect;
  readonly quirk: string;
  readonly chunks?: readonly unknown[];
  /** The body as it is, in place of chunks. */
  readonly raw?: string;
  readonly done?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly compat?: Compat;
  readonly model?: string;
  readonly issued?: Readonly<Record<string, string>>;
  readonly server?: { readonly strictTemplate?: boolean; readonly noUserAfterTool?: boolean };
  readonly events: readonly (ProviderEvent & { readonly includes?: readonly string[] })[];
};

const folder = join(import.meta.dirname, '../fixtures/wire');

export function loadFixtures(dialect: Dialect): readonly WireFixture[] {
  return readdirSync(join(folder, dialect))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map(
      (file) =>
        ({ ...JSON.parse(readFileSync(join(folder, dialect, file), 'utf8')), name: file.replace(/\.json$/u, ''), dialect }) as WireFixture,
    ); // our own files, checked by the tests that use them
}

/** The body that the fixture's endpoint sends. */
export function bodyOf(fixture: WireFixture): string {
  if (fixture.raw !== undefined) return fixture.raw;
  const events = (fixture.chunks ?? []).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return fixture.dialect === 'openai' && fixture.done !== false ? `${events}data: [DONE]\n\n` : events;
}
