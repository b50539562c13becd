import { describe, expect, it } from 'vitest';
import { type PartialState, partialStart, stepPartial } from '../../src/headless/partial.ts';
import type { AgentEvent } from '../../src/types/events.ts';
import { call, turn } from './harness.ts';

const place = { runId: 'r', turn: 1, attempt: 1 };
const text = (delta: string): AgentEvent => ({ type: 'text-delta', ...place, text: delta });
const thought = (delta: string): AgentEvent => ({ type: 'reasoning-delta', ...place, text: delta });
const voided: AgentEvent = { type: 'retry-wait', ...place, delayMs: 1, cause: 'reset', voids: true };
const waits: AgentEvent = { type: 'retry-wait', ...place, delayMs: 1, cause: '429', voids: false };

function outline(events: readonly AgentEvent[]): readonly string[] {
  let state: PartialState = partialStart;
  return events.flatMap((event) => {
    const step = stepPartial(state, event, 'm');
    state = step.state;
    return step.events.map((partial) => {
      switch (partial.type) {
        case 'message_start':
          return `message ${partial.message.id}`;
        case 'content_block_start':
          return `block ${partial.index} ${partial.content_block.type}`;
        case 'content_block_delta':
          return `delta ${partial.index} ${Object.values(partial.delta).at(-1)}`;
        case 'content_block_stop':
          return `stop ${partial.index}`;
        case 'message_delta':
          return `ends ${partial.delta.stop_reason}`;
        default:
          return 'message stop';
      }
    });
  });
}

describe('stepPartial', () => {
  it.each<[string, readonly AgentEvent[], readonly string[]]>([
    [
      'a text is one block',
      [text('a'), text('b'), turn('ab')],
      ['message msg-r-1-1', 'block 0 text', 'delta 0 a', 'delta 0 b', 'stop 0', 'ends end_turn', 'message stop'],
    ],
    [
      'thoughts, text and a call are blocks of their own',
      [thought('t'), text('a'), { type: 'tool-call', ...place, call: call('c') } as AgentEvent, turn('a', [call('c')])],
      [
        'message msg-r-1-1',
        'block 0 thinking',
        'delta 0 t',
        'stop 0',
        'block 1 text',
        'delta 1 a',
        'stop 1',
        'block 2 tool_use',
        'delta 2 {"command":"make"}',
        'stop 2',
        'ends tool_use',
        'message stop',
      ],
    ],
    [
      'what was void comes again as another message',
      [text('a'), voided, text('a'), turn('a')],
      [
        'message msg-r-1-1',
        'block 0 text',
        'delta 0 a',
        'stop 0',
        'message stop',
        'message msg-r-1-1-1',
        'block 0 text',
        'delta 0 a',
        'stop 0',
        'ends end_turn',
        'message stop',
      ],
    ],
    ['a wait that voids nothing changes nothing', [waits, text('a'), waits], ['message msg-r-1-1', 'block 0 text', 'delta 0 a']],
    ['a turn that streamed nothing shows nothing', [turn('a')], []],
    ['a draft is not shown', [{ type: 'draft-delta', ...place, text: 'a' }], []],
  ])('%s', (_name, events, expected) => {
    expect(outline(events)).toEqual(expected);
  });
});
