import { describe, expect, it } from 'vitest';
import type { Compat } from '../../src/providers/config.ts';
import { toOpenAiBody, toOpenAiMessages } from '../../src/providers/openai-convert.ts';
import type { AssistantPart, Message } from '../../src/types/messages.ts';
import { prompt, requestOf } from './harness.ts';

const origin = { provider: 'openai', model: 'm' };
const text = (words: string): AssistantPart => ({ type: 'text', text: words, origin });
const thought = (words: string): AssistantPart => ({ type: 'reasoning', text: words, origin });
const call = (callId: string, args: Record<string, unknown> = {}): AssistantPart => ({
  type: 'tool-call',
  callId,
  name: 'shell',
  arguments: args,
  origin,
});
const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const result = (callId: string, output = 'out'): Message => ({ role: 'tool', callId, name: 'shell', output, isError: false });
const wireCall = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'shell', arguments: args } });

describe('toOpenAiMessages', () => {
  it.each<[string, readonly Message[], Compat, readonly unknown[]]>([
    [
      'text',
      [prompt('a'), assistant(text('b'))],
      {},
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    ],
    [
      'a call without text has content null',
      [assistant(call('1', { x: 'é' })), result('1')],
      {},
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('1', '{"x":"é"}')] },
        { role: 'tool', tool_call_id: '1', content: 'out' },
      ],
    ],
    [
      'neighbouring answers are joined',
      [assistant(text('a')), assistant(text('b'), call('1')), result('1')],
      {},
      [
        { role: 'assistant', content: 'a\n\nb', tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'out' },
      ],
    ],
    [
      'what the model signed goes back to it, and to no other',
      [
        assistant(
          { ...thought('hm'), signature: '[{"type":"reasoning.text","signature":"s"}]' },
          { ...call('1'), signature: '{"google":{"x":1}}' },
        ),
        result('1'),
        assistant({ ...thought('hm'), signature: '[{"data":"other"}]', origin: { provider: 'openai', model: 'other' } }, text('a')),
        assistant({ ...call('2'), signature: '{"google":{"x":2}}', origin: { provider: 'gemini', model: 'm' } }),
        result('2'),
      ],
      {},
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...wireCall('1'), extra_content: { google: { x: 1 } } }],
          reasoning_details: [{ type: 'reasoning.text', signature: 's' }],
        },
        { role: 'tool', tool_call_id: '1', content: 'out' },
        { role: 'assistant', content: 'a', tool_calls: [wireCall('2')] },
        { role: 'tool', tool_call_id: '2', content: 'out' },
      ],
    ],
    ['thoughts stay here', [assistant(thought('hm'), text('a'))], {}, [{ role: 'assistant', content: 'a' }]],
    [
      'nothing but thoughts is not sent',
      [prompt('a'), assistant(thought('hm')), prompt('b')],
      {},
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    ],
    [
      'thoughts go back with calls where that is wanted',
      [assistant(thought('hm'), call('1')), result('1')],
      { returnReasoning: 'reasoning_content' },
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('1')], reasoning_content: 'hm' },
        { role: 'tool', tool_call_id: '1', content: 'out' },
      ],
    ],
    [
      'an empty result says so',
      [assistant(call('1')), result('1', '')],
      {},
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: '(no output)' },
      ],
    ],
    [
      'user messages are joined where that is wanted',
      [prompt('a'), { role: 'user', kind: 'reminder', text: 'b' }],
      { joinSameRole: true },
      [{ role: 'user', content: 'a\n\nb' }],
    ],
    [
      'a bridge between results and a user message',
      [assistant(call('1')), result('1'), prompt('b')],
      { bridgeToolsToUser: true },
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'out' },
        { role: 'assistant', content: 'I have read the results.' },
        { role: 'user', content: 'b' },
      ],
    ],
  ])('%s', (_, messages, compat, expected) => {
    expect(toOpenAiMessages(requestOf(messages, { system: '' }), { id: 'openai', compat })).toEqual(expected);
  });

  it.each<[Compat, object]>([
    [{}, { role: 'system', content: 's' }],
    [{ systemRole: 'developer' }, { role: 'developer', content: 's' }],
    [{ systemRole: 'user' }, { role: 'user', content: 's\n\na' }],
  ])('the system prompt comes first: %j', (compat, expected) => {
    expect(toOpenAiMessages(requestOf([prompt('a')], { system: 's' }), { id: 'openai', compat })[0]).toEqual(expected);
  });
});

describe('toOpenAiBody', () => {
  const body = (compat: Compat, options = {}, extraBody = {}) =>
    toOpenAiBody(requestOf([prompt('a')], options), { id: 'openai', compat, extraBody });
  it.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['streams and asks for usage', body({}), { stream: true, stream_options: { include_usage: true }, model: 'm' }],
    ['max_tokens', body({}, { maxOutputTokens: 9 }), { max_tokens: 9 }],
    ['max_completion_tokens', body({ maxTokensField: 'max_completion_tokens' }, { maxOutputTokens: 9 }), { max_completion_tokens: 9 }],
    ['effort', body({}, { reasoningEffort: 'high' }), { reasoning_effort: 'high' }],
    ['one call at a time', body({ parallelCalls: false }), { parallel_tool_calls: false }],
    ['extra fields', body({}, {}, { top_k: 3, stream: false }), { top_k: 3, stream: true }],
  ])('%s', (_, actual, expected) => expect(actual).toMatchObject(expected));

  it('leaves out what is switched off or empty', () => {
    expect(Object.keys(body({ streamOptions: false }, { tools: [] })).sort()).toEqual(['messages', 'model', 'stream']);
  });

  it('is small: the frame around a "hi" is under 200 bytes', () => {
    expect(JSON.stringify(body({}, { tools: [], system: '' })).length).toBeLessThan(200);
  });
});
