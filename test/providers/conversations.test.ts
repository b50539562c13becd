import { afterEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';
import { conversations, encodeTurn, expectedLines, play } from './conversations.ts';
import { adapterFor, collect, configFor, messageFrom, prompt, requestOf, resultsFor, testKeys } from './harness.ts';

let server: StrictServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe.each(['openai', 'gemini'] as const)('conversations with our strict server (%s)', (dialect) => {
  it.each(conversations.map((conversation) => [conversation.name, conversation] as const))('%s', async (_, conversation) => {
    server = await startStrictServer({ key: testKeys[dialect] });
    server.reply(...conversation.steps.map((step, index) => ({ body: encodeTurn(dialect, step.answer, index) })));
    const lines = await play(adapterFor(configFor(dialect, server.url), createFakeClock()), conversation);
    expect(server.requests.map((request) => request.problem)).toEqual(conversation.steps.map(() => undefined));
    expect(lines).toEqual(expectedLines(conversation));
  });
});

describe('strict chat templates', () => {
  it.each(conversations.map((conversation) => [conversation.name, conversation] as const))('%s', async (_, conversation) => {
    server = await startStrictServer({ strictTemplate: true, noUserAfterTool: true });
    server.reply(...conversation.steps.map((step, index) => ({ body: encodeTurn('openai', step.answer, index) })));
    const config = configFor('openai', server.url, { compat: { joinSameRole: true, bridgeToolsToUser: true, streamOptions: false } });
    expect(await play(adapterFor(config, createFakeClock()), conversation)).toEqual(expectedLines(conversation));
  });
});

describe('a model switch in mid conversation', () => {
  const signed = JSON.stringify({
    candidates: [
      {
        content: { role: 'model', parts: [{ functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'c2ln' }] },
        finishReason: 'STOP',
      },
    ],
  });

  it('Gemini to OpenAI and back: foreign signatures are dropped, own ones return', async () => {
    server = await startStrictServer({ issued: new Map([['call read_file', 'c2ln']]) });
    server.reply(
      { body: `data: ${signed}\n\n` },
      { body: encodeTurn('openai', { calls: [{ name: 'shell', arguments: { command: 'ls' } }] }, 1) },
      { body: encodeTurn('gemini', { text: 'ok' }, 2) },
    );
    const clock = createFakeClock();
    const gemini = adapterFor(configFor('gemini', server.url), clock);
    const openai = adapterFor(configFor('openai', server.url), clock);
    const history = [prompt('go')];
    for (const provider of [gemini, openai, gemini]) {
      const events = await collect(provider, requestOf(history));
      const answer = messageFrom(events, { provider: provider.id, model: 'm' });
      history.push(answer, ...resultsFor(answer));
    }
    expect(server.requests.map((request) => request.problem)).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('c2ln');
    expect(JSON.stringify(server.requests[2]?.body)).toContain('"thoughtSignature":"c2ln"');
  });

  it('another model of the same provider gets no signature either; Gemini 3 gets the stand-in', async () => {
    server = await startStrictServer();
    server.reply({ body: `data: ${signed}\n\n` }, { body: encodeTurn('gemini', { text: 'ok' }, 2) });
    const gemini = adapterFor(configFor('gemini', server.url), createFakeClock());
    const answer = messageFrom(await collect(gemini, requestOf([prompt('go')])), { provider: 'gemini', model: 'm' });
    const history = [prompt('go'), answer, ...resultsFor(answer)];
    await collect(gemini, requestOf(history, { model: 'n' }));
    await collect(gemini, requestOf(history, { model: 'gemini-3-pro' }));
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('thoughtSignature');
    expect(JSON.stringify(server.requests[2]?.body)).toContain('"thoughtSignature":"skip_thought_signature_validator"');
  });

  it('Mistral takes ids of nine letters and digits only: foreign ones are shortened, the same way each time', async () => {
    server = await startStrictServer();
    server.reply({ body: encodeTurn('openai', { text: 'ok' }, 0) });
    const config = configFor('openai', server.url, { compat: { shortCallIds: true } });
    const call = {
      type: 'tool-call',
      callId: 'functions.read_file:3',
      name: 'read_file',
      arguments: {},
      origin: { provider: 'kimi', model: 'k' },
    } as const;
    const answer = { role: 'assistant', parts: [call] } as const;
    await collect(adapterFor(config, createFakeClock()), requestOf([prompt('go'), answer, ...resultsFor(answer)]));
    expect(server.requests[0]?.problem).toBeUndefined();
    expect(server.requests[0]?.rawBody).toMatch(/"tool_call_id":"[a-z0-9]{9}"/u);
  });
});

describe('a history that is not paired is never sent', () => {
  const call = { type: 'tool-call', callId: 'c', name: 'shell', arguments: {}, origin: { provider: 'openai', model: 'm' } } as const;
  it.each([
    ['a call without a result', [prompt('go'), { role: 'assistant', parts: [call] }, prompt('more')]],
    ['a result without a call', [prompt('go'), { role: 'tool', callId: 'c', name: 'shell', output: 'x', isError: false }]],
    ['a call at the end', [prompt('go'), { role: 'assistant', parts: [call] }]],
  ] as const)('%s', async (_, messages) => {
    server = await startStrictServer();
    for (const dialect of ['openai', 'gemini'] as const) {
      const events = await collect(adapterFor(configFor(dialect, server.url), createFakeClock()), requestOf(messages));
      expect(events).toMatchObject([{ type: 'error', error: { kind: 'internal' } }]);
    }
    expect(server.requests).toEqual([]);
  });
});
