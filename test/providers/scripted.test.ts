import { describe, expect, it } from 'vitest';
import type { ProviderEvent, ProviderRequest } from '../../src/providers/provider.ts';
import { createScripted, parseScript, type Script } from '../../src/providers/scripted.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const request: ProviderRequest = { model: 'm', system: '', messages: [{ role: 'user', kind: 'prompt', text: 'hi' }], tools: [] };

async function collect(script: Script, of = request, signal = new AbortController().signal): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of createScripted(script).stream(of, signal)) events.push(event);
  return events;
}

describe('createScripted', () => {
  const call = (callId: string): ProviderEvent => ({ type: 'tool-call', call: { callId, name: 'shell', arguments: { command: 'ls' } } });
  it.each<[string, Script, ProviderEvent[]]>([
    [
      'text ends with stop',
      [{ text: 'a' }],
      [
        { type: 'text-delta', text: 'a' },
        { type: 'finish', finish: 'stop' },
      ],
    ],
    [
      'several texts are several deltas',
      [{ text: ['a', 'b'] }],
      [
        { type: 'text-delta', text: 'a' },
        { type: 'text-delta', text: 'b' },
        { type: 'finish', finish: 'stop' },
      ],
    ],
    [
      'calls are numbered and end with tool-calls',
      [
        {
          calls: [
            { name: 'shell', arguments: { command: 'ls' } },
            { name: 'shell', arguments: { command: 'ls' } },
          ],
        },
      ],
      [call('call-1'), call('call-2'), { type: 'finish', finish: 'tool-calls' }],
    ],
    [
      'an error ends the turn',
      [[{ text: 'a' }, { error: 'boom' }, { text: 'never' }]],
      [
        { type: 'text-delta', text: 'a' },
        { type: 'error', error: { kind: 'internal', message: 'boom', retryable: false } },
      ],
    ],
    ['a given finish ends the turn', [[{ finish: 'length' }, { text: 'never' }]], [{ type: 'finish', finish: 'length' }]],
    [
      'an event stands as it is',
      [{ type: 'citation', text: 'c' }],
      [
        { type: 'citation', text: 'c' },
        { type: 'finish', finish: 'stop' },
      ],
    ],
    [
      'a script that is over says so',
      [],
      [{ type: 'error', error: { kind: 'internal', message: 'The script has no turn 1.', retryable: false } }],
    ],
    [
      'a function answers the request',
      (given, index) => ({ text: `${given.model}${index}` }),
      [
        { type: 'text-delta', text: 'm0' },
        { type: 'finish', finish: 'stop' },
      ],
    ],
  ])('%s', async (_, script, events) => {
    expect(await collect(script)).toEqual(events);
  });

  it('goes on numbering calls from the history', async () => {
    const history: ProviderRequest = {
      ...request,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', callId: 'call-7', name: 'shell', arguments: {}, origin: { provider: 'scripted', model: 'm' } }],
        },
        { role: 'tool', callId: 'call-7', name: 'shell', output: '', isError: false },
      ],
    };
    expect((await collect([{ calls: [{ name: 'shell', arguments: { command: 'ls' } }] }], history))[0]).toEqual(call('call-8'));
  });

  it('keeps requests and repeats the last turn when told to', async () => {
    const provider = createScripted({ turns: [{ text: 'first' }, { text: 'last' }], repeatLast: true });
    const texts: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for await (const event of provider.stream(request, new AbortController().signal))
        if (event.type === 'text-delta') texts.push(event.text);
    }
    expect(texts).toEqual(['first', 'last', 'last', 'last']);
    expect(provider.requests).toHaveLength(4);
  });

  it('waits on the clock, and an abort ends the wait with finish aborted', async () => {
    const clock = createFakeClock();
    const provider = createScripted([[{ text: 'a' }, { wait: 1000 }, { text: 'b' }]], { clock });
    const abort = new AbortController();
    const stream = provider.stream(request, abort.signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual({ type: 'text-delta', text: 'a' });
    const second = stream.next();
    abort.abort();
    expect((await second).value).toEqual({ type: 'finish', finish: 'aborted' });
    expect((await stream.next()).done).toBe(true);
  });
});

describe('parseScript', () => {
  it('reads what createScripted takes', async () => {
    const script = parseScript('[{"text":"hello"},[{"calls":[{"name":"todo_read"}]},{"finish":"tool-calls"}]]');
    expect(await collect(script)).toEqual([
      { type: 'text-delta', text: 'hello' },
      { type: 'finish', finish: 'stop' },
    ]);
  });
  it.each(['{', '{"turn":[]}', '[{"txt":"a"}]', '[{"finish":"done"}]'])('refuses %s', (json) => {
    expect(() => parseScript(json)).toThrow(/^The script/u);
  });
});
