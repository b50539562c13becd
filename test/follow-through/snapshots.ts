import type { Snapshot } from '../../src/follow-through/gates.ts';
import type { Todo, TodoStatus } from '../../src/types/todos.ts';

/** Items of the given statuses, with ids and contents from 1. */
export function todosOf(...statuses: readonly TodoStatus[]): readonly Todo[] {
  return statuses.map((status, at) => ({ id: String(at + 1), content: `item ${at + 1}`, status, priority: 'medium' }));
}

/** A run that ended with a list in play and one active item: work goes on. */
export const goingOn: Snapshot = {
  aborted: false,
  end: 'complete',
  capReached: undefined,
  userInput: false,
  asking: undefined,
  denied: false,
  neededPerson: undefined,
  recovering: false,
  paused: false,
  resumed: false,
  enabled: true,
  planMode: false,
  agentActs: true,
  todos: todosOf('pending'),
  inPlay: true,
  dropped: [],
  droppedNamed: false,
  background: 0,
  nudgesWithoutProgress: 0,
  nudgesSinceClose: 0,
  maxNoProgress: 3,
  maxContinuations: 10,
};
