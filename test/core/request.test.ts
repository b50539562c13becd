import { describe, expect, it } from 'vitest';
import { buildRequest, pairCalls } from '../../src/core/request.ts';
import type { Message } from '../../src/types/messages.ts';
import { faultsOf } from './scripts.ts';

const origin = { provider: 'p', model: 'm' };
const user = (text: string): Message => ({ role: 'user', kind: 'prompt', text });
const steer: Message = { role: 'user', kind: 'steer', text: 'steer' };
const said: Message = { role: 'assistant', parts: [{ type: 'text', text: 'said', origin }] };
const empty: Message = { role: 'assistant', parts: [] };
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  parts: ids.map((callId) => ({ type: 'tool-call', callId, name: 't', arguments: {}, origin })),
});
const result = (callId: string, output = `result ${callId}`): Message => ({ role: 'tool', callId, name: 't', output, isError: false });

function outline(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    if (message.role === 'user') return message.text;
    if (message.role === 'tool') return message.isError ? `${message.callId} missing` : message.output;
    return message.parts.map((part) => (part.type === 'tool-call' ? `call ${part.callId}` : part.text)).join(' ');
  });
}

describe('pairCalls', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['nothing', [], []],
    ['a talk', [user('a'), said], ['a', 'said']],
    ['calls with their results', [calls('1', '2'), result('1'), result('2')], ['call 1 call 2', 'result 1', 'result 2']],
    ['results in another order', [calls('1', '2'), result('2'), result('1')], ['call 1 call 2', 'result 1', 'result 2']],
    ['a result that never came', [calls('1', '2'), result('2'), user('b')], ['call 1 call 2', '1 missing', 'result 2', 'b']],
    ['no result at all, at the end', [calls('1')], ['call 1', '1 missing']],
    ['no result at all, before the next answer', [calls('1'), said], ['call 1', '1 missing', 'said']],
    [
      'words of the user among the results',
      [calls('1', '2'), result('1'), steer, result('2')],
      ['call 1 call 2', 'result 1', 'result 2', 'steer'],
    ],
    ['a result without a call', [user('a'), result('9'), said], ['a', 'said']],
    ['a result of an earlier call', [calls('1'), result('1'), result('1', 'again'), said], ['call 1', 'result 1', 'said']],
    [
      'one id used twice in a message',
      [calls('1', '1'), result('1', 'first'), result('1', 'second')],
      ['call 1 call 1', 'first', 'second'],
    ],
    [
      'one id used in two messages',
      [calls('1'), result('1', 'first'), calls('1'), result('1', 'second')],
      ['call 1', 'first', 'call 1', 'second'],
    ],
    ['an empty answer', [user('a'), empty, user('b')], ['a', 'b']],
    ['a strange result before the right one', [calls('1'), result('9'), result('1')], ['call 1', 'result 1']],
  ])('%s', (_name, history, expected) => {
    const paired = pairCalls(history);
    expect(outline(paired)).toEqual(expected);
    expect(faultsOf({ model: '', system: '', tools: [], messages: paired })).toEqual([]);
  });
});

describe('buildRequest', () => {
  const base = { model: 'm', system: 's', history: [user('a')], tools: [] };

  it('puts the reminder at the tail and nowhere else', () => {
    const request = buildRequest({ ...base, reminder: 'remember' });
    expect(request.messages).toEqual([user('a'), { role: 'user', kind: 'reminder', text: 'remember' }]);
    expect(buildRequest({ ...base, reminder: undefined }).messages).toEqual([user('a')]);
    expect(base.history).toHaveLength(1);
  });

  it('leaves out what is not set', () => {
    expect(Object.keys(buildRequest({ ...base, reminder: undefined, maxOutputTokens: undefined }))).toEqual([
      'model',
      'system',
      'messages',
      'tools',
    ]);
    expect(buildRequest({ ...base, reminder: undefined, maxOutputTokens: 100, reasoningEffort: 'low' })).toMatchObject({
      maxOutputTokens: 100,
      reasoningEffort: 'low',
    });
  });
});
