import type { FinishReason } from '../types/events.ts';
import type { Usage } from '../types/messages.ts';
import type { ResultRecord } from './records.ts';

/** One id for a response, in its partial and its whole records. */
export function messageId(event: { readonly runId: string; readonly turn: number; readonly attempt: number }): string {
  return `msg-${event.runId}-${event.turn}-${event.attempt}`;
}

export function stopReason(finish: FinishReason): 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | null {
  switch (finish) {
    case 'stop':
      return 'end_turn';
    case 'tool-calls':
      return 'tool_use';
    case 'length':
      return 'max_tokens';
    case 'safety':
      return 'refusal';
    default:
      return null;
  }
}

/** Tokens under the names that scripts know. */
export function usageOf(usage: Usage): ResultRecord['usage'] {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(usage.cachedTokens === undefined ? {} : { cache_read_input_tokens: usage.cachedTokens }),
  };
}
