import { describe, expect, it } from 'vitest';
import { checkGeminiRequest } from '../helpers/strict-server-gemini.ts';
import { checkOpenAiRequest } from '../helpers/strict-server-openai.ts';

const tool = { type: 'function', function: { name: 'shell', parameters: { type: 'object' } } };
const call = (id: string, args = '{}', name = 'shell') => ({ id, type: 'function', function: { name, arguments: args } });
const user = { role: 'user', content: 'hi' };
const openai = (messages: readonly unknown[], extra: object = {}) => ({ model: 'm', stream: true, tools: [tool], messages, ...extra });

describe('the strict OpenAI endpoint refuses', () => {
  it.each<[string, unknown, object]>([
    ['no messages', openai([]), {}],
    ['an unknown field', openai([user], { foo: 1 }), {}],
    ['both token limits', openai([user], { max_tokens: 1, max_completion_tokens: 1 }), {}],
    [
      'a schema with $schema',
      openai([user], { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object', $schema: 'x' } } }] }),
      {},
    ],
    ['a call without a result', openai([user, { role: 'assistant', content: null, tool_calls: [call('1')] }, user]), {}],
    ['a call without a result at the end', openai([user, { role: 'assistant', content: null, tool_calls: [call('1')] }]), {}],
    [
      'one result of two',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1'), call('2')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
        user,
      ]),
      {},
    ],
    [
      'two results of one',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ]),
      {},
    ],
    ['a result of nothing', openai([user, { role: 'tool', tool_call_id: '1', content: 'a' }]), {}],
    [
      'a late result',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1')] },
        user,
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ]),
      {},
    ],
    [
      'arguments that are no JSON',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1', '{"a')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ]),
      {},
    ],
    [
      'arguments that are no object',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1', '[]')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ]),
      {},
    ],
    [
      'a call of an unknown tool',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1', '{}', 'x')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ]),
      {},
    ],
    ['two answers in a row', openai([user, { role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' }, user]), {}],
    ['an empty answer', openai([user, { role: 'assistant', content: '' }, user]), {}],
    ['an answer first', openai([{ role: 'assistant', content: 'a' }, user]), {}],
    ['an answer last', openai([user, { role: 'assistant', content: 'a' }]), {}],
    ['a system message in the middle', openai([user, { role: 'system', content: 'a' }]), {}],
    ['two user messages, as a strict template', openai([user, user]), { strictTemplate: true }],
    [
      'a user message behind results, as some templates',
      openai([
        user,
        { role: 'assistant', content: null, tool_calls: [call('1')] },
        { role: 'tool', tool_call_id: '1', content: 'a' },
        user,
      ]),
      { noUserAfterTool: true },
    ],
  ])('%s', (_, body, options) => expect(checkOpenAiRequest(body, options)).toBeTypeOf('string'));
  it('and takes a whole exchange', () => {
    const exchange = [
      user,
      user,
      { role: 'assistant', content: null, tool_calls: [call('1'), call('2')] },
      { role: 'tool', tool_call_id: '2', content: 'a' },
      { role: 'tool', tool_call_id: '1', content: 'a' },
      user,
    ];
    expect(checkOpenAiRequest(openai(exchange))).toBeUndefined();
  });
});

describe('the strict Gemini endpoint refuses', () => {
  const declarations = [{ functionDeclarations: [{ name: 'shell', parametersJsonSchema: { type: 'object' } }] }];
  const gemini = (contents: readonly unknown[], extra: object = {}) => ({ contents, tools: declarations, ...extra });
  const hi = { role: 'user', parts: [{ text: 'hi' }] };
  const calls = (...ids: string[]) => ({ role: 'model', parts: ids.map((id) => ({ functionCall: { id, name: 'shell', args: {} } })) });
  const results = (...ids: string[]) => ({
    role: 'user',
    parts: ids.map((id) => ({ functionResponse: { id, name: 'shell', response: {} } })),
  });
  it.each<[string, unknown]>([
    ['no contents', gemini([])],
    ['an unknown field', gemini([hi], { foo: 1 })],
    [
      'a schema of the wrong dialect',
      gemini([hi], { tools: [{ functionDeclarations: [{ name: 'a', parameters: { type: 'object', additionalProperties: false } }] }] }),
    ],
    ['fewer responses than calls', gemini([hi, calls('1', '2'), results('1')])],
    ['responses in another order', gemini([hi, calls('1', '2'), results('2', '1')])],
    ['responses over two turns', gemini([hi, calls('1', '2'), results('1'), results('2')])],
    ['text beside responses', gemini([hi, calls('1'), { role: 'user', parts: [...results('1').parts, { text: 'x' }] }])],
    ['two model turns in a row', gemini([hi, { role: 'model', parts: [{ text: 'a' }] }, calls('1'), results('1')])],
    ['thoughts', gemini([hi, { role: 'model', parts: [{ text: 'a', thought: true }] }, hi])],
    ['empty parts', gemini([hi, { role: 'model', parts: [] }, hi])],
    ['a foreign signature', gemini([hi, { role: 'model', parts: [{ text: 'a', thoughtSignature: 'foreign' }] }, hi])],
    ['a model turn first', gemini([calls('1'), results('1')])],
  ])('%s', (_, body) => expect(checkGeminiRequest(body)).toBeTypeOf('string'));
  it('a call whose signature was lost', () => {
    expect(checkGeminiRequest(gemini([hi, calls('1'), results('1')]), new Map([['call shell', 's']]))).toContain('thought_signature');
  });
  it('and takes a whole exchange', () => {
    expect(checkGeminiRequest(gemini([hi, hi, calls('1', '2'), results('1', '2'), hi]))).toBeUndefined();
  });
});
