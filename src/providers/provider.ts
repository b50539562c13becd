import type { ErrorInfo } from '../types/errors.ts';
import type { FinishReason } from '../types/events.ts';
import type { Message, ToolCallPart, Usage } from '../types/messages.ts';

/** A tool as the model sees it; `parameters` is JSON Schema of an object. */
export type ToolSchema = { readonly name: string; readonly description: string; readonly parameters: Readonly<Record<string, unknown>> };

/** One request. `messages` is complete and valid: every call has its result, and a reminder, if any, is the last message. */
export type ProviderRequest = {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
};

export type ProviderCall = Omit<ToolCallPart, 'type' | 'origin'>;

export type ProviderEvent =
  | { readonly type: 'text-delta'; readonly text: string; readonly signature?: string }
  | { readonly type: 'reasoning-delta'; readonly text: string; readonly signature?: string }
  /** Once per call, when its arguments have arrived whole. */
  | { readonly type: 'tool-call'; readonly call: ProviderCall }
  | { readonly type: 'citation'; readonly text: string; readonly url?: string }
  /** Totals of this response so far; a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The transport will be tried again after `delayMs`. With `voids`, what was streamed so far is void. */
  | { readonly type: 'retry-wait'; readonly delayMs: number; readonly cause: string; readonly voids: boolean }
  | {
      readonly type: 'finish';
      readonly finish: Extract<FinishReason, 'stop' | 'tool-calls' | 'length' | 'safety' | 'malformed-call' | 'aborted'>;
    }
  | { readonly type: 'error'; readonly error: ErrorInfo };

export type ModelListing = { readonly id: string; readonly contextWindow?: number };

/**
 * The port to a model. `stream` never throws and ends with exactly one `finish` or `error`, after which nothing follows; an abort ends it
 * with finish `aborted`. Calls whose arguments did not arrive whole are not emitted when the stream was cut.
 */
export type Provider = {
  readonly id: string;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** The models that the endpoint lists; throws an Error with a message for the user when it cannot. */
  listModels?(signal: AbortSignal): Promise<readonly ModelListing[]>;
};
