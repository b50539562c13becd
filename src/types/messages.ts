import * as z from 'zod';
import { lazy } from './lazy.ts';

/** Which provider and model made a part: signatures go back only to where they came from. */
export const originSchema = lazy(() => z.object({ provider: z.string(), model: z.string() }));
export type Origin = Readonly<z.infer<ReturnType<typeof originSchema>>>;

export const toolCallPartSchema = lazy(() =>
  z.object({
    type: z.literal('tool-call'),
    /** As the provider sent it, untouched; made up by the adapter when the provider has none. */
    callId: z.string(),
    name: z.string(),
    /** Always a JSON object. `{}` when the arguments were unusable; then `invalid` says why and the call never runs. */
    arguments: z.record(z.string(), z.unknown()),
    invalid: z.string().optional(),
    /** Opaque provider state that must return on this part. */
    signature: z.string().optional(),
    origin: originSchema(),
  }),
);
export type ToolCallPart = Readonly<z.infer<ReturnType<typeof toolCallPartSchema>>>;

export const assistantPartSchema = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), signature: z.string().optional(), origin: originSchema() }),
    z.object({ type: z.literal('reasoning'), text: z.string(), signature: z.string().optional(), origin: originSchema() }),
    toolCallPartSchema(),
  ]),
);
export type AssistantPart = Readonly<z.infer<ReturnType<typeof assistantPartSchema>>>;

export const assistantMessageSchema = lazy(() =>
  z.object({
    role: z.literal('assistant'),
    parts: z.array(assistantPartSchema()).readonly(),
    /** The stream ended before the model did: error, abort, or a lost connection. */
    cut: z.boolean().optional(),
  }),
);
export type AssistantMessage = Readonly<z.infer<ReturnType<typeof assistantMessageSchema>>>;

/**
 * prompt, steer, queue: the user's own words. shell: a `!command` of the user's with its output. summary: stands for compacted
 * history. reminder: the engine's, at the tail of one request only; never in a history.
 */
export const userMessageKinds = ['prompt', 'steer', 'queue', 'shell', 'summary', 'reminder'] as const;
export const userMessageSchema = lazy(() => z.object({ role: z.literal('user'), kind: z.enum(userMessageKinds), text: z.string() }));
export type UserMessage = Readonly<z.infer<ReturnType<typeof userMessageSchema>>>;

export const toolMessageSchema = lazy(() =>
  z.object({
    role: z.literal('tool'),
    callId: z.string(),
    name: z.string(),
    output: z.string(),
    isError: z.boolean(),
  }),
);
export type ToolMessage = Readonly<z.infer<ReturnType<typeof toolMessageSchema>>>;

export const messageSchema = lazy(() => z.discriminatedUnion('role', [userMessageSchema(), assistantMessageSchema(), toolMessageSchema()]));
export type Message = Readonly<z.infer<ReturnType<typeof messageSchema>>>;

/** Tokens of one response. `inputTokens` includes cached ones; `outputTokens` includes reasoning. */
export const usageSchema = lazy(() =>
  z.object({
    inputTokens: z.number().nonnegative(),
    outputTokens: z.number().nonnegative(),
    cachedTokens: z.number().nonnegative().optional(),
    reasoningTokens: z.number().nonnegative().optional(),
    /** Absent when the price is unknown: a price is never guessed. */
    costUsd: z.number().nonnegative().optional(),
  }),
);
export type Usage = Readonly<z.infer<ReturnType<typeof usageSchema>>>;

export function textOf(message: AssistantMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.parts.filter((part) => part.type === 'tool-call');
}
