import type { Script } from '../../src/providers/scripted.ts';
import { closeDanglingCalls } from '../../src/session/dangling-calls.ts';
import type { DurableEvent } from '../../src/types/events.ts';
import { isActive } from '../../src/types/todos.ts';
import { type TestEngine, testEngine } from '../helpers/engine.ts';
import { createQuickClock } from './quick-clock.ts';
import { isNudged } from './scripts.ts';

export type Diligence = {
  readonly items: number;
  /** Acting turns for one item, at most. */
  readonly k: number;
  /** How much larger the limit of nudges is than `k`. */
  readonly spare: number;
  /** Below 6 the model talks where it may; with 5 it writes a long report. Used round and round. */
  readonly talk: readonly number[];
  readonly noProgress: number;
  readonly attempts: number;
  readonly interactive: boolean;
  readonly crashAtPercent: number | undefined;
};

const report = Array.from({ length: 60 }, (_, at) => `Line ${at} of the report.`).join(' ');

/** How it ended, and after how many requests. A crash is followed by a resume and "continue". */
export async function workThrough(diligence: Diligence): Promise<{ readonly reason: string; readonly requests: number }> {
  const first = await work(diligence, []);
  if (diligence.crashAtPercent === undefined) return first;
  const prefix = first.log.slice(0, Math.ceil((first.log.length * diligence.crashAtPercent) / 100));
  const survived = closeDanglingCalls(
    prefix,
    prefix.map(() => 0),
  ).events;
  // Before the list was kept, and when it is finished, there is nothing to carry on with.
  const list = survived.findLast((event) => event.type === 'todos-change')?.list.items ?? [];
  if (!list.some(isActive)) return first;
  return work(diligence, survived);
}

async function work(
  { items, k, spare, talk, noProgress, attempts, interactive }: Diligence,
  resumeFrom: readonly DurableEvent[],
): Promise<{ reason: string; requests: number; log: readonly DurableEvent[] }> {
  let acted = 0;
  const script: Script = (request, index) => {
    const todos = engine.todos.list().items;
    if (todos.length === 0) {
      return {
        calls: [
          {
            name: 'todo_write',
            arguments: { todos: Array.from({ length: items }, (_, at) => ({ content: `item ${at}`, status: 'pending' })) },
          },
        ],
      };
    }
    const at = todos.findIndex(isActive);
    const mood = talk[index % talk.length] ?? 9;
    if (at === -1 || (!isNudged(request) && mood < 6)) return { text: mood === 5 ? report : `I will go on, ${index}.` };
    acted += 1;
    const act = { name: 'act', arguments: { path: `file ${resumeFrom.length}.${index}` } };
    if (acted % k !== 0) return { calls: [act] };
    const closed = todos.map((todo, place) => (place === at ? { ...todo, status: 'completed' } : todo));
    return { calls: [act, { name: 'todo_write', arguments: { todos: closed } }] };
  };
  const settings = { 'max-todo-continuations': k + spare, 'max-no-progress': noProgress, 'max-attempts': attempts };
  const engine: TestEngine = testEngine(script, { settings, interactive, clock: createQuickClock(), resumeFrom });
  if (resumeFrom.length > 0) engine.agent.markResumed();
  const { reason } = await engine.service.submit(resumeFrom.length > 0 ? 'continue' : 'go');
  return { reason, requests: engine.requestCount(), log: engine.log };
}
