import type { Clock } from '../lib/clock.ts';
import type { Usage } from '../types/messages.ts';
import { checklistModels, type PlannedTurn, planTurn } from './checklist-turn.ts';
import type { Provider, ProviderEvent, ProviderRequest } from './provider.ts';

/**
 * The embedded offline provider: a deterministic program that works through a list with the real tools and says that it is no language
 * model. With `pace`, it rests `delayMs` between pieces of text, so that people can follow.
 */
export function createBuiltin(options: { readonly pace?: { readonly clock: Clock; readonly delayMs: number } } = {}): Provider {
  return {
    id: 'builtin',
    async *stream(request, signal) {
      const model = checklistModels.find((name) => name === request.model);
      if (model === undefined) {
        const message = `The built-in provider has no model '${request.model}'. Accepted: ${checklistModels.join(', ')}.`;
        yield { type: 'error', error: { kind: 'bad-request', message, retryable: false } };
        return;
      }
      const canAct = request.tools.some((tool) => tool.name === 'todo_write');
      const turn = planTurn(request.messages, { model, canAct });
      for (const event of eventsOf(turn, request)) {
        if (signal.aborted) {
          yield { type: 'finish', finish: 'aborted' };
          return;
        }
        yield event;
        if (event.type === 'text-delta' && options.pace !== undefined) await options.pace.clock.sleep(options.pace.delayMs, signal);
      }
    },
    listModels: async () => checklistModels.map((id) => ({ id })),
  };
}

function* eventsOf(turn: PlannedTurn, request: ProviderRequest): Generator<ProviderEvent> {
  for (const piece of turn.text.match(/[\s\S]{1,40}(?:\s|$)|[\s\S]{1,40}/gu) ?? []) yield { type: 'text-delta', text: piece };
  const first = 1 + request.messages.filter((message) => message.role === 'tool').length;
  for (const [index, call] of turn.calls.entries()) {
    yield {
      type: 'tool-call',
      call: { callId: `checklist-${request.messages.length}-${first + index}`, name: call.name, arguments: { ...call.arguments } },
    };
  }
  yield { type: 'usage', usage: estimateUsage(turn, request) };
  yield { type: 'finish', finish: turn.calls.length > 0 ? 'tool-calls' : 'stop' };
}

/** Four characters a token: the model counts nothing, so this is an estimate, and it is free. */
function estimateUsage(turn: PlannedTurn, request: ProviderRequest): Usage {
  const read = request.system.length + JSON.stringify(request.messages).length;
  const written = turn.text.length + JSON.stringify(turn.calls).length;
  return { inputTokens: Math.ceil(read / 4), outputTokens: Math.ceil(written / 4), costUsd: 0 };
}
