import type { Reason, RunEnd } from '../types/reasons.ts';
import { countTodos, type Todo, type TodoCounts } from '../types/todos.ts';

/** Everything that decides whether work goes on, at one moment. Built by core/snapshot, judged only here. */
export type Snapshot = {
  /** Esc, Ctrl+C or a signal, and the user has not acted since. */
  readonly aborted: boolean;
  /** How the last run ended; `complete` when asked in the middle of a turn: "if the run ended here". */
  readonly end: RunEnd;
  /** A hard cap of the prompt that no further request may pass. */
  readonly capReached: CapReason | undefined;
  /** The user typed something that waits. */
  readonly userInput: boolean;
  /** A question or an approval is open right now. */
  readonly asking: 'question' | 'permission' | undefined;
  /** The user said no without a reason in this prompt. */
  readonly denied: boolean;
  /** One-shot only: the run needed a person. `permission`: every acting call was refused; `question`: asked, and nothing done since. */
  readonly neededPerson: 'question' | 'permission' | undefined;
  /** Provider retry, compaction or replay under way. */
  readonly recovering: boolean;
  readonly paused: boolean;
  /** The session was resumed and the user has not acted since. */
  readonly resumed: boolean;
  readonly enabled: boolean;
  readonly planMode: boolean;
  /** Whether the agent has acting tools and may be driven by its list. */
  readonly agentActs: boolean;
  readonly todos: readonly Todo[];
  readonly inPlay: boolean;
  /** Unfinished items that the model left out and that neither came back nor were cancelled. */
  readonly dropped: readonly Todo[];
  /** A nudge has named them. */
  readonly droppedNamed: boolean;
  /** Sub-agents of this prompt that run, and commands that run and were not yet waited for in full. */
  readonly background: number;
  readonly nudgesWithoutProgress: number;
  readonly nudgesSinceClose: number;
  readonly maxNoProgress: number;
  readonly maxContinuations: number;
};

export type CapReason = Extract<Reason, 'turn-limit' | 'token-limit' | 'budget-limit' | 'time-limit' | 'context-limit'>;

type Facts = Snapshot & { readonly counts: TodoCounts; readonly hasWork: boolean };

export type Gate = { readonly reasons: readonly Reason[]; judge(facts: Facts): Reason | undefined };

const failedEnds: Partial<Record<RunEnd, Reason>> = {
  auth: 'auth',
  error: 'error',
  'rate-limit': 'rate-limit',
  empty: 'empty',
  'output-limit': 'output-limit',
  safety: 'safety',
};
const cappedEnds: Partial<Record<RunEnd, Reason>> = {
  'turn-limit': 'turn-limit',
  'token-limit': 'token-limit',
  'budget-limit': 'budget-limit',
  'time-limit': 'time-limit',
  'context-limit': 'context-limit',
};

/**
 * The gates in their order: the first that names a reason decides. `hasWork` means an active item, or dropped ones that no nudge has
 * named yet: without work a reached cap, a pause or a switched-off engine stops nothing.
 */
export const gates: readonly Gate[] = [
  { reasons: ['aborted'], judge: ({ aborted, end }) => (aborted || end === 'aborted' ? 'aborted' : undefined) },
  { reasons: ['auth', 'error', 'rate-limit', 'empty', 'output-limit', 'safety'], judge: ({ end }) => failedEnds[end] },
  {
    reasons: ['turn-limit', 'token-limit', 'budget-limit', 'time-limit', 'context-limit'],
    judge: ({ end, capReached, hasWork, inPlay }) => cappedEnds[end] ?? (hasWork && inPlay ? capReached : undefined),
  },
  { reasons: ['loop', 'no-progress'], judge: ({ end }) => (end === 'loop' || end === 'no-progress' ? end : undefined) },
  { reasons: ['user-input'], judge: ({ userInput }) => (userInput ? 'user-input' : undefined) },
  {
    reasons: ['question', 'permission'],
    judge: ({ asking, denied, end, neededPerson, counts }) => {
      if (asking !== undefined) return asking;
      if (denied || end === 'permission') return 'permission';
      return counts.open > 0 || counts.total === 0 ? neededPerson : undefined;
    },
  },
  { reasons: ['recovering'], judge: ({ recovering }) => (recovering ? 'recovering' : undefined) },
  {
    reasons: ['paused', 'paused-by-resume'],
    judge: ({ paused, resumed, end, counts, hasWork }) => {
      if (counts.open === 0 && !hasWork) return undefined;
      if (paused || end === 'paused') return 'paused';
      return resumed ? 'paused-by-resume' : undefined;
    },
  },
  {
    reasons: ['off', 'plan-mode', 'agent-off'],
    judge: ({ enabled, planMode, agentActs, hasWork }) => {
      if (!hasWork) return undefined;
      if (!enabled) return 'off';
      if (planMode) return 'plan-mode';
      return agentActs ? undefined : 'agent-off';
    },
  },
  {
    reasons: ['no-list', 'not-in-play'],
    judge: ({ counts, inPlay, dropped }) => {
      if (counts.total === 0 && dropped.length === 0) return 'no-list';
      if (inPlay) return undefined;
      return counts.open > 0 ? 'not-in-play' : 'no-list';
    },
  },
  {
    reasons: ['list-cleared', 'dropped'],
    judge: ({ counts, dropped, droppedNamed }) => {
      if (dropped.length === 0 || !droppedNamed || counts.active > 0) return undefined;
      return counts.total === 0 ? 'list-cleared' : 'dropped';
    },
  },
  { reasons: ['done'], judge: ({ counts, dropped }) => (counts.open === 0 && dropped.length === 0 ? 'done' : undefined) },
  { reasons: ['blocked'], judge: ({ hasWork }) => (hasWork ? undefined : 'blocked') },
  { reasons: ['background'], judge: ({ background }) => (background > 0 ? 'background' : undefined) },
  {
    reasons: ['no-progress'],
    judge: ({ nudgesWithoutProgress, maxNoProgress }) => (nudgesWithoutProgress >= maxNoProgress ? 'no-progress' : undefined),
  },
  {
    reasons: ['continuation-limit'],
    judge: ({ nudgesSinceClose, maxContinuations }) => (nudgesSinceClose >= maxContinuations ? 'continuation-limit' : undefined),
  },
];

/** The reason why work does not go on by itself now, or undefined when it does. The one authority on that question. */
export function judgeGates(snapshot: Snapshot): Reason | undefined {
  const counts = countTodos(snapshot.todos);
  const hasWork = counts.active > 0 || (snapshot.dropped.length > 0 && !snapshot.droppedNamed);
  const facts: Facts = { counts, hasWork, ...snapshot };
  for (const gate of gates) {
    const reason = gate.judge(facts);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
