import { type CallLinks, linkCall, linkedTodo } from '../follow-through/auto-close.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import type { ToolCallPart } from '../types/messages.ts';
import type { Todo } from '../types/todos.ts';

/** `smart-todo-completion auto`: links calls to the item in hand and closes it when its call succeeded. */
export type AutoClose = {
  beforeCalls(calls: readonly ToolCallPart[]): void;
  afterResult(call: ToolCallPart, outcome: ToolOutcome): void;
  reset(): void;
};

export function createAutoClose(deps: {
  readonly now: () => number;
  readonly todos: () => readonly Todo[];
  readonly enabled: () => boolean;
  readonly close: (todo: Todo, call: ToolCallPart) => void;
  readonly debug: (text: string) => void;
}): AutoClose {
  let links: CallLinks = [];
  let calls: readonly ToolCallPart[] = [];

  const link = (waiting: readonly ToolCallPart[]): void => {
    links = waiting.flatMap((call) => {
      if (call.name.startsWith('todo_')) return [];
      const todo = linkCall(deps.todos(), call);
      if (todo === undefined) return [];
      deps.debug(`smart-todo-completion: ${call.name} ${call.callId} works on todo ${todo.id} '${todo.content}'`);
      return [{ callId: call.callId, todoId: todo.id, linkedAt: deps.now() }];
    });
  };

  return {
    beforeCalls(turnCalls) {
      calls = turnCalls;
      links = [];
      if (deps.enabled()) link(turnCalls);
    },
    afterResult(call, outcome) {
      calls = calls.filter((other) => other.callId !== call.callId);
      if (!deps.enabled()) return;
      // A write replaces the links: what is still to run in this turn is matched against the new list.
      if (call.name === 'todo_write' && !outcome.isError) return link(calls);
      const todoId = outcome.isError ? undefined : linkedTodo(links, call.callId, deps.now());
      const todo = deps.todos().find((item) => item.id === todoId && item.status === 'in_progress');
      if (todo !== undefined) deps.close(todo, call);
    },
    reset() {
      links = [];
      calls = [];
    },
  };
}
