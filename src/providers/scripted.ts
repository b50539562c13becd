import * as z from 'zod';
import type { Clock } from '../lib/clock.ts';
import { type ErrorInfo, errorInfoSchema } from '../types/errors.ts';
import { type Usage, usageSchema } from '../types/messages.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';

type Finish = Extract<ProviderEvent, { type: 'finish' }>['finish'];

/** A call of a script; without `callId` the next free `call-N` of the history is taken. */
export type ScriptedCall = {
  readonly callId?: string;
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly invalid?: string;
};

/** One step of a turn: an event as it is, or a shorthand. An array of texts is several deltas; `wait` sleeps on the clock, in ms. */
export type ScriptStep =
  | ProviderEvent
  | { readonly text: string | readonly string[] }
  | { readonly reasoning: string }
  | { readonly calls: readonly ScriptedCall[] }
  | { readonly usage: Usage }
  | { readonly error: ErrorInfo | string }
  | { readonly finish: Finish }
  | { readonly wait: number };

/** A turn without a finish or an error ends with finish `tool-calls` or `stop`, as its calls demand. */
export type ScriptTurn = ScriptStep | readonly ScriptStep[];
export type ScriptFunction = (request: ProviderRequest, index: number) => ScriptTurn;
/** Turns in order (one more request than turns is an error), or a machine that answers every request. `repeatLast` answers for ever. */
export type Script =
  | ScriptFunction
  | readonly (ScriptTurn | ScriptFunction)[]
  | { readonly turns: readonly ScriptTurn[]; readonly repeatLast?: boolean };

export type ScriptedProvider = Provider & { readonly requests: ProviderRequest[] };

/** A provider that replays a script and keeps every request. `clock` is needed only by scripts that wait. */
export function createScripted(script: Script, options: { readonly clock?: Clock; readonly id?: string } = {}): ScriptedProvider {
  const requests: ProviderRequest[] = [];
  return {
    id: options.id ?? 'scripted',
    requests,
    async *stream(request, signal) {
      const index = requests.length;
      requests.push(request);
      const turn = turnAt(script, request, index);
      if (turn === undefined) {
        yield { type: 'error', error: internalError(`The script has no turn ${index + 1}.`) };
        return;
      }
      yield* play(turn, { request, signal, clock: options.clock });
    },
    listModels: async () => [{ id: 'scripted' }],
  };
}

function turnAt(script: Script, request: ProviderRequest, index: number): ScriptTurn | undefined {
  if (typeof script === 'function') return script(request, index);
  if ('turns' in script) return script.turns[script.repeatLast === true ? Math.min(index, script.turns.length - 1) : index];
  const turn = script[index];
  return typeof turn === 'function' ? turn(request, index) : turn;
}

async function* play(
  turn: ScriptTurn,
  { request, signal, clock }: { request: ProviderRequest; signal: AbortSignal; clock: Clock | undefined },
): AsyncGenerator<ProviderEvent> {
  let nextCall = 1 + highestCallNumber(request);
  let called = false;
  for (const step of isList(turn) ? turn : [turn]) {
    if ('wait' in step) {
      if (clock === undefined) {
        yield { type: 'error', error: internalError('The script waits, but it was given no clock.') };
        return;
      }
      await clock.sleep(step.wait, signal);
      continue;
    }
    for (const event of eventsOf(step, () => `call-${nextCall++}`)) {
      if (signal.aborted) {
        yield { type: 'finish', finish: 'aborted' };
        return;
      }
      called ||= event.type === 'tool-call';
      yield event;
      if (event.type === 'finish' || event.type === 'error') return;
    }
  }
  yield { type: 'finish', finish: signal.aborted ? 'aborted' : called ? 'tool-calls' : 'stop' };
}

function isList(turn: ScriptTurn): turn is readonly ScriptStep[] {
  return Array.isArray(turn);
}

function eventsOf(step: Exclude<ScriptStep, { readonly wait: number }>, newCallId: () => string): readonly ProviderEvent[] {
  if ('type' in step) return [step];
  if ('text' in step) return [step.text].flat().map((text) => ({ type: 'text-delta', text }));
  if ('reasoning' in step) return [{ type: 'reasoning-delta', text: step.reasoning }];
  if ('usage' in step) return [{ type: 'usage', usage: step.usage }];
  if ('error' in step) return [{ type: 'error', error: typeof step.error === 'string' ? internalError(step.error) : step.error }];
  if ('finish' in step) return [{ type: 'finish', finish: step.finish }];
  return step.calls.map(({ callId, name, arguments: args, invalid }) => ({
    type: 'tool-call',
    call: { callId: callId ?? newCallId(), name, arguments: { ...args }, ...(invalid === undefined ? {} : { invalid }) },
  }));
}

function internalError(message: string): ErrorInfo {
  return { kind: 'internal', message, retryable: false };
}

/** Ids go on from the history, so that a resumed session never has one twice. */
function highestCallNumber(request: ProviderRequest): number {
  let highest = 0;
  for (const message of request.messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      const number = part.type === 'tool-call' ? /^call-(\d{1,9})$/u.exec(part.callId)?.[1] : undefined;
      if (number !== undefined) highest = Math.max(highest, Number(number));
    }
  }
  return highest;
}

const finishSchema = z.enum(['stop', 'tool-calls', 'length', 'safety', 'malformed-call', 'aborted']);
const callSchema = z.strictObject({
  callId: z.string().optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  invalid: z.string().optional(),
});
const stepSchema = z.union([
  z.strictObject({ text: z.union([z.string(), z.array(z.string())]) }),
  z.strictObject({ reasoning: z.string() }),
  z.strictObject({ calls: z.array(callSchema).min(1) }),
  z.strictObject({ usage: usageSchema() }),
  z.strictObject({ error: z.union([z.string(), errorInfoSchema()]) }),
  z.strictObject({ finish: finishSchema }),
  z.strictObject({ wait: z.number().nonnegative() }),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text-delta'), text: z.string(), signature: z.string().optional() }),
    z.strictObject({ type: z.literal('reasoning-delta'), text: z.string(), signature: z.string().optional() }),
    z.strictObject({
      type: z.literal('tool-call'),
      call: callSchema.extend({ callId: z.string(), arguments: z.record(z.string(), z.unknown()), signature: z.string().optional() }),
    }),
    z.strictObject({ type: z.literal('citation'), text: z.string(), url: z.string().optional() }),
    z.strictObject({ type: z.literal('usage'), usage: usageSchema() }),
    z.strictObject({ type: z.literal('retry-wait'), delayMs: z.number(), cause: z.string(), voids: z.boolean() }),
    z.strictObject({ type: z.literal('finish'), finish: finishSchema }),
    z.strictObject({ type: z.literal('error'), error: errorInfoSchema() }),
  ]),
]);
const turnSchema = z.union([stepSchema, z.array(stepSchema)]);
const scriptSchema = z.union([
  z.array(turnSchema),
  z.strictObject({ turns: z.array(turnSchema).min(1), repeatLast: z.boolean().optional() }),
]);

/** Reads a script from JSON text; throws an Error that says what is wrong with it. */
export function parseScript(json: string): Script {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (thrown) {
    throw new Error(`The script is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  const parsed = scriptSchema.safeParse(raw);
  if (!parsed.success) {
    throw new Error(`The script must be a list of turns, each a step or a list of steps: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}
