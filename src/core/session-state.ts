import type { AgentEvent } from '../types/events.ts';
import type { Message, Usage } from '../types/messages.ts';
import { emptyTodoList, type TodoList } from '../types/todos.ts';
import { newPromptState, type PromptState, reducePrompt } from './prompt-state.ts';

/** All that a conversation is, folded from its durable events; the same fold serves the running session and a resumed one. */
export type SessionState = {
  history: Message[];
  todos: TodoList;
  prompt: PromptState;
  usage: Required<Usage> & { requests: number; costKnown: boolean };
  /** Tokens of the context as of the last response, and how many messages the history then had. */
  measured: { tokens: number; messages: number };
  model: { provider: string; model: string } | undefined;
  name: string | undefined;
  /** The process ended in mid-prompt: a run started and the prompt never ended. */
  interrupted: boolean;
};

export function newSessionState(): SessionState {
  return {
    history: [],
    todos: emptyTodoList,
    prompt: newPromptState('', [], false),
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0, requests: 0, costKnown: true },
    measured: { tokens: 0, messages: 0 },
    model: undefined,
    name: undefined,
    interrupted: false,
  };
}

/** Folds an event in, in place: the history of a long session is too large to copy per event. */
export function applyEvent(state: SessionState, event: AgentEvent): void {
  state.prompt = reducePrompt(state.prompt, event);
  applyBesidePrompt(state, event);
}

/**
 * The state after all of `events`. The counters of a prompt end with it, so only the last one is counted through, with the go-aheads that may carry
 * it on; a long log folds in a fraction of the time.
 */
export function foldEvents(events: readonly AgentEvent[]): SessionState {
  const state = newSessionState();
  const from = events.findLastIndex(
    (event) => event.type === 'user-message' && (event.kind === 'prompt' || event.kind === 'queue') && event.resumes !== true,
  );
  for (const [index, event] of events.entries()) {
    if (index === from) state.prompt = newPromptState('', state.todos.items, false);
    if (index >= from) state.prompt = reducePrompt(state.prompt, event);
    applyBesidePrompt(state, event);
  }
  return state;
}

function applyBesidePrompt(state: SessionState, event: AgentEvent): void {
  switch (event.type) {
    case 'session-start':
      state.model = { provider: event.provider, model: event.model };
      if (event.name !== undefined) state.name = event.name;
      return;
    case 'user-message':
      state.history.push({
        role: 'user',
        kind: event.kind,
        text: event.attached === undefined ? event.text : `${event.text}\n\n${event.attached}`,
      });
      return;
    case 'run-start':
      state.interrupted = true;
      return;
    case 'prompt-end':
      state.interrupted = false;
      return;
    case 'turn-end':
      if (event.message.parts.length > 0) state.history.push(event.message);
      if (event.usage !== undefined) {
        state.measured = { tokens: event.usage.inputTokens + event.usage.outputTokens, messages: state.history.length };
      }
      return;
    case 'tool-result':
      state.history.push({ role: 'tool', callId: event.callId, name: event.name, output: event.output, isError: event.isError });
      return;
    case 'todos-change':
      state.todos = event.list;
      return;
    case 'compaction':
      state.history = [...event.messages];
      state.measured = { tokens: event.tokensAfter, messages: event.messages.length };
      return;
    case 'model-change':
      state.model = { provider: event.provider, model: event.model };
      return;
    case 'session-name':
      state.name = event.name;
      return;
    case 'usage': {
      const { usage } = event;
      const total = state.usage;
      state.usage = {
        inputTokens: total.inputTokens + usage.inputTokens,
        outputTokens: total.outputTokens + usage.outputTokens,
        cachedTokens: total.cachedTokens + (usage.cachedTokens ?? 0),
        reasoningTokens: total.reasoningTokens + (usage.reasoningTokens ?? 0),
        costUsd: total.costUsd + (usage.costUsd ?? 0),
        requests: total.requests + 1,
        costKnown: total.costKnown && usage.costUsd !== undefined,
      };
      return;
    }
    default:
  }
}
