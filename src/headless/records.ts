import * as z from 'zod';
import { errorKinds } from '../types/errors.ts';
import { reasons } from '../types/reasons.ts';
import { todoSchema } from '../types/todos.ts';

/** On every record: whose it is, and an id that no other record has. */
const common = { session_id: z.string(), uuid: z.uuid() };
/** On what a model or a tool said; no sub-agent speaks here yet. */
const spoken = { ...common, parent_tool_use_id: z.null() };

/** Why the call ended: the reason of the last prompt, or what kept it from having one. */
export const exitReasons = [...reasons, 'schema-mismatch', 'output-closed', 'usage', 'input', 'configuration', 'internal'] as const;
export type ExitReason = (typeof exitReasons)[number];

const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_input_tokens: z.number().optional(),
});

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const thinkingBlock = z.object({ type: z.literal('thinking'), thinking: z.string() });
const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const stopReason = z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal']).nullable();

const initRecord = z.object({
  type: z.literal('system'),
  subtype: z.literal('init'),
  ...common,
  cwd: z.string(),
  model: z.string(),
  provider: z.string(),
  permissionMode: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
  tilldone_version: z.string(),
});

/** A tool result shown to the model. */
const userRecord = z.object({
  type: z.literal('user'),
  ...spoken,
  message: z.object({
    role: z.literal('user'),
    content: z.array(z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.string(), is_error: z.boolean() })),
  }),
});

/** One accepted response of the model, whole. */
const assistantRecord = z.object({
  type: z.literal('assistant'),
  ...spoken,
  message: z.object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.discriminatedUnion('type', [textBlock, thinkingBlock, toolUseBlock])),
    stop_reason: stopReason,
    usage: usageSchema.optional(),
  }),
});

const compactRecord = z.object({
  type: z.literal('system'),
  subtype: z.literal('compact_boundary'),
  ...common,
  compact_metadata: z.object({ trigger: z.enum(['auto', 'manual']), pre_tokens: z.number() }),
});
const retryRecord = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  ...common,
  delay_ms: z.number(),
  cause: z.string(),
  /** What this response streamed so far is void and comes again. */
  voids: z.boolean(),
});
const noticeRecord = z.object({
  type: z.literal('system'),
  subtype: z.literal('notice'),
  ...common,
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  /** For a fault of the endpoint. */
  error: z.enum(errorKinds).optional(),
});
/** A prompt gave control back. With one prompt a call, `result` follows at once. */
const promptEndRecord = z.object({
  type: z.literal('system'),
  subtype: z.literal('prompt_end'),
  ...common,
  exit_reason: z.enum(reasons),
  exit_code: z.number().int(),
  sentence: z.string(),
});

/** The whole list after each change of it. */
const todoRecord = z.object({
  type: z.literal('todo'),
  ...common,
  by: z.enum(['model', 'user', 'engine', 'resume']),
  version: z.number().int(),
  todos: z.array(todoSchema()),
});

/** The engine asked again: `continuation` after a run, `retry` within a turn. */
const continuationRecord = z.object({
  type: z.literal('continuation'),
  ...common,
  kind: z.enum(['continuation', 'retry']),
  attempt: z.number().int(),
  reason: z.enum(['open-todos', 'empty']),
  todo_id: z.string().nullable(),
});

const partialEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message_start'),
    message: z.object({ id: z.string(), type: z.literal('message'), role: z.literal('assistant'), model: z.string() }),
  }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.number().int(),
    content_block: z.discriminatedUnion('type', [textBlock, thinkingBlock, toolUseBlock]),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.number().int(),
    delta: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text_delta'), text: z.string() }),
      z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ]),
  }),
  z.object({ type: z.literal('content_block_stop'), index: z.number().int() }),
  z.object({ type: z.literal('message_delta'), delta: z.object({ stop_reason: stopReason }), usage: usageSchema.optional() }),
  z.object({ type: z.literal('message_stop') }),
]);
export type PartialEvent = z.infer<typeof partialEvent>;

/** Only with `--include-partial-messages`. */
const streamEventRecord = z.object({ type: z.literal('stream_event'), ...spoken, event: partialEvent });

const countsSchema = z.object({
  pending: z.number().int(),
  in_progress: z.number().int(),
  completed: z.number().int(),
  cancelled: z.number().int(),
  blocked: z.number().int(),
  total: z.number().int(),
});

/** The last record, on every path; with `--output-format json` the only one. */
export const resultRecordSchema = z.object({
  type: z.literal('result'),
  subtype: z.enum([
    'success',
    'error_max_turns',
    'error_max_budget_usd',
    'error_max_structured_output_retries',
    'error_unfinished',
    'error_during_execution',
  ]),
  ...common,
  /** The exit code is not 0. */
  is_error: z.boolean(),
  /** What text mode prints: the final text of every run, in order. */
  result: z.string(),
  /** Why work ended, in words; may be empty. */
  sentence: z.string(),
  num_turns: z.number().int(),
  duration_ms: z.number(),
  usage: usageSchema,
  /** Absent when the price of the model is not known. */
  total_cost_usd: z.number().optional(),
  permission_denials: z.array(z.object({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) })),
  todos: countsSchema,
  exit_reason: z.enum(exitReasons),
  exit_code: z.number().int(),
  /** With `--json-schema`, when the answer fits it. */
  structured_output: z.unknown().optional(),
});
export type ResultRecord = z.infer<typeof resultRecordSchema>;

/** Every line that stream-json may print, by name of its schema file. */
export const recordSchemas = {
  init: initRecord,
  assistant: assistantRecord,
  user: userRecord,
  'compact-boundary': compactRecord,
  'api-retry': retryRecord,
  notice: noticeRecord,
  'prompt-end': promptEndRecord,
  todo: todoRecord,
  continuation: continuationRecord,
  'stream-event': streamEventRecord,
  result: resultRecordSchema,
} as const;

export const outputRecordSchema = z.union(Object.values(recordSchemas));
export type OutputRecord = z.infer<typeof outputRecordSchema>;
/** A record before it has its ids. */
export type RecordBody = OutputRecord extends infer Each ? (Each extends unknown ? Omit<Each, 'session_id' | 'uuid'> : never) : never;
