import { countTodos } from '../types/todos.ts';
import type { Command } from './command.ts';

/** `/stats`: requests, tokens and cost of this session. */
export const statsCommand: Command = {
  name: 'stats',
  aliases: ['cost'],
  usage: '',
  summary: 'requests, tokens and cost so far',
  whileBusy: true,
  run(_rest, session) {
    const usage = session.usage.total();
    const { provider, model } = session.model.current();
    const { completed, total } = countTodos(session.todos.list().items);
    const number = (value: number): string => value.toLocaleString('en');
    const cached = usage.cachedTokens === undefined || usage.cachedTokens === 0 ? '' : `, ${number(usage.cachedTokens)} of them cached`;
    const thought =
      usage.reasoningTokens === undefined || usage.reasoningTokens === 0 ? '' : `, ${number(usage.reasoningTokens)} of them thoughts`;
    const running = session.processes().filter((process) => process.state === 'running');
    const lines = [
      `session   ${session.id}`,
      `model     ${provider}/${model}`,
      `requests  ${number(usage.requests)}`,
      `in        ${number(usage.inputTokens)} tokens${cached}`,
      `out       ${number(usage.outputTokens)} tokens${thought}`,
      `cost      ${usage.costUsd === undefined ? 'price of this model unknown' : `$${usage.costUsd.toFixed(4)}`}`,
      `todos     ${completed} of ${total} done`,
      `saved     ${session.saving.get()}`,
      ...running.map((process) => `running   ${process.command}`),
    ];
    return { kind: 'page', title: 'Session', lines };
  },
};
