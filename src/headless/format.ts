import { createHash } from 'node:crypto';
import type { AgentEvent, EventOf } from '../types/events.ts';
import type { AssistantPart, ToolCallPart } from '../types/messages.ts';
import { type PartialState, partialStart, stepPartial } from './partial.ts';
import { messageId, stopReason, usageOf } from './record-parts.ts';
import type { OutputRecord, RecordBody, ResultRecord } from './records.ts';

/** What a record needs to know of the events before it. */
export type FormatState = {
  readonly model: string;
  readonly turns: number;
  /** Calls by id, to name the ones that were refused. */
  readonly calls: ReadonlyMap<string, ToolCallPart>;
  readonly denials: ResultRecord['permission_denials'];
  /** Undefined without `--include-partial-messages`. */
  readonly partial: PartialState | undefined;
};

export function formatStart(options: { readonly model: string; readonly includePartial: boolean }): FormatState {
  return {
    model: options.model,
    turns: 0,
    calls: new Map(),
    denials: [],
    partial: options.includePartial ? partialStart : undefined,
  };
}

/** The records of one event, in order; most events have none or one. */
export function stepFormat(
  state: FormatState,
  event: AgentEvent,
): { readonly state: FormatState; readonly records: readonly RecordBody[] } {
  const partial = state.partial && stepPartial(state.partial, event, state.model);
  const streamed = (partial?.events ?? []).map((inner): RecordBody => ({ type: 'stream_event', parent_tool_use_id: null, event: inner }));
  return {
    state: { ...followState(state, event), partial: partial?.state },
    records: [...streamed, ...recordsOf(state, event)],
  };
}

function followState(state: FormatState, event: AgentEvent): FormatState {
  switch (event.type) {
    case 'model-change':
      return { ...state, model: event.model };
    case 'turn-end': {
      const calls = event.message.parts.filter((part) => part.type === 'tool-call').map((part) => [part.callId, part] as const);
      return { ...state, turns: state.turns + 1, calls: new Map(calls) };
    }
    case 'permission-decision': {
      if (event.verdict === 'allow') return state;
      const call = state.calls.get(event.callId);
      const denial = { tool_name: call?.name ?? '', tool_use_id: event.callId, tool_input: { ...call?.arguments } };
      return { ...state, denials: [...state.denials, denial] };
    }
    default:
      return state;
  }
}

function recordsOf(state: FormatState, event: AgentEvent): readonly RecordBody[] {
  switch (event.type) {
    case 'turn-end':
      return [assistantRecord(state, event)];
    case 'tool-result':
      return [
        {
          type: 'user',
          parent_tool_use_id: null,
          message: {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: event.callId, content: event.output, is_error: event.isError }],
          },
        },
      ];
    case 'todos-change':
      return [{ type: 'todo', by: event.by, version: event.list.version, todos: [...event.list.items] }];
    case 'continuation-start':
      return [{ type: 'continuation', kind: 'continuation', attempt: event.continuation, reason: 'open-todos', todo_id: event.todoId }];
    case 'attempt-retry':
      return [{ type: 'continuation', kind: 'retry', attempt: event.attempt, reason: event.cause, todo_id: event.todoId ?? null }];
    case 'compaction': {
      const trigger = event.trigger === 'user' ? 'manual' : 'auto';
      return [{ type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger, pre_tokens: event.tokensBefore } }];
    }
    case 'retry-wait':
      return [{ type: 'system', subtype: 'api_retry', delay_ms: event.delayMs, cause: event.cause, voids: event.voids }];
    case 'notice':
      return [{ type: 'system', subtype: 'notice', level: event.level, text: event.text }];
    case 'error':
      return [{ type: 'system', subtype: 'notice', level: 'error', text: event.error.message, error: event.error.kind }];
    case 'prompt-end':
      return [{ type: 'system', subtype: 'prompt_end', exit_reason: event.reason, exit_code: event.exitCode, sentence: event.sentence }];
    default:
      return [];
  }
}

function assistantRecord(state: FormatState, event: EventOf<'turn-end'>): RecordBody {
  return {
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: messageId(event),
      type: 'message',
      role: 'assistant',
      model: event.message.parts[0]?.origin.model ?? state.model,
      content: event.message.parts.map(contentBlock),
      stop_reason: stopReason(event.finish),
      ...(event.usage === undefined ? {} : { usage: usageOf(event.usage) }),
    },
  };
}

function contentBlock(part: AssistantPart) {
  switch (part.type) {
    case 'text':
      return { type: 'text' as const, text: part.text };
    case 'reasoning':
      return { type: 'thinking' as const, thinking: part.text };
    case 'tool-call':
      return { type: 'tool_use' as const, id: part.callId, name: part.name, input: part.arguments };
  }
}

/** Completes a record. `number` counts the records of a call, `started` tells calls of one session apart. */
export function withIds(
  body: RecordBody,
  ids: { readonly sessionId: string; readonly started: number; readonly number: number },
): OutputRecord {
  const hash = createHash('sha256').update(`${ids.sessionId} ${ids.started} ${ids.number}`).digest('hex');
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { ...body, session_id: ids.sessionId, uuid } as OutputRecord; // the compiler does not join an omitted union again
}
