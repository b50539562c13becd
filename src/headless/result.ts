import type { Usage } from '../types/messages.ts';
import type { TodoCounts } from '../types/todos.ts';
import { subtypeOf } from './exit-code.ts';
import { usageOf } from './record-parts.ts';
import type { ExitReason, RecordBody, ResultRecord } from './records.ts';

/** How a call ended, before `--exit-zero-unfinished`. */
export type CallOutcome = { readonly reason: ExitReason; readonly exitCode: number; readonly sentence: string };

export type ResultFacts = {
  /** The one that the process exits with. */
  readonly exitCode: number;
  readonly texts: readonly string[];
  readonly turns: number;
  readonly durationMs: number;
  readonly usage: Usage;
  readonly denials: ResultRecord['permission_denials'];
  readonly counts: TodoCounts;
  /** Absent when no schema was asked for, or the answer does not fit it. */
  readonly structured?: { readonly value: unknown };
};

/** The last record of a call. */
export function resultRecord(outcome: CallOutcome, facts: ResultFacts): RecordBody {
  const { pending, in_progress, completed, cancelled, blocked, total } = facts.counts;
  return {
    type: 'result',
    subtype: subtypeOf(outcome.reason, outcome.exitCode),
    is_error: facts.exitCode !== 0,
    result: facts.texts.join('\n\n'),
    sentence: outcome.sentence,
    num_turns: facts.turns,
    duration_ms: Math.max(0, facts.durationMs),
    usage: usageOf(facts.usage),
    ...(facts.usage.costUsd === undefined ? {} : { total_cost_usd: facts.usage.costUsd }),
    permission_denials: facts.denials,
    todos: { pending, in_progress, completed, cancelled, blocked, total },
    exit_reason: outcome.reason,
    exit_code: facts.exitCode,
    ...(facts.structured === undefined ? {} : { structured_output: facts.structured.value }),
  };
}

/** What was used since `before` was read. */
export function usageSince(before: Usage, after: Usage): Usage {
  const cached = (after.cachedTokens ?? 0) - (before.cachedTokens ?? 0);
  return {
    inputTokens: Math.max(0, after.inputTokens - before.inputTokens),
    outputTokens: Math.max(0, after.outputTokens - before.outputTokens),
    ...(after.cachedTokens === undefined ? {} : { cachedTokens: Math.max(0, cached) }),
    ...(after.costUsd === undefined ? {} : { costUsd: Math.max(0, after.costUsd - (before.costUsd ?? 0)) }),
  };
}
