import { type Message, toolCallsOf } from '../types/messages.ts';

/**
 * The pairing that every endpoint demands: directly after an assistant message one result for each of its calls, and no result elsewhere.
 * Undefined when it holds, else what breaks it.
 */
export function findUnpaired(messages: readonly Message[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const at = open.indexOf(message.callId);
      if (at === -1) return `Internal: a result of '${message.name}' (${message.callId}) belongs to no call before it.`;
      open.splice(at, 1);
      continue;
    }
    if (open.length > 0) return `Internal: call ${open[0]} has no result before the next message.`;
    if (message.role === 'assistant') open = toolCallsOf(message).map((call) => call.callId);
  }
  return open.length > 0 ? `Internal: call ${open[0]} has no result.` : undefined;
}
