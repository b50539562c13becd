import type { ToolSchema } from '../providers/provider.ts';
import type { Message } from '../types/messages.ts';
import type { SessionState } from './session-state.ts';

/** Characters per token, a low estimate that errs to the safe side; used only between two measurements by the endpoint. */
const charsPerToken = 3.5;

/** What a message adds to a request beside its text: role, separators, ids. In tokens. */
const tokensPerMessage = 6;

export function estimateTokens(message: Message): number {
  return Math.ceil(charsOf(message) / charsPerToken) + tokensPerMessage;
}

function charsOf(message: Message): number {
  switch (message.role) {
    case 'user':
      return message.text.length;
    case 'tool':
      return message.output.length + message.name.length;
    case 'assistant': {
      let chars = 0;
      for (const part of message.parts) {
        chars += part.type === 'tool-call' ? part.name.length + JSON.stringify(part.arguments).length : part.text.length;
      }
      return chars;
    }
  }
}

export function estimateHistory(history: readonly Message[], from = 0): number {
  let tokens = 0;
  for (let index = from; index < history.length; index += 1) {
    const message = history[index];
    if (message !== undefined) tokens += estimateTokens(message);
  }
  return tokens;
}

export function estimateFixed(system: string, tools: readonly ToolSchema[]): number {
  return Math.ceil((system.length + JSON.stringify(tools).length) / charsPerToken);
}

/** Tokens of the next request: as the endpoint last measured it, and an estimate of what has been added since. */
export function contextTokens(state: SessionState, fixedTokens: number): number {
  const { tokens, messages } = state.measured;
  if (tokens === 0 || messages > state.history.length) return fixedTokens + estimateHistory(state.history);
  return tokens + estimateHistory(state.history, messages);
}
