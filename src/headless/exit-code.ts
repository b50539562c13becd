import type { ExitReason, ResultRecord } from './records.ts';

/** Strongest first; codes of one row are of equal weight. Codes that are not here are weaker than all but 0. */
const precedence: readonly (readonly number[])[] = [[129, 130, 143], [70], [1, 2, 41, 42, 52], [64], [62, 53], [63], [61], [60]];

function rankOf(code: number): number {
  if (code === 0) return precedence.length + 1;
  const rank = precedence.findIndex((codes) => codes.includes(code));
  return rank < 0 ? precedence.length : rank;
}

/** Of several outcomes, the one that decides the exit code; the later one when they weigh the same. */
export function strongest<Outcome extends { readonly exitCode: number }>(left: Outcome, right: Outcome): Outcome {
  return rankOf(right.exitCode) <= rankOf(left.exitCode) ? right : left;
}

/** The code that the process exits with: `--exit-zero-unfinished` gives 0 for 60 to 64. */
export function finalExitCode(code: number, exitZeroUnfinished: boolean): number {
  return exitZeroUnfinished && code >= 60 && code <= 64 ? 0 : code;
}

/** `subtype` of the result, from the code before `--exit-zero-unfinished`. */
export function subtypeOf(reason: ExitReason, code: number): ResultRecord['subtype'] {
  if (code === 0) return 'success';
  if (reason === 'turn-limit') return 'error_max_turns';
  if (reason === 'budget-limit') return 'error_max_budget_usd';
  if (reason === 'schema-mismatch') return 'error_max_structured_output_retries';
  return code >= 60 && code <= 64 ? 'error_unfinished' : 'error_during_execution';
}
