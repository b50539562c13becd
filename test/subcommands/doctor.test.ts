import { describe, expect, it } from 'vitest';
import type { OpenAiConfig } from '../../src/providers/config.ts';
import type { Provider, ProviderEvent } from '../../src/providers/provider.ts';
import { type DoctorDeps, runDoctor } from '../../src/subcommands/doctor.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const endpoint: OpenAiConfig = {
  kind: 'openai',
  id: 'openai',
  model: 'm',
  offline: false,
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'sk-very-secret',
  keyName: 'OPENAI_API_KEY',
  headers: {},
  extraBody: {},
  contextWindow: undefined,
  price: undefined,
  proxy: undefined,
  timeoutsMs: { connect: 1, firstByte: 1, idle: 1 },
  compat: {},
};

function answering(events: readonly ProviderEvent[], models: readonly string[] | 'none' | 'fails' = ['m']): Provider {
  const provider: Provider = {
    id: 'openai',
    async *stream() {
      yield* events;
    },
  };
  if (models === 'none') return provider;
  return {
    ...provider,
    listModels: async () => {
      if (models === 'fails') throw new Error('404');
      return models.map((id) => ({ id }));
    },
  };
}

async function examine(provider: Provider, more: Partial<DoctorDeps> = {}) {
  let text = '';
  const code = await runDoctor({
    provider: endpoint,
    origins: { provider: 'set by --provider', model: 'set by --model', address: 'the default of this provider' },
    contextWindow: 128_000,
    warnings: [],
    clock: createFakeClock(),
    open: async () => provider,
    write: async (piece) => {
      text += piece;
    },
    ...more,
  });
  return { code, text };
}

const call: ProviderEvent = { type: 'tool-call', call: { callId: '1', name: 'echo', arguments: { word: 'ready' } } };
const finish: ProviderEvent = { type: 'finish', finish: 'tool-calls' };

describe('doctor', () => {
  it('is content with an endpoint that calls the tool, and never prints the key', async () => {
    const { code, text } = await examine(answering([call, finish]));
    expect(text).toBe(
      [
        '- provider         openai (set by --provider)',
        '- model            m (set by --model)',
        '- address          http://127.0.0.1:1/v1 (the default of this provider)',
        '- key              present, from OPENAI_API_KEY',
        '✓ context window   128,000 tokens',
        '✓ model listed     yes, one of 1',
        '✓ tool call        the endpoint answers, and the model calls tools',
        '',
        'Ready.',
        '',
      ].join('\n'),
    );
    expect(text).not.toContain('secret');
    expect(code).toBe(0);
  });

  it.each<[string, Provider, Partial<DoctorDeps>, number, string]>([
    [
      'a model that only talks',
      answering([
        { type: 'text-delta', text: 'ready' },
        { type: 'finish', finish: 'stop' },
      ]),
      {},
      1,
      '✗ tool call        the endpoint answers, but the model called no tool',
    ],
    ['a call that did not arrive whole', answering([{ ...call, call: { ...call.call, invalid: 'cut' } }, finish]), {}, 1, '✗ tool call'],
    [
      'an endpoint that refuses',
      answering([{ type: 'error', error: { kind: 'auth', message: 'The key was refused.', retryable: false } }]),
      {},
      1,
      '✗ tool call        The key was refused.',
    ],
    ['a model that is not listed', answering([call, finish], ['a', 'b']), {}, 0, "- model listed     'm' is not among: a, b"],
    ['an endpoint that lists nothing', answering([call, finish], 'none'), {}, 0, '- model listed     this endpoint lists no models'],
    ['a listing that fails', answering([call, finish], 'fails'), {}, 0, '- model listed     the endpoint does not list models: 404'],
    ['ollama’s way to list', answering([call, finish], ['m:latest']), {}, 0, '✓ model listed'],
    [
      'an unknown context window',
      answering([call, finish]),
      { contextWindow: undefined },
      0,
      '✗ context window   unknown: set contextWindow in a profile',
    ],
    [
      'no key where none is needed',
      answering([call, finish]),
      { provider: { ...endpoint, apiKey: undefined, keyName: undefined } },
      0,
      '- key              none is set (no variable)',
    ],
    [
      'what is wrong in the settings',
      answering([call, finish]),
      { warnings: ['/s.json:1: oops'] },
      0,
      '✗ settings         /s.json:1: oops',
    ],
  ])('%s', async (_name, provider, more, expected, line) => {
    const { code, text } = await examine(provider, more);
    expect(text).toContain(line);
    expect(code).toBe(expected);
  });

  it('gives up on an endpoint that never answers', async () => {
    const clock = createFakeClock();
    const silent: Provider = {
      id: 'openai',
      async *stream(_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { type: 'finish', finish: 'aborted' };
      },
    };
    const examined = examine(silent, { clock });
    await clock.advance(60_000);
    expect((await examined).text).toContain('✗ tool call        no answer within 60 s');
  });
});
