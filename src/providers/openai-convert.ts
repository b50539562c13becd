import type { AssistantMessage, AssistantPart, Message, Origin, ToolCallPart } from '../types/messages.ts';
import type { OpenAiConfig } from './config.ts';
import type { ProviderRequest } from './provider.ts';
import { asRecord, parseJson, type WireRecord } from './wire-values.ts';

type WireCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: WireRecord;
};
export type WireMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: string }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly WireCall[];
      readonly [field: string]: unknown;
    };

type Target = Pick<OpenAiConfig, 'id' | 'compat' | 'extraBody'>;

/** The body of a Chat Completions request. Extra fields of the profile win, except over the messages and the streaming itself. */
export function toOpenAiBody(request: ProviderRequest, target: Target): Readonly<Record<string, unknown>> {
  const { compat } = target;
  const { maxOutputTokens, reasoningEffort } = request;
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  return {
    model: request.model,
    ...(maxOutputTokens === undefined ? {} : { [compat.maxTokensField ?? 'max_tokens']: maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && compat.parallelCalls === false ? { parallel_tool_calls: false } : {}),
    ...(compat.streamOptions === false ? {} : { stream_options: { include_usage: true } }),
    ...target.extraBody,
    messages: toOpenAiMessages(request, target),
    stream: true,
  };
}

/** One system message first; neighbouring assistant messages joined; every call directly followed by its result. */
export function toOpenAiMessages(request: ProviderRequest, { id, compat }: Pick<Target, 'id' | 'compat'>): readonly WireMessage[] {
  const shortIds = new Map<string, string>();
  const idFor = (call: ToolCallPart): string => {
    if (compat.shortCallIds !== true || call.origin.provider === id) return call.callId;
    const short = shortIds.get(call.callId) ?? shortId(call.callId);
    shortIds.set(call.callId, short);
    return short;
  };
  const messages: WireMessage[] = [];
  if (request.system !== '') messages.push({ role: compat.systemRole ?? 'system', content: request.system });
  for (const message of joinAssistants(request.messages)) {
    if (message.role === 'tool') {
      const callId = shortIds.get(message.callId) ?? message.callId;
      messages.push({ role: 'tool', tool_call_id: callId, content: message.output === '' ? '(no output)' : message.output });
    } else if (message.role === 'user') messages.push({ role: 'user', content: message.text });
    else
      messages.push(
        ...toAssistant(message, { returnReasoning: compat.returnReasoning, idFor, target: { provider: id, model: request.model } }),
      );
  }
  const joined = compat.joinSameRole === true || compat.systemRole === 'user' ? joinSameRole(messages) : messages;
  return compat.bridgeToolsToUser === true ? joined.flatMap((message, index) => bridge(message, joined[index - 1])) : joined;
}

/** Neighbouring assistant messages as one: strict endpoints refuse two in a row. Messages with nothing to send are left out. */
export function joinAssistants(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    if (message.role === 'assistant' && message.parts.length === 0) continue;
    const last = joined.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') joined[joined.length - 1] = joinParts(last, message);
    else joined.push(message);
  }
  return joined;
}

function joinParts(left: AssistantMessage, right: AssistantMessage): AssistantMessage {
  const ends = left.parts.at(-1);
  const begins = right.parts[0];
  const gap: AssistantPart[] =
    ends?.type === 'text' && begins?.type === 'text' ? [{ type: 'text', text: '\n\n', origin: begins.origin }] : [];
  return { role: 'assistant', parts: [...left.parts, ...gap, ...right.parts] };
}

function toAssistant(
  message: AssistantMessage,
  options: { returnReasoning: string | undefined; idFor: (call: ToolCallPart) => string; target: Origin },
): readonly WireMessage[] {
  const { returnReasoning, idFor, target } = options;
  /** What the model signed goes back to it alone. */
  const signed = ({ origin, signature }: AssistantPart): unknown =>
    signature !== undefined && origin.provider === target.provider && origin.model === target.model ? parseJson(signature) : undefined;
  const content = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = message.parts.flatMap((part): WireCall[] => {
    if (part.type !== 'tool-call') return [];
    const extra = asRecord(signed(part));
    const fn = { name: part.name, arguments: JSON.stringify(part.arguments) };
    return [{ id: idFor(part), type: 'function', function: fn, ...(extra === undefined ? {} : { extra_content: extra }) }];
  });
  const details = message.parts.flatMap((part) => (part.type === 'reasoning' ? (signed(part) ?? []) : []));
  const kept = details.length === 0 ? {} : { reasoning_details: details };
  if (calls.length === 0) return content === '' ? [] : [{ role: 'assistant', content, ...kept }];
  const thoughts = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const returned = returnReasoning === undefined || thoughts === '' ? {} : { [returnReasoning]: thoughts };
  return [{ role: 'assistant', content: content === '' ? null : content, tool_calls: calls, ...returned, ...kept }];
}

function joinSameRole(messages: readonly WireMessage[]): readonly WireMessage[] {
  const joined: WireMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}

function bridge(message: WireMessage, before: WireMessage | undefined): readonly WireMessage[] {
  return message.role === 'user' && before?.role === 'tool'
    ? [{ role: 'assistant', content: 'I have read the results.' }, message]
    : [message];
}

/** Nine letters and digits, the same for the same id (Mistral takes no other form). */
function shortId(callId: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const character of callId) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const text = `${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}000000000`;
  return text.slice(0, 9);
}
