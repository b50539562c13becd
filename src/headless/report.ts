import { toJsonLine } from '../lib/jsonl.ts';
import { messageOf, UsageError } from '../types/errors.ts';
import { countTodos } from '../types/todos.ts';
import { withIds } from './format.ts';
import { type CallOutcome, resultRecord } from './result.ts';
import type { OneShotDeps } from './run.ts';
import { outcomeOfSignal } from './stop.ts';

/** The outcome of an error that ended a call before it could run, or while it ran. */
export function outcomeOfError(error: unknown): CallOutcome {
  const sentence = messageOf(error);
  if (!(error instanceof UsageError)) return { reason: 'internal', exitCode: 70, sentence };
  const reasons = { 2: 'usage', 41: 'auth', 42: 'input', 52: 'configuration' } as const;
  return { reason: reasons[error.exitCode], exitCode: error.exitCode, sentence };
}

type ReportDeps = Pick<OneShotDeps, 'format' | 'write' | 'warn' | 'started' | 'clock'>;

/** For a call that failed before it had a session: its one result, in the format that was asked for. Resolves with the exit code. */
export function reportFailure(error: unknown, deps: ReportDeps): Promise<number> {
  return report(outcomeOfError(error), deps);
}

/** For a call that a signal of that exit code ended before it had a session. */
export function reportSignal(exitCode: number, deps: ReportDeps): Promise<number> {
  return report({ ...outcomeOfSignal(exitCode), sentence: 'Stopped by a signal before there was a prompt' }, deps);
}

async function report(outcome: CallOutcome, deps: ReportDeps): Promise<number> {
  const { exitCode } = outcome;
  if (deps.format !== 'text') {
    const body = resultRecord(outcome, {
      exitCode,
      texts: [],
      turns: 0,
      durationMs: deps.clock.now() - deps.started,
      usage: { inputTokens: 0, outputTokens: 0 },
      denials: [],
      counts: countTodos([]),
    });
    await deps.write(toJsonLine(withIds(body, { sessionId: '', started: deps.started, number: 1 }))).catch(() => {});
  }
  deps.warn(outcome.sentence);
  return exitCode;
}
