import type { ProviderRequest } from '../../src/providers/provider.ts';
import type { ScriptFunction, ScriptTurn } from '../../src/providers/scripted.ts';

/** The engine's text at the tail of a request, or undefined. */
export function reminderOf(request: ProviderRequest): string | undefined {
  const last = request.messages.at(-1);
  return last?.role === 'user' && last.kind === 'reminder' ? last.text : undefined;
}

/** Whether the request is a nudge that names a task. */
export function isNudged(request: ProviderRequest): boolean {
  return reminderOf(request)?.startsWith('You have an active task: ') === true;
}

/** The first turn once, then for ever `nudged` for a request with a nudge and `otherwise` for any other. */
export function answering(
  first: ScriptTurn,
  nudged: (index: number) => ScriptTurn,
  otherwise: (index: number) => ScriptTurn = () => ({ text: 'talk' }),
): ScriptFunction {
  return (request, index) => (index === 0 ? first : isNudged(request) ? nudged(index) : otherwise(index));
}

/** What a strict endpoint would reject: results missing, doubled or out of place, empty messages, a reminder that is not the last. */
export function faultsOf(request: ProviderRequest): readonly string[] {
  const faults: string[] = [];
  let owed: string[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (message.role === 'tool') {
      if (owed[0] === message.callId) owed.shift();
      else faults.push(`${index}: result of ${message.callId}, wanted ${owed[0] ?? 'none'}`);
      continue;
    }
    if (owed.length > 0) faults.push(`${index}: no result of ${owed.join(', ')}`);
    owed = [];
    if (message.role === 'assistant') {
      if (message.parts.length === 0) faults.push(`${index}: empty message`);
      owed = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
    } else if (message.kind === 'reminder' && index !== request.messages.length - 1) faults.push(`${index}: reminder before the end`);
  }
  if (owed.length > 0) faults.push(`end: no result of ${owed.join(', ')}`);
  return faults;
}
