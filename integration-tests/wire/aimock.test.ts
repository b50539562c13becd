import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/helpers/fake-clock.ts';
import { conversations, expectedLines, play } from '../../test/providers/conversations.ts';
import { adapterFor, configFor } from '../../test/providers/harness.ts';

let mock: LLMock | undefined;
afterEach(async () => {
  await mock?.stop();
  mock = undefined;
});

/** The same conversations as with our own strict server, served by somebody else's. */
describe.each(['openai', 'gemini'] as const)('conversations with aimock (%s)', (dialect) => {
  it.each(conversations.map((conversation) => [conversation.name, conversation] as const))('%s', async (_, conversation) => {
    let turn = 0;
    mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 16 });
    mock.on({}, () => {
      const { text, calls = [] } = conversation.steps[turn]?.answer ?? { text: 'no such turn' };
      turn += 1;
      const toolCalls = calls.map((call, index) => ({
        name: call.name,
        arguments: JSON.stringify(call.arguments),
        id: `call_${turn}_${index}`,
      }));
      if (toolCalls.length === 0) return { content: text ?? '' };
      return text === undefined ? { toolCalls } : { content: text, toolCalls };
    });
    await mock.start();
    const lines = await play(adapterFor(configFor(dialect, mock.url), createFakeClock()), conversation);
    expect(lines).toEqual(expectedLines(conversation));
  });
});
