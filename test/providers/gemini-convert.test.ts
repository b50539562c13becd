import { describe, expect, it } from 'vitest';
import { toGeminiContents, toGeminiParams } from '../../src/providers/gemini-convert.ts';
import type { AssistantPart, Message } from '../../src/types/messages.ts';
import { prompt, requestOf } from './harness.ts';

const origin = { provider: 'gemini', model: 'm' };
const part = <Extra extends object>(extra: Extra) => ({ origin, ...extra });
const text = (words: string, signature?: string): AssistantPart =>
  part({ type: 'text' as const, text: words, ...(signature === undefined ? {} : { signature }) });
const call = (callId: string, name = 'shell', extra = {}): AssistantPart =>
  part({ type: 'tool-call' as const, callId, name, arguments: { a: 1 }, ...extra });
const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const result = (callId: string, name = 'shell', isError = false): Message => ({ role: 'tool', callId, name, output: 'out', isError });

describe('toGeminiContents', () => {
  it.each<[string, readonly Message[], readonly unknown[]]>([
    [
      'text',
      [prompt('a'), assistant(text('b'))],
      [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b' }] },
      ],
    ],
    [
      'results of one turn stand together, in the order of the calls',
      [assistant(call('x', 'read_file'), call('y')), result('y'), result('x', 'read_file', true)],
      [
        {
          role: 'model',
          parts: [
            { functionCall: { id: 'x', name: 'read_file', args: { a: 1 } } },
            { functionCall: { id: 'y', name: 'shell', args: { a: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'x', name: 'read_file', response: { error: 'out' } } },
            { functionResponse: { id: 'y', name: 'shell', response: { output: 'out' } } },
          ],
        },
      ],
    ],
    [
      'ids of our making are not sent',
      [assistant(call('tilldone-1')), result('tilldone-1')],
      [
        { role: 'model', parts: [{ functionCall: { name: 'shell', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'shell', response: { output: 'out' } } }] },
      ],
    ],
    [
      'neighbouring model turns are joined',
      [assistant(text('a')), assistant(call('x')), result('x')],
      [
        { role: 'model', parts: [{ text: 'a' }, { functionCall: { id: 'x', name: 'shell', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'shell', response: { output: 'out' } } }] },
      ],
    ],
    [
      'a reminder behind results is a turn of its own',
      [assistant(call('x')), result('x'), { role: 'user', kind: 'reminder', text: 'r' }],
      [
        { role: 'model', parts: [{ functionCall: { id: 'x', name: 'shell', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'shell', response: { output: 'out' } } }] },
        { role: 'user', parts: [{ text: 'r' }] },
      ],
    ],
    [
      'own signatures return on their part',
      [assistant(text('a', 's1'), call('x', 'shell', { signature: 's2' })), result('x')],
      [
        {
          role: 'model',
          parts: [
            { text: 'a', thoughtSignature: 's1' },
            { functionCall: { id: 'x', name: 'shell', args: { a: 1 } }, thoughtSignature: 's2' },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'shell', response: { output: 'out' } } }] },
      ],
    ],
    [
      'thoughts are not sent',
      [prompt('a'), assistant(part({ type: 'reasoning' as const, text: 'hm' })), prompt('b')],
      [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'user', parts: [{ text: 'b' }] },
      ],
    ],
  ])('%s', (_, messages, expected) => {
    expect(toGeminiContents(messages, origin)).toEqual(expected);
  });
});

describe('toGeminiParams', () => {
  const params = (options: object, extraBody = {}) => toGeminiParams(requestOf([prompt('a')], options), { id: 'gemini', extraBody });
  it.each<[string, Readonly<Record<string, unknown>>, object]>([
    [
      'the schema goes as parametersJsonSchema',
      params({}),
      { tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: { type: 'object' } }, {}, {}] }] },
    ],
    [
      'thoughts are asked for where the model thinks',
      params({ model: 'gemini-2.5-pro' }),
      { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    ],
    [
      'effort is a budget',
      params({ model: 'gemini-2.5-flash', reasoningEffort: 'low' }),
      { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } },
    ],
    [
      'no thoughts at effort none',
      params({ model: 'gemini-2.5-flash', reasoningEffort: 'none' }),
      { generationConfig: { thinkingConfig: { includeThoughts: false, thinkingBudget: 0 } } },
    ],
    [
      'effort is a level for Gemini 3',
      params({ model: 'gemini-3-pro', reasoningEffort: 'high' }),
      { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
    ],
    ['output tokens', params({ maxOutputTokens: 5 }), { generationConfig: { maxOutputTokens: 5 } }],
    ['extra fields', params({}, { toolConfig: { a: 1 } }), { toolConfig: { a: 1 } }],
  ])('%s', (_, actual, expected) => expect(actual).toMatchObject(expected));

  it('does not ask models for thoughts that have none', () => {
    for (const model of ['gemini-2.0-flash', 'gemini-2.5-flash-lite', 'm']) expect(params({ model }).generationConfig).toEqual({});
  });
});
