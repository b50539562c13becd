import type { AgentEvent } from '../types/events.ts';
import { messageId, stopReason, usageOf } from './record-parts.ts';
import type { PartialEvent } from './records.ts';

/** The response being streamed: none, or one whose latest block is open or closed. */
export type PartialState = {
  readonly message: 'none' | 'open';
  readonly block: 'none' | 'text' | 'thinking';
  /** Of the next block. */
  readonly index: number;
  /** Responses of this turn's attempt that were void and came again. */
  readonly voided: number;
};

export const partialStart: PartialState = { message: 'none', block: 'none', index: 0, voided: 0 };

type Step = { readonly state: PartialState; readonly events: readonly PartialEvent[] };

/** What `--include-partial-messages` shows of an event. Drafts that may still be dropped are not shown. */
export function stepPartial(state: PartialState, event: AgentEvent, model: string): Step {
  switch (event.type) {
    case 'text-delta':
      return stepDelta(state, { kind: 'text', text: event.text, id: idOf(state, event), model });
    case 'reasoning-delta':
      return stepDelta(state, { kind: 'thinking', text: event.text, id: idOf(state, event), model });
    case 'tool-call': {
      const opened = closeBlock(openMessage(state, idOf(state, event), model));
      const { index } = opened.state;
      const { callId, name } = event.call;
      const delta = { type: 'input_json_delta' as const, partial_json: JSON.stringify(event.call.arguments) };
      return {
        state: { ...opened.state, index: index + 1 },
        events: [
          ...opened.events,
          { type: 'content_block_start', index, content_block: { type: 'tool_use', id: callId, name, input: {} } },
          { type: 'content_block_delta', index, delta },
          { type: 'content_block_stop', index },
        ],
      };
    }
    case 'turn-end': {
      if (state.message === 'none') return { state: partialStart, events: [] };
      const usage = event.usage === undefined ? {} : { usage: usageOf(event.usage) };
      const delta = { stop_reason: stopReason(event.finish) };
      const end: PartialEvent[] = [{ type: 'message_delta', delta, ...usage }, { type: 'message_stop' }];
      return { state: partialStart, events: [...closeBlock({ state, events: [] }).events, ...end] };
    }
    case 'retry-wait':
      return event.voids ? endVoid(state) : { state, events: [] };
    case 'attempt-retry':
    case 'run-end':
      return endVoid(state);
    default:
      return { state, events: [] };
  }
}

function idOf(state: PartialState, event: AgentEvent): string {
  return state.voided === 0 ? messageId(event) : `${messageId(event)}-${state.voided}`;
}

function stepDelta(state: PartialState, delta: { kind: 'text' | 'thinking'; text: string; id: string; model: string }): Step {
  const { kind, text, id, model } = delta;
  let step = openMessage(state, id, model);
  if (step.state.block !== kind) {
    step = closeBlock(step);
    const block = kind === 'text' ? { type: kind, text: '' } : { type: kind, thinking: '' };
    step = {
      state: { ...step.state, block: kind },
      events: [...step.events, { type: 'content_block_start', index: step.state.index, content_block: block }],
    };
  }
  const inner = kind === 'text' ? { type: 'text_delta' as const, text } : { type: 'thinking_delta' as const, thinking: text };
  return { state: step.state, events: [...step.events, { type: 'content_block_delta', index: step.state.index, delta: inner }] };
}

function openMessage(state: PartialState, id: string, model: string): Step {
  if (state.message === 'open') return { state, events: [] };
  return {
    state: { ...state, message: 'open', index: 0, block: 'none' },
    events: [{ type: 'message_start', message: { id, type: 'message', role: 'assistant', model } }],
  };
}

function closeBlock({ state, events }: Step): Step {
  if (state.block === 'none') return { state, events };
  return {
    state: { ...state, block: 'none', index: state.index + 1 },
    events: [...events, { type: 'content_block_stop', index: state.index }],
  };
}

/** Ends a response that does not count; what comes next is another one. */
function endVoid(state: PartialState): Step {
  if (state.message === 'none') return { state, events: [] };
  const closed = closeBlock({ state, events: [] });
  return { state: { ...partialStart, voided: state.voided + 1 }, events: [...closed.events, { type: 'message_stop' }] };
}
