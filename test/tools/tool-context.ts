import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createProcesses } from '../../src/tools/processes.ts';
import { isOutcome, type Tool, type ToolContext, type ToolOutcome } from '../../src/tools/tool.ts';
import type { QuestionAnswer } from '../../src/types/ask.ts';
import { diffTodos, emptyTodoList, repairTodos, sameTodos, type TodoList } from '../../src/types/todos.ts';

export type TestContext = ToolContext & { readonly pauses: string[]; readonly questions: string[] };

/** A tool context on real files and processes of `cwd`, with a small list of its own; processes die with the test. */
export function toolContext(cwd: string, options: { answer?: QuestionAnswer; clock?: Clock } = {}): TestContext {
  const clock = options.clock ?? systemClock;
  let list: TodoList = emptyTodoList;
  const hashes = new Map<string, string>();
  const pauses: string[] = [];
  const questions: string[] = [];
  const processes = createProcesses({
    env: () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd }),
    clock,
    onChange: () => {},
  });
  onTestFinished(() => processes.killAll());
  return {
    callId: 'call-1',
    cwd,
    extraDirs: [],
    interactive: true,
    pauses,
    questions,
    clock,
    processes,
    files: { seen: (path) => hashes.get(path), remember: (path, hash) => hashes.set(path, hash) },
    pause: (reason) => pauses.push(reason),
    ask: async (question) => {
      questions.push(question);
      return options.answer ?? { kind: 'nobody' };
    },
    todos: {
      list: () => list,
      write(raw) {
        const repaired = repairTodos(raw, list);
        if ('error' in repaired) return { kind: 'error', message: repaired.error };
        if (sameTodos(list.items, repaired.items)) return { kind: 'unchanged', list };
        const diff = diffTodos(list.items, repaired.items);
        list = { items: repaired.items, version: list.version + 1, lastId: repaired.lastId };
        return { kind: 'changed', list, diff, repairs: repaired.repairs };
      },
    },
  };
}

/** Prepares a call and, when nothing is wrong with it, runs it. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
  options: { signal?: AbortSignal; onOutput?: (text: string) => void } = {},
): Promise<ToolOutcome> {
  const prepared = await tool.prepare(args, context);
  if (isOutcome(prepared)) return prepared;
  return prepared.run(options.signal ?? new AbortController().signal, options.onOutput ?? (() => {}));
}

/** Whether a process runs; one that has ended and was only not reaped yet does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
