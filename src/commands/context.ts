import type { Message } from '../types/messages.ts';
import type { Command } from './command.ts';

/** `/context`: how full the context window is, and with what. */
export const contextCommand: Command = {
  name: 'context',
  aliases: [],
  usage: '',
  summary: 'how full the context window is',
  whileBusy: true,
  run(_rest, session) {
    const { contextWindow, model } = session.model.current();
    const used = session.usage.contextTokens();
    const { 'compact-at': compactAt, 'stop-at': stopAt } = session.settings.get();
    const percent = (share: number): string => `${Math.round(share * 100)} %`;
    const size =
      contextWindow === undefined
        ? `${number(used)} tokens, window unknown`
        : `${number(used)} of ${number(contextWindow)} tokens (${percent(used / contextWindow)})`;
    const lines = [`${model}: ${size}`, ...sharesOf(session.history())];
    if (contextWindow !== undefined)
      lines.push(`compacted at ${percent(Math.min(compactAt, stopAt))}, work stops at ${percent(stopAt)}. /compact does it now.`);
    return { kind: 'page', title: 'Context', lines };
  },
};

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}

const roles = { user: 'your prompts', assistant: 'answers and calls', tool: 'tool results' } as const;

/** Estimated from characters, four to a token; only the total is measured by the endpoint. */
function sharesOf(history: readonly Message[]): readonly string[] {
  return (['user', 'assistant', 'tool'] as const).map((role) => {
    const messages = history.filter((message) => message.role === role);
    const characters = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    return `${roles[role].padEnd(18)}  ${String(messages.length).padStart(5)}  about ${number(characters / 4)} tokens`;
  });
}

function sizeOf(message: Message): number {
  switch (message.role) {
    case 'user':
      return message.text.length;
    case 'tool':
      return message.output.length;
    case 'assistant':
      return message.parts.reduce(
        (sum, part) => sum + (part.type === 'tool-call' ? JSON.stringify(part.arguments).length : part.text.length),
        0,
      );
  }
}
