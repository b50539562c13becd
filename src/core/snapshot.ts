import type { Settings } from '../config/settings.ts';
import type { CapReason, Snapshot } from '../follow-through/gates.ts';
import type { RunEnd } from '../types/reasons.ts';
import { isActive } from '../types/todos.ts';
import type { PromptState } from './prompt-state.ts';

/** What the gates must know beside the prompt and the settings. */
export type LiveFacts = {
  readonly aborted: boolean;
  readonly userInput: boolean;
  readonly asking: 'question' | 'permission' | undefined;
  readonly recovering: boolean;
  readonly resumed: boolean;
  readonly planMode: boolean;
  readonly agentActs: boolean;
  readonly interactive: boolean;
  readonly background: number;
  /** Ms spent on the prompt so far, without the time that a person took. */
  readonly elapsedMs: number;
};

/** The cap of the prompt that is used up, if any: no further request may be sent. */
export function reachedCap(prompt: PromptState, settings: Settings, elapsedMs: number): CapReason | undefined {
  if (prompt.requests >= settings['max-turns']) return 'turn-limit';
  const tokens = settings['max-total-tokens'];
  if (tokens !== null && prompt.tokens >= tokens) return 'token-limit';
  const budget = settings['max-budget-usd'];
  if (budget !== null && prompt.costUsd >= budget) return 'budget-limit';
  if (settings.timeout !== null && elapsedMs >= settings.timeout * 1000) return 'time-limit';
  return undefined;
}

/** While a list is worked on, every request that the engine adds is a nudge: also the one for an empty answer. */
export function nudgesSpent(prompt: PromptState, settings: Settings): boolean {
  if (!prompt.inPlay || !prompt.todos.some(isActive)) return false;
  return prompt.nudgesSinceClose >= settings['max-todo-continuations'] || prompt.nudgesWithoutProgress >= settings['max-no-progress'];
}

/** `end` is how the run ended, or `complete` to ask what would be decided if it ended here. */
export function takeSnapshot(prompt: PromptState, end: RunEnd, settings: Settings, facts: LiveFacts): Snapshot {
  const { run } = prompt;
  const neededPerson = run.questionRefused ? 'question' : run.acting > 0 && run.acting === run.refused ? 'permission' : undefined;
  return {
    aborted: facts.aborted,
    end,
    capReached: reachedCap(prompt, settings, facts.elapsedMs),
    userInput: facts.userInput,
    asking: facts.asking,
    denied: prompt.denied,
    neededPerson: facts.interactive ? undefined : neededPerson,
    recovering: facts.recovering,
    paused: prompt.pause !== undefined,
    resumed: facts.resumed,
    enabled: settings['todo-continuation'],
    planMode: facts.planMode,
    agentActs: facts.agentActs,
    todos: prompt.todos,
    inPlay: prompt.inPlay,
    dropped: prompt.dropped,
    droppedNamed: prompt.droppedNamed,
    background: facts.background,
    nudgesWithoutProgress: prompt.nudgesWithoutProgress,
    nudgesSinceClose: prompt.nudgesSinceClose,
    maxNoProgress: settings['max-no-progress'],
    maxContinuations: settings['max-todo-continuations'],
  };
}
