import * as z from 'zod';
import { nudgeStrengths } from './continuation.ts';
import { effectSchema, previewSchema } from './effects.ts';
import { errorInfoSchema } from './errors.ts';
import { lazy } from './lazy.ts';
import { assistantMessageSchema, messageSchema, toolCallPartSchema, usageSchema } from './messages.ts';
import { reasons, runEnds } from './reasons.ts';
import { todoListSchema } from './todos.ts';

/** Where in the work an event happened: run id (empty outside a run), turn of the run from 1, attempt of the turn from 1. */
const place = lazy(() => ({ runId: z.string(), turn: z.number().int(), attempt: z.number().int() }));
export type Place = { readonly runId: string; readonly turn: number; readonly attempt: number };
export const nowhere: Place = { runId: '', turn: 0, attempt: 0 };

export const finishReasons = ['stop', 'tool-calls', 'length', 'safety', 'malformed-call', 'aborted', 'error', 'loop'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** Durable: what a session log keeps, and all that a resume needs. */
const durableEvents = lazy(
  () =>
    [
      z.object({
        type: z.literal('session-start'),
        ...place(),
        sessionId: z.string(),
        cwd: z.string(),
        provider: z.string(),
        model: z.string(),
        version: z.string(),
        name: z.string().optional(),
        forkedFrom: z.string().optional(),
      }),
      /** `resumes`: the words were a bare go-ahead ("continue"), or /continue: the list is in play at once. */
      z.object({
        type: z.literal('user-message'),
        ...place(),
        kind: z.enum(['prompt', 'steer', 'queue', 'shell']),
        text: z.string(),
        promptId: z.string(),
        /** Content of the files that the text names with `@`: for the model, not for the screen. */
        attached: z.string().optional(),
        resumes: z.boolean().optional(),
      }),
      z.object({ type: z.literal('run-start'), ...place(), origin: z.enum(['user', 'continuation']), promptId: z.string() }),
      z.object({ type: z.literal('run-end'), ...place(), end: z.enum(runEnds), detail: z.string().optional() }),
      /** One for every request that is sent, retries of a turn included: the request count of a prompt is the number of these. */
      z.object({
        type: z.literal('turn-start'),
        ...place(),
        /** Whether a reminder rode at the tail of the request. */
        reminded: z.boolean(),
        /** Ms spent on the prompt so far, without the time that a person took. */
        elapsedMs: z.number().nonnegative(),
      }),
      z.object({
        type: z.literal('turn-end'),
        ...place(),
        message: assistantMessageSchema(),
        finish: z.enum(finishReasons),
        usage: usageSchema().optional(),
      }),
      /** The attempt is dropped; `draft` stays on screen as superseded text and is never sent again. */
      z.object({
        type: z.literal('attempt-retry'),
        ...place(),
        cause: z.enum(['open-todos', 'empty']),
        draft: z.string(),
        todoId: z.string().optional(),
      }),
      z.object({
        type: z.literal('tool-start'),
        ...place(),
        callId: z.string(),
        name: z.string(),
        effects: z.array(effectSchema()).readonly(),
        acting: z.boolean(),
      }),
      z.object({
        type: z.literal('tool-result'),
        ...place(),
        callId: z.string(),
        name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        output: z.string(),
        isError: z.boolean(),
        /** It changed something outside the conversation, or could have. */
        acting: z.boolean(),
        /** Any tool but the todo tools and ask_user. */
        working: z.boolean(),
        /** A `todo_write` that changed nothing. */
        unchanged: z.boolean().optional(),
        /** Refused because nobody could be asked. */
        needsPerson: z.boolean().optional(),
        /** It waited on a background command that still runs: no loop, no idleness. */
        waiting: z.boolean().optional(),
        /** For the screen only: what changed, as unified diff. */
        display: z.string().optional(),
      }),
      z.object({
        type: z.literal('permission-decision'),
        ...place(),
        requestId: z.string(),
        callId: z.string(),
        verdict: z.enum(['allow', 'refuse']),
        by: z.enum(['user', 'rule', 'mode', 'session', 'safety', 'nobody', 'abort']),
        reason: z.string(),
        /** The user said no and gave no reason: the run ends and waits for the user. */
        endsRun: z.boolean(),
      }),
      z.object({
        type: z.literal('question-answer'),
        ...place(),
        requestId: z.string(),
        callId: z.string(),
        answer: z.string().optional(),
      }),
      z.object({ type: z.literal('todos-change'), ...place(), list: todoListSchema(), by: z.enum(['model', 'user', 'engine', 'resume']) }),
      z.object({ type: z.literal('pause'), ...place(), by: z.enum(['model', 'user']), text: z.string() }),
      z.object({
        type: z.literal('continuation-start'),
        ...place(),
        /** 1 for the first continuation of the prompt. */
        continuation: z.number().int(),
        todoId: z.string(),
        strength: z.enum(nudgeStrengths),
      }),
      /** The one named reason for which the prompt gave control back. */
      z.object({
        type: z.literal('prompt-end'),
        ...place(),
        promptId: z.string(),
        reason: z.enum(reasons),
        exitCode: z.number().int(),
        sentence: z.string(),
      }),
      z.object({ type: z.literal('loop-detected'), ...place(), detail: z.string(), strike: z.union([z.literal(1), z.literal(2)]) }),
      /** History before it is replaced by `messages`. */
      z.object({
        type: z.literal('compaction'),
        ...place(),
        messages: z.array(messageSchema()).readonly(),
        trigger: z.enum(['auto', 'user', 'context-error']),
        method: z.enum(['summary', 'mechanical']),
        tokensBefore: z.number(),
        tokensAfter: z.number(),
      }),
      z.object({ type: z.literal('model-change'), ...place(), provider: z.string(), model: z.string() }),
      /** `reminder-sent` and `waited` keep counters exact across a resume: which engine text went out, and ms spent waiting for a person. */
      z.object({
        type: z.literal('reminder-sent'),
        ...place(),
        reminder: z.enum(['complexity', 'update', 'closed', 'idle', 'loop', 'dropped', 'unchanged']),
      }),
      z.object({ type: z.literal('session-name'), ...place(), name: z.string() }),
      /** Of one attempt, dropped or not. */
      z.object({ type: z.literal('usage'), ...place(), usage: usageSchema() }),
      z.object({ type: z.literal('error'), ...place(), error: errorInfoSchema() }),
    ] as const,
);

/** Of the moment: for the screen and for one-shot output only. */
const transientEvents = lazy(
  () =>
    [
      z.object({ type: z.literal('text-delta'), ...place(), text: z.string(), cut: z.boolean().optional() }),
      /** The live preview of text that is held back while a retry is possible. */
      z.object({ type: z.literal('draft-delta'), ...place(), text: z.string() }),
      z.object({ type: z.literal('reasoning-delta'), ...place(), text: z.string() }),
      z.object({ type: z.literal('tool-call'), ...place(), call: toolCallPartSchema() }),
      z.object({ type: z.literal('tool-output'), ...place(), callId: z.string(), text: z.string() }),
      z.object({
        type: z.literal('permission-request'),
        ...place(),
        requestId: z.string(),
        callId: z.string(),
        toolName: z.string(),
        effects: z.array(effectSchema()).readonly(),
        preview: previewSchema().optional(),
        reason: z.string(),
        rule: z.string().optional(),
      }),
      z.object({
        type: z.literal('question-request'),
        ...place(),
        requestId: z.string(),
        callId: z.string(),
        question: z.string(),
        options: z.array(z.string()).readonly(),
      }),
      z.object({ type: z.literal('continuation-tick'), ...place(), remainingMs: z.number(), open: z.number().int() }),
      z.object({ type: z.literal('continuation-end'), ...place(), reason: z.union([z.enum(reasons), z.literal('sent')]) }),
      /** `voids`: what this response streamed so far is void and will be streamed again. */
      z.object({ type: z.literal('retry-wait'), ...place(), delayMs: z.number(), cause: z.string(), voids: z.boolean() }),
      z.object({
        type: z.literal('process-change'),
        ...place(),
        processId: z.string(),
        command: z.string(),
        state: z.enum(['running', 'exited', 'killed']),
        exitCode: z.number().nullable(),
      }),
      z.object({ type: z.literal('settings-change'), ...place(), key: z.string(), value: z.unknown() }),
      z.object({ type: z.literal('notice'), ...place(), level: z.enum(['info', 'warning', 'error']), text: z.string() }),
      z.object({ type: z.literal('citation'), ...place(), text: z.string(), url: z.string().optional() }),
      z.object({ type: z.literal('finish'), ...place(), finish: z.enum(finishReasons) }),
    ] as const,
);

export const durableEventSchema = lazy(() => z.discriminatedUnion('type', [...durableEvents()]));
export const agentEventSchema = lazy(() => z.discriminatedUnion('type', [...durableEvents(), ...transientEvents()]));
export type AgentEvent = Readonly<z.infer<ReturnType<typeof agentEventSchema>>>;
export type DurableEvent = Readonly<z.infer<ReturnType<typeof durableEventSchema>>>;
export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** The same names as above, for every event asks and the schemas are made only to read a log. */
const isDurableType: Readonly<Record<DurableEvent['type'], true>> = {
  'session-start': true,
  'user-message': true,
  'run-start': true,
  'run-end': true,
  'turn-start': true,
  'turn-end': true,
  'attempt-retry': true,
  'tool-start': true,
  'tool-result': true,
  'permission-decision': true,
  'question-answer': true,
  'todos-change': true,
  pause: true,
  'continuation-start': true,
  'prompt-end': true,
  'loop-detected': true,
  compaction: true,
  'model-change': true,
  'reminder-sent': true,
  'session-name': true,
  usage: true,
  error: true,
};

export function isDurable(event: AgentEvent): event is DurableEvent {
  return Object.hasOwn(isDurableType, event.type);
}
