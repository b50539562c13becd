import type { ProviderRequest, ToolSchema } from '../providers/provider.ts';
import type { Tool } from '../tools/tool.ts';
import { type AssistantMessage, type Message, type ToolMessage, toolCallsOf } from '../types/messages.ts';

/** Result that stands for one that never came, so that every call has exactly one. */
const missingOutput = 'No result: the call was interrupted and its outcome is unknown.';

/**
 * History as a request may carry it: directly after each assistant message the results of its calls, one per call and in their order; no result
 * without a call; no empty message.
 */
export function pairCalls(history: readonly Message[]): readonly Message[] {
  const paired: Message[] = [];
  let index = 0;
  while (index < history.length) {
    const message = history[index];
    index += 1;
    if (message === undefined || message.role === 'tool') continue;
    if (message.role === 'user') {
      paired.push(message);
      continue;
    }
    if (message.parts.length === 0) continue;
    const calls = toolCallsOf(message);
    paired.push(message);
    if (calls.length === 0) continue;
    const { results, others, next } = collectResults(
      history,
      index,
      calls.map((call) => call.callId),
    );
    index = next;
    paired.push(...resultsOf(message, results), ...others);
  }
  return paired;
}

/** The results of the calls `wanted`, from `from` up to the next answer; results of other calls are left out. */
function collectResults(
  history: readonly Message[],
  from: number,
  wanted: readonly string[],
): { results: ToolMessage[]; others: Message[]; next: number } {
  const owed = [...wanted];
  const results: ToolMessage[] = [];
  const others: Message[] = [];
  let next = from;
  while (next < history.length && owed.length > 0) {
    const message = history[next];
    if (message === undefined || message.role === 'assistant') break;
    if (message.role === 'tool') {
      const at = owed.indexOf(message.callId);
      if (at !== -1) {
        owed.splice(at, 1);
        results.push(message);
      }
    } else others.push(message);
    next += 1;
  }
  return { results, others, next };
}

function resultsOf(message: AssistantMessage, results: readonly ToolMessage[]): readonly ToolMessage[] {
  const left = [...results];
  return toolCallsOf(message).map((call) => {
    const at = left.findIndex((result) => result.callId === call.callId);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    return found ?? { role: 'tool', callId: call.callId, name: call.name, output: missingOutput, isError: true };
  });
}

export function toolSchemas(tools: readonly Tool[]): readonly ToolSchema[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** A whole request; the reminder, if any, is its last message and stands nowhere else. */
export function buildRequest(input: {
  readonly model: string;
  readonly system: string;
  readonly history: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly reminder: string | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly reasoningEffort?: string | undefined;
}): ProviderRequest {
  const messages = [...pairCalls(input.history)];
  if (input.reminder !== undefined) messages.push({ role: 'user', kind: 'reminder', text: input.reminder });
  return {
    model: input.model,
    system: input.system,
    messages,
    tools: input.tools,
    ...(input.maxOutputTokens === undefined ? {} : { maxOutputTokens: input.maxOutputTokens }),
    ...(input.reasoningEffort === undefined ? {} : { reasoningEffort: input.reasoningEffort }),
  };
}
