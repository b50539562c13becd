import { newPromptState, reducePrompt } from '../../src/core/prompt-state.ts';
import { takeSnapshot } from '../../src/core/snapshot.ts';
import { decideContinuation } from '../../src/follow-through/decide-continuation.ts';
import { nothingNamed } from '../../src/follow-through/next-todo.ts';
import { buildNudge } from '../../src/follow-through/prompts.ts';
import { createTodoStore } from '../../src/todos/store.ts';
import { nowhere } from '../../src/types/events.ts';
import { emptyTodoList, type TodoList } from '../../src/types/todos.ts';
import { defaultSettings } from '../../test/helpers/engine.ts';
import type { BenchTools, Row } from './tools.js';

const settings = defaultSettings();
const facts = {
  aborted: false,
  userInput: false,
  asking: undefined,
  recovering: false,
  resumed: false,
  planMode: false,
  agentActs: true,
  interactive: true,
  background: 0,
  elapsedMs: 0,
};

/** What the engine does at the end of each run, and at each write of the list, with lists of three sizes. */
export async function measure(tools: BenchTools): Promise<readonly Row[]> {
  return [10, 1_000, 10_000].flatMap((count) => measureWith(count, tools));
}

function measureWith(count: number, { row }: BenchTools): readonly Row[] {
  const lists: TodoList[] = [];
  const store = createTodoStore(emptyTodoList, (list) => lists.push(list));
  const raw = (done: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: String(at + 1),
      content: `Look at part ${at} of the work`,
      status: at < done ? 'completed' : 'pending',
    }));
  store.write(raw(0));
  const { items } = store.list();
  const prompt = newPromptState('p', items, true);
  const decide = () => decideContinuation(takeSnapshot(prompt, 'complete', settings, facts), nothingNamed);
  const decision = decide();
  if (decision.kind !== 'continue') throw new Error(`expected to continue, got ${decision.reason}`);
  const nudge = () =>
    buildNudge({ ...decision, todos: items, isYoloMode: true, dropped: [], runningCommands: [], wasUnchanged: false }).prompt.length;
  let done = 0;
  const write = () => {
    done = (done + 1) % count;
    return store.write(raw(done));
  };
  const fold = () => {
    const list = lists.at(-1) ?? emptyTodoList;
    return reducePrompt(prompt, { type: 'todos-change', ...nowhere, list, by: 'model' });
  };
  return [
    row(`decision, ${count} todos`, timed(decide), { unit: 'ms', limit: 10, target: 1 }),
    row(`prompt, ${count} todos`, timed(nudge), { unit: 'ms', limit: 5, target: 1 }),
    row(`todo_write, ${count} todos`, timed(write), { unit: 'ms', note: 'repair, compare, new version' }),
    row(`fold of the change, ${count} todos`, timed(fold), { unit: 'ms', note: 'progress, dropped items' }),
  ];
}

/** Median time of one call, in ms, over about 200 ms of calls. */
function timed(work: () => unknown): number {
  const times: number[] = [];
  const until = performance.now() + 200;
  while (performance.now() < until || times.length < 5) {
    const startedMs = performance.now();
    work();
    times.push(performance.now() - startedMs);
  }
  return times.sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}
