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
