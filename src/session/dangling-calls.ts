import type { DurableEvent, EventOf } from '../types/events.ts';
import { type ToolCallPart, toolCallsOf } from '../types/messages.ts';

/** A call whose result is not in the log. */
export type PendingCall = {
  readonly callId: string;
  readonly name: string;
  /** It had been started: what it did is unknown. Otherwise it never ran. */
  readonly started: boolean;
  /** The shell command, when it was one. */
  readonly command: string | undefined;
};

type OpenCall = { readonly turnEnd: EventOf<'turn-end'>; readonly call: ToolCallPart; start: EventOf<'tool-start'> | undefined };

/** At these, the results of the turn before must be there. */
const settlesCalls: ReadonlySet<DurableEvent['type']> = new Set(['run-start', 'run-end', 'turn-start', 'prompt-end', 'compaction']);

const nonePending: readonly PendingCall[] = [];

/** Gives every call that has no result a synthetic one, where its turn's results belong. */
export function closeDanglingCalls(
  events: readonly DurableEvent[],
  times: readonly number[],
): { events: readonly DurableEvent[]; times: readonly number[]; pendingCalls: readonly PendingCall[]; report: readonly string[] } {
  const outEvents: DurableEvent[] = [];
  const outTimes: number[] = [];
  const open = new Map<string, OpenCall>();
  const settle = (at: number): readonly PendingCall[] => {
    if (open.size === 0) return nonePending;
    const pending = [...open.values()].map(toPending);
    for (const entry of open.values()) {
      outEvents.push(syntheticResult(entry));
      outTimes.push(at);
    }
    open.clear();
    return pending;
  };

  for (const [index, event] of events.entries()) {
    const at = times[index] ?? 0;
    if (settlesCalls.has(event.type) || (event.type === 'user-message' && event.kind === 'prompt')) settle(at);
    if (event.type === 'turn-end') {
      settle(at);
      for (const call of toolCallsOf(event.message)) open.set(call.callId, { turnEnd: event, call, start: undefined });
    } else if (event.type === 'tool-start') {
      const entry = open.get(event.callId);
      if (entry !== undefined) entry.start = event;
    } else if (event.type === 'tool-result') open.delete(event.callId);
    outEvents.push(event);
    outTimes.push(at);
  }
  const pendingCalls = settle(times.at(-1) ?? 0);
  return { events: outEvents, times: outTimes, pendingCalls, report: pendingCalls.filter((call) => call.started).map(describePending) };
}

function toPending({ call, start }: OpenCall): PendingCall {
  const effect = start?.effects.find((candidate) => candidate.kind === 'command');
  return { callId: call.callId, name: call.name, started: start !== undefined, command: effect?.command };
}

function describePending(call: PendingCall): string {
  const what = call.command === undefined ? `A call of ${call.name}` : `The command '${call.command}'`;
  return `${what} was running when the session was interrupted. Its outcome is unknown and it is not run again.`;
}

function syntheticResult({ turnEnd, call, start }: OpenCall): EventOf<'tool-result'> {
  return {
    type: 'tool-result',
    runId: turnEnd.runId,
    turn: turnEnd.turn,
    attempt: turnEnd.attempt,
    callId: call.callId,
    name: call.name,
    arguments: call.arguments,
    output:
      start === undefined
        ? 'Interrupted before it started, as far as the log shows; outcome unknown.'
        : 'Interrupted while it was running; outcome unknown. Look at what it has done before doing it again.',
    isError: true,
    acting: true,
    working: true,
  };
}
