import { describe, expect, it } from 'vitest';
import { judgeGates, type Snapshot } from '../../src/follow-through/gates.ts';
import { type Reason, reasons, runEnds } from '../../src/types/reasons.ts';
import type { Todo } from '../../src/types/todos.ts';
import { goingOn, todosOf } from './snapshots.ts';

/** The table of the contract, read downwards and stated once more, independently of the gates. */
function stated(facts: Snapshot): Reason | 'continue' {
  const { end, todos, dropped } = facts;
  const has = (...statuses: Todo['status'][]): boolean => todos.some((todo) => statuses.includes(todo.status));
  const active = has('pending', 'in_progress');
  const open = active || has('blocked');
  const unnamed = dropped.length > 0 && !facts.droppedNamed;
  const work = active || unnamed;
  if (facts.aborted || end === 'aborted') return 'aborted';
  if (end === 'auth' || end === 'error' || end === 'rate-limit' || end === 'empty' || end === 'output-limit' || end === 'safety')
    return end;
  if (end === 'turn-limit' || end === 'token-limit' || end === 'budget-limit' || end === 'time-limit' || end === 'context-limit')
    return end;
  if (facts.capReached !== undefined && work && facts.inPlay) return facts.capReached;
  if (end === 'loop' || end === 'no-progress') return end;
  if (facts.userInput) return 'user-input';
  if (facts.asking !== undefined) return facts.asking;
  if (facts.denied || end === 'permission') return 'permission';
  if (facts.neededPerson !== undefined && (open || todos.length === 0)) return facts.neededPerson;
  if (facts.recovering) return 'recovering';
  if ((open || work) && (facts.paused || end === 'paused')) return 'paused';
  if ((open || work) && facts.resumed) return 'paused-by-resume';
  if (work && !facts.enabled) return 'off';
  if (work && facts.planMode) return 'plan-mode';
  if (work && !facts.agentActs) return 'agent-off';
  if (todos.length === 0 && dropped.length === 0) return 'no-list';
  if (!facts.inPlay) return open ? 'not-in-play' : 'no-list';
  if (dropped.length > 0 && facts.droppedNamed && !active) return todos.length === 0 ? 'list-cleared' : 'dropped';
  if (!open && dropped.length === 0) return 'done';
  if (!work) return 'blocked';
  if (facts.background > 0) return 'background';
  if (facts.nudgesWithoutProgress >= facts.maxNoProgress) return 'no-progress';
  if (facts.nudgesSinceClose >= facts.maxContinuations) return 'continuation-limit';
  return 'continue';
}

const booleans = [
  'aborted',
  'userInput',
  'denied',
  'recovering',
  'paused',
  'resumed',
  'enabled',
  'planMode',
  'agentActs',
  'inPlay',
  'droppedNamed',
] as const satisfies readonly (keyof Snapshot)[];
const lists = [
  [],
  todosOf('pending', 'completed'),
  todosOf('blocked'),
  todosOf('completed', 'cancelled'),
  todosOf('blocked', 'in_progress'),
];
const choices = {
  end: runEnds,
  todos: lists,
  dropped: [[], todosOf('pending')],
  capReached: [undefined, 'turn-limit'],
  asking: [undefined, 'question', 'permission'],
  neededPerson: [undefined, 'question', 'permission'],
  background: [0, 1],
  nudgesWithoutProgress: [2, 3],
  nudgesSinceClose: [9, 10],
} as const satisfies { readonly [Key in keyof Snapshot]?: readonly Snapshot[Key][] };

type Writable = { -readonly [Key in keyof Snapshot]: Snapshot[Key] };

/** Calls `visit` for each combination of the given choices, over one snapshot that is changed in place. */
function walk(axes: readonly (readonly [keyof Snapshot, readonly unknown[]])[], visit: (facts: Snapshot) => void): void {
  const facts: Writable = { ...goingOn };
  const step = (at: number): void => {
    const axis = axes[at];
    if (axis === undefined) {
      visit(facts);
      return;
    }
    const [key, values] = axis;
    for (const value of values) {
      Reflect.set(facts, key, value);
      step(at + 1);
    }
  };
  step(0);
}

function compare(axes: readonly (readonly [keyof Snapshot, readonly unknown[]])[]): { cases: number; seen: ReadonlySet<string> } {
  const seen = new Set<string>();
  let cases = 0;
  walk(axes, (facts) => {
    cases += 1;
    const judged = judgeGates(facts) ?? 'continue';
    if (judged !== stated(facts)) expect(judged, JSON.stringify(facts)).toBe(stated(facts));
    seen.add(judged);
  });
  return { cases, seen };
}

const bit = [false, true];
/** Reserved, and the caps that only an end of the run or the one cap of this walk can name. */
const unreachable: ReadonlySet<string> = new Set(['check-failed']);
const factor = Number(process.env.TILLDONE_SOAK_FACTOR ?? '1');

describe('every combination of what the gates look at', () => {
  it('has exactly one outcome, that of the table: how a run ends and all that decides before the list', () => {
    const { cases, seen } = compare([
      ['end', runEnds],
      ...(['aborted', 'userInput', 'denied', 'recovering', 'paused', 'resumed', 'inPlay'] as const).map((key) => [key, bit] as const),
      ['capReached', choices.capReached],
      ['asking', choices.asking],
      ['neededPerson', choices.neededPerson],
      ['todos', lists],
      ['dropped', choices.dropped],
    ]);
    expect(cases).toBe(17 * 2 ** 7 * 2 * 3 * 3 * 5 * 2);
    expect([...seen].every((reason) => reason === 'continue' || (reasons as readonly string[]).includes(reason))).toBe(true);
  });

  it('has exactly one outcome, that of the table: after a run that ended well, every boolean, list and counter', () => {
    const { cases, seen } = compare([
      ...booleans.map((key) => [key, bit] as const),
      ['todos', lists],
      ['dropped', choices.dropped],
      ['background', choices.background],
      ['nudgesWithoutProgress', choices.nudgesWithoutProgress],
      ['nudgesSinceClose', choices.nudgesSinceClose],
    ]);
    expect(cases).toBe(2 ** 11 * 5 * 2 * 2 * 2 * 2);
    expect(seen.has('continue')).toBe(true);
  });

  // 100 million cases would not fit into every run of the tests.
  if (factor > 1) {
    it('the same over the whole product', { timeout: 3_600_000 }, () => {
      const axes = [...booleans.map((key) => [key, bit] as const), ...(Object.entries(choices) as [keyof Snapshot, readonly unknown[]][])];
      const { cases, seen } = compare(axes);
      expect(cases).toBe(2 ** 11 * 17 * 5 * 2 * 2 * 2 * 3 * 3 * 2 * 2);
      expect(seen).toEqual(new Set([...reasons, 'continue'].filter((reason) => !unreachable.has(reason))));
    });
  }
});
