import type { NudgeStrength } from '../types/continuation.ts';
import type { Reason } from '../types/reasons.ts';
import { countTodos, type Todo } from '../types/todos.ts';
import { judgeGates, type Snapshot } from './gates.ts';
import { type NamedTodos, nextTodo } from './next-todo.ts';

/** Reasons that pass by themselves: the engine waits and decides again. */
type WaitReason = Extract<Reason, 'question' | 'permission' | 'recovering' | 'background'>;

export type ContinuationDecision =
  /** `todo` is undefined only when all that is left to do is to account for dropped items. */
  | { readonly kind: 'continue'; readonly todo: Todo | undefined; readonly passedOver: Todo | undefined; readonly strength: NudgeStrength }
  | { readonly kind: 'wait'; readonly reason: WaitReason }
  | { readonly kind: 'return'; readonly reason: Reason };

/** What happens after a run: go on with which item, wait for what, or give control back for which reason. */
export function decideContinuation(snapshot: Snapshot, named: NamedTodos): ContinuationDecision {
  const reason = judgeGates(snapshot);
  if (reason === undefined) {
    const next = nextTodo(snapshot.todos, named);
    const escalated = snapshot.nudgesSinceClose > 0 || (next !== undefined && next.todo.id === named.lastId);
    const strength = next?.passedOver !== undefined ? 'skip' : escalated ? 'escalated' : 'gentle';
    return { kind: 'continue', todo: next?.todo, passedOver: next?.passedOver, strength };
  }
  if (reason === 'recovering' || reason === 'background') return { kind: 'wait', reason };
  if (snapshot.asking === reason) return { kind: 'wait', reason: snapshot.asking };
  return { kind: 'return', reason };
}

/** The values behind a decision, one line each, for `/why`. */
export function explainDecision(snapshot: Snapshot, decision: ContinuationDecision): readonly string[] {
  const counts = countTodos(snapshot.todos);
  const verdict =
    decision.kind === 'continue'
      ? `continue${decision.todo === undefined ? '' : ` with '${decision.todo.content}'`}`
      : `${decision.kind} (${decision.reason})`;
  return [
    `decision: ${verdict}`,
    `run ended: ${snapshot.end}${snapshot.aborted ? ', aborted by you' : ''}`,
    `todos: ${counts.completed} of ${counts.total} completed, ${counts.active} active, ${counts.blocked} blocked, ${counts.cancelled} cancelled`,
    `in play: ${yesNo(snapshot.inPlay)}`,
    `todo-continuation: ${snapshot.enabled ? 'on' : 'off'}${snapshot.planMode ? ', plan mode' : ''}${snapshot.agentActs ? '' : ', agent without acting tools'}`,
    `paused: ${yesNo(snapshot.paused)}${snapshot.resumed ? ', resumed session' : ''}`,
    `waiting text of yours: ${yesNo(snapshot.userInput)}; open question: ${snapshot.asking ?? 'none'}; said no: ${yesNo(snapshot.denied)}`,
    `left out by the model: ${snapshot.dropped.length}; background commands waited for: ${snapshot.background}`,
    `nudges without progress: ${snapshot.nudgesWithoutProgress} of ${snapshot.maxNoProgress}`,
    `nudges since the last closed item: ${snapshot.nudgesSinceClose} of ${snapshot.maxContinuations}`,
    `cap reached: ${snapshot.capReached ?? 'none'}`,
  ];
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
