import type { Reason } from '../types/reasons.ts';
import type { TodoCounts } from '../types/todos.ts';

/** What the sentence of an outcome may speak of. `detail` is the reason of a pause, the text of an error, the pattern of a loop. */
export type OutcomeFacts = {
  readonly counts: TodoCounts;
  readonly detail: string | undefined;
  readonly nudges: number;
  /** Value of the cap or limit that was reached, in words. */
  readonly limit: string | undefined;
  readonly dropped: readonly string[];
  readonly interactive: boolean;
};

type OutcomeRow = {
  /** Exit code of a one-shot run that ends so. */
  readonly exitCode: number | ((facts: OutcomeFacts) => number);
  /** What the user reads; empty: nothing is said. */
  sentence(facts: OutcomeFacts): string;
};

/** How the user carries on: in the chat, or with another call. */
function goOn({ interactive }: OutcomeFacts): string {
  return interactive ? '/continue to go on' : 'tilldone -c -p to go on';
}

function open({ counts }: OutcomeFacts): string {
  return counts.total === 0 ? '' : `, ${counts.open} of ${counts.total} open`;
}

function stopped(what: (facts: OutcomeFacts) => string): OutcomeRow['sentence'] {
  return (facts) => `Stopped: ${what(facts)}${open(facts)}${facts.counts.open > 0 ? `. ${goOn(facts)}` : ''}`;
}

function withDetail(what: string): (facts: OutcomeFacts) => string {
  return ({ detail }) => (detail === undefined || detail === '' ? what : `${what}: ${detail.replace(/\.$/u, '')}`);
}

const unfinished = (code: number) => (facts: OutcomeFacts) => (facts.counts.open > 0 || facts.dropped.length > 0 ? code : 0);

/** reason → exit code → sentence: the one table. */
export const outcomes: Readonly<Record<Reason, OutcomeRow>> = {
  aborted: { exitCode: 130, sentence: stopped(() => 'interrupted by you') },
  auth: { exitCode: 41, sentence: stopped(withDetail('the endpoint refused the key')) },
  error: { exitCode: 1, sentence: stopped(withDetail('the model could not be asked')) },
  'rate-limit': { exitCode: 1, sentence: stopped(withDetail('rate limit')) },
  empty: { exitCode: 1, sentence: stopped(() => 'the model gave an empty answer twice') },
  'output-limit': { exitCode: 1, sentence: stopped(() => 'the answer was cut at the output limit of the model') },
  safety: { exitCode: 1, sentence: stopped(withDetail('the endpoint withheld the answer (safety filter)')) },
  'turn-limit': { exitCode: 53, sentence: stopped(({ limit }) => `${limit ?? 'max-turns'} requests made for this prompt (max-turns)`) },
  'token-limit': { exitCode: 62, sentence: stopped(({ limit }) => `${limit ?? ''} tokens used for this prompt (max-total-tokens)`) },
  'budget-limit': { exitCode: 62, sentence: stopped(({ limit }) => `${limit ?? ''} US dollars spent on this prompt (max-budget-usd)`) },
  'time-limit': { exitCode: 62, sentence: stopped(({ limit }) => `${limit ?? ''} seconds spent on this prompt (timeout)`) },
  'context-limit': {
    exitCode: 62,
    sentence: stopped(() => 'the context window is full, and compacting did not help. /clear or /compact makes room'),
  },
  loop: { exitCode: 60, sentence: stopped(withDetail('the model repeats itself')) },
  'user-input': { exitCode: unfinished(61), sentence: () => '' },
  question: { exitCode: 64, sentence: stopped(() => 'the model has a question and nobody can answer it here') },
  permission: { exitCode: 64, sentence: stopped(withDetail('not permitted')) },
  recovering: { exitCode: unfinished(61), sentence: () => '' },
  paused: { exitCode: unfinished(61), sentence: (facts) => `${withDetail('Paused')(facts)}${open(facts)}. ${goOn(facts)}` },
  'paused-by-resume': { exitCode: unfinished(61), sentence: (facts) => `Resumed${open(facts)}. ${goOn(facts)}` },
  off: { exitCode: unfinished(61), sentence: stopped(() => 'todo-continuation is off') },
  'plan-mode': { exitCode: unfinished(61), sentence: stopped(() => 'plan mode makes no changes') },
  'agent-off': { exitCode: unfinished(61), sentence: stopped(() => 'this agent does not work through lists') },
  'no-list': { exitCode: 0, sentence: () => '' },
  'not-in-play': {
    exitCode: 0,
    sentence: ({ counts, interactive }) => `${counts.open} open from before, ${interactive ? '/continue' : 'tilldone -c -p'}`,
  },
  'list-cleared': {
    exitCode: 61,
    sentence: (facts) => `Stopped: the model emptied the list, unfinished: ${facts.dropped.join(', ')}. ${goOn(facts)}`,
  },
  dropped: {
    exitCode: 61,
    sentence: (facts) => `Stopped: the model left unfinished items out of the list: ${facts.dropped.join(', ')}. ${goOn(facts)}`,
  },
  done: {
    exitCode: 0,
    sentence: ({ counts }) => {
      if (counts.cancelled === 0) return counts.total === 1 ? 'The todo is done' : `All ${counts.total} todos done`;
      return `${counts.completed} of ${counts.total} todos done, ${counts.cancelled} cancelled`;
    },
  },
  'check-failed': { exitCode: 63, sentence: stopped(withDetail('a check failed')) },
  blocked: {
    exitCode: 61,
    sentence: (facts) =>
      `Stopped: ${facts.counts.blocked} of ${facts.counts.total} blocked, nothing else to do${facts.detail === undefined ? '' : `: ${facts.detail}`}. ${goOn(facts)}`,
  },
  background: { exitCode: unfinished(61), sentence: stopped(() => 'background commands still run') },
  'no-progress': {
    exitCode: 60,
    sentence: stopped(({ nudges, detail }) => detail ?? `${nudges} continuation${nudges === 1 ? '' : 's'} without progress`),
  },
  'continuation-limit': { exitCode: 60, sentence: stopped(({ nudges }) => `${nudges} continuations without closing an item`) },
};

export type Outcome = { readonly reason: Reason; readonly exitCode: number; readonly sentence: string };

export function describeOutcome(reason: Reason, facts: OutcomeFacts): Outcome {
  const row = outcomes[reason];
  return { reason, exitCode: typeof row.exitCode === 'number' ? row.exitCode : row.exitCode(facts), sentence: row.sentence(facts) };
}
