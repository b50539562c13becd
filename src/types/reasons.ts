/**
 * Why control went back to the user, or why the engine waits. Every prompt ends with exactly one of these. The order of the
 * gates is in follow-through/gates, the sentence and exit code of each in follow-through/outcome.
 */
export const reasons = [
  'aborted',
  'auth',
  'error',
  'rate-limit',
  'empty',
  'output-limit',
  'safety',
  'turn-limit',
  'token-limit',
  'budget-limit',
  'time-limit',
  'context-limit',
  'loop',
  'user-input',
  'question',
  'permission',
  'recovering',
  'paused',
  'paused-by-resume',
  'off',
  'plan-mode',
  'agent-off',
  'no-list',
  'not-in-play',
  'list-cleared',
  'dropped',
  'done',
  'check-failed',
  'blocked',
  'background',
  'no-progress',
  'continuation-limit',
] as const;
export type Reason = (typeof reasons)[number];

/** How a run ended; `complete` means that the model made no more tool calls and nothing cut it short. */
export const runEnds = [
  'complete',
  'aborted',
  'auth',
  'error',
  'rate-limit',
  'empty',
  'output-limit',
  'safety',
  'turn-limit',
  'token-limit',
  'budget-limit',
  'time-limit',
  'context-limit',
  'loop',
  'no-progress',
  'permission',
  'paused',
] as const;
export type RunEnd = (typeof runEnds)[number];
