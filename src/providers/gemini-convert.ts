import { type AssistantMessage, type Message, type Origin, type ToolMessage, toolCallsOf } from '../types/messages.ts';
import type { GeminiConfig } from './config.ts';
import { joinAssistants } from './openai-convert.ts';
import type { ProviderRequest } from './provider.ts';

export type WirePart = Readonly<Record<string, unknown>>;
export type WireContent = { readonly role: 'user' | 'model'; readonly parts: readonly WirePart[] };

/** Ids that the adapter made up begin so: they are never sent, for the endpoint has not seen them. */
export const madeUpId = 'tilldone-';

/** Gemini 3 refuses a call without a signature; this value, named in its documentation, stands in for calls that another model made. */
const foreignSignature = 'skip_thought_signature_validator';

/** The parameters of a streamGenerateContent request. */
export function toGeminiParams(
  request: ProviderRequest,
  config: Pick<GeminiConfig, 'id' | 'extraBody'>,
): Readonly<Record<string, unknown>> {
  const declarations = request.tools.map(({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters }));
  return {
    ...(request.system === '' ? {} : { systemInstruction: { role: 'system', parts: [{ text: request.system }] } }),
    ...(declarations.length === 0 ? {} : { tools: [{ functionDeclarations: declarations }] }),
    generationConfig: {
      ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
      ...thinkingOf(request),
    },
    ...config.extraBody,
    contents: toGeminiContents(request.messages, { provider: config.id, model: request.model }),
  };
}

/** The history as turns: neighbouring model turns joined, and the results of a turn's calls in one user turn, in the order of the calls. */
export function toGeminiContents(messages: readonly Message[], target: Origin): readonly WireContent[] {
  const contents: WireContent[] = [];
  let results: ToolMessage[] = [];
  let calls: AssistantMessage | undefined;
  const flushResults = (): void => {
    if (results.length === 0) return;
    const order = calls === undefined ? [] : toolCallsOf(calls).map((call) => call.callId);
    const sorted = [...results].sort((left, right) => order.indexOf(left.callId) - order.indexOf(right.callId));
    contents.push({ role: 'user', parts: sorted.map(toResponse) });
    results = [];
  };
  for (const message of joinAssistants(messages)) {
    if (message.role === 'tool') {
      results.push(message);
      continue;
    }
    flushResults();
    if (message.role === 'user') contents.push({ role: 'user', parts: [{ text: message.text }] });
    else {
      calls = message;
      const parts = toParts(message, target);
      if (parts.length > 0) contents.push({ role: 'model', parts });
    }
  }
  flushResults();
  return contents;
}

/** Thoughts stay here; signatures go back on the very part they came on, and only to the model that made them. */
function toParts(message: AssistantMessage, target: Origin): readonly WirePart[] {
  let calledBefore = false;
  return message.parts.flatMap((part): WirePart[] => {
    const own = part.origin.provider === target.provider && part.origin.model === target.model;
    const signature = own ? part.signature : undefined;
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    if (part.type === 'text') return part.text === '' && signature === undefined ? [] : [{ text: part.text, ...signed }];
    if (part.type === 'reasoning') return [];
    const first = !calledBefore;
    calledBefore = true;
    const standIn = first && signature === undefined && target.model.startsWith('gemini-3') ? { thoughtSignature: foreignSignature } : {};
    return [{ functionCall: { ...idOf(part.callId), name: part.name, args: part.arguments }, ...signed, ...standIn }];
  });
}

function toResponse(message: ToolMessage): WirePart {
  const response = message.isError ? { error: message.output } : { output: message.output };
  return { functionResponse: { ...idOf(message.callId), name: message.name, response } };
}

function idOf(callId: string): { readonly id?: string } {
  return callId.startsWith(madeUpId) ? {} : { id: callId };
}

const thinkingBudgets: Readonly<Record<string, number>> = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576 };

/** Thoughts are asked for where the model thinks by itself; elsewhere the field is an error. */
function thinkingOf({ model, reasoningEffort }: ProviderRequest): Readonly<Record<string, unknown>> {
  if (/^gemini-3/u.test(model)) {
    return {
      thinkingConfig: {
        includeThoughts: true,
        ...(reasoningEffort === undefined ? {} : { thinkingLevel: reasoningEffort === 'high' ? 'high' : 'low' }),
      },
    };
  }
  const thinks = /^gemini-2\.5-(?:pro|flash)(?!-(?:lite|image|live))/u.test(model);
  const budget = reasoningEffort === undefined ? undefined : thinkingBudgets[reasoningEffort];
  if (!thinks && (budget === undefined || !model.startsWith('gemini-2.5'))) return {};
  return { thinkingConfig: { includeThoughts: budget !== 0, ...(budget === undefined ? {} : { thinkingBudget: budget }) } };
}
