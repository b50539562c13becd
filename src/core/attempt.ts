import { longAnswerChars } from '../follow-through/decide-retry.ts';
import type { ProviderEvent } from '../providers/provider.ts';
import type { ErrorInfo } from '../types/errors.ts';
import type { AgentEvent, FinishReason, Place } from '../types/events.ts';
import type { AssistantPart, Origin, Usage } from '../types/messages.ts';

/**
 * One attempt at a turn while it streams. While `deferring`, text and citations are held back in order of arrival and shown as a draft only;
 * the first tool call or the first character beyond the long-answer limit settles it, and what was held is emitted at once.
 */
export type AttemptState = {
  /** Whether the attempt began so that it may still be retried: what is voided begins so again. */
  readonly mayDefer: boolean;
  readonly deferring: boolean;
  readonly held: readonly AgentEvent[];
  readonly text: string;
  readonly parts: readonly AssistantPart[];
  readonly toolCalls: number;
  readonly usage: Usage | undefined;
  readonly finish: FinishReason | undefined;
  readonly error: ErrorInfo | undefined;
};

export function newAttempt(deferring: boolean): AttemptState {
  return {
    mayDefer: deferring,
    deferring,
    held: [],
    text: '',
    parts: [],
    toolCalls: 0,
    usage: undefined,
    finish: undefined,
    error: undefined,
  };
}

export type AttemptStep = { readonly state: AttemptState; readonly emit: readonly AgentEvent[] };

const nothing: readonly AgentEvent[] = [];

export function stepAttempt(
  state: AttemptState,
  event: ProviderEvent,
  context: { readonly place: Place; readonly origin: Origin },
): AttemptStep {
  const { place, origin } = context;
  switch (event.type) {
    case 'text-delta': {
      const text = state.text + event.text;
      const grown: AttemptState = { ...state, text, parts: appendText(state.parts, 'text', event, origin) };
      const delta: AgentEvent = { type: 'text-delta', ...place, text: event.text };
      if (event.text === '') return { state: grown, emit: nothing };
      if (!state.deferring) return { state: grown, emit: [delta] };
      const waiting: AttemptState = { ...grown, held: [...state.held, delta] };
      if (text.trim().length > longAnswerChars) return settle(waiting);
      return { state: waiting, emit: [{ type: 'draft-delta', ...place, text: event.text }] };
    }
    case 'reasoning-delta':
      return {
        state: { ...state, parts: appendText(state.parts, 'reasoning', event, origin) },
        emit: event.text === '' ? nothing : [{ type: 'reasoning-delta', ...place, text: event.text }],
      };
    case 'tool-call': {
      const call = { type: 'tool-call' as const, ...event.call, origin };
      const settled = settle({ ...state, parts: [...state.parts, call], toolCalls: state.toolCalls + 1 });
      return { state: settled.state, emit: [...settled.emit, { type: 'tool-call', ...place, call }] };
    }
    case 'citation': {
      const citation: AgentEvent = { type: 'citation', ...place, text: event.text, ...(event.url === undefined ? {} : { url: event.url }) };
      return { state: { ...state, held: [...state.held, citation] }, emit: nothing };
    }
    case 'usage':
      return { state: { ...state, usage: event.usage }, emit: nothing };
    case 'retry-wait': {
      const wait: AgentEvent = { type: 'retry-wait', ...place, delayMs: event.delayMs, cause: event.cause, voids: event.voids };
      return { state: event.voids ? { ...newAttempt(state.mayDefer), usage: state.usage } : state, emit: [wait] };
    }
    case 'finish':
      return { state: { ...state, finish: event.finish }, emit: nothing };
    case 'error':
      return { state: { ...state, finish: 'error', error: event.error }, emit: nothing };
  }
}

/** Emits what was held, in order of arrival, and stops deferring. Citations stay held: they come once, at the end. */
function settle(state: AttemptState): AttemptStep {
  if (!state.deferring) return { state, emit: nothing };
  const emit = state.held.filter((event) => event.type !== 'citation');
  const held = state.held.filter((event) => event.type === 'citation');
  return { state: { ...state, deferring: false, held }, emit };
}

/** What an accepted attempt still owes: held text (marked when the stream was cut), then the citations. */
export function flush(state: AttemptState, cut: boolean): readonly AgentEvent[] {
  return state.held.map((event) => (event.type === 'text-delta' && cut ? { ...event, cut: true } : event));
}

function appendText(
  parts: readonly AssistantPart[],
  type: 'text' | 'reasoning',
  delta: { readonly text: string; readonly signature?: string },
  origin: Origin,
): readonly AssistantPart[] {
  const last = parts.at(-1);
  const signature = delta.signature === undefined ? {} : { signature: delta.signature };
  if (last?.type === type && last.signature === undefined) {
    return parts.with(-1, { ...last, text: last.text + delta.text, ...signature });
  }
  if (delta.text === '' && delta.signature === undefined) return parts;
  return [...parts, { type, text: delta.text, ...signature, origin }];
}
