import type { ScriptedCall, ScriptStep, ScriptTurn } from '../../src/providers/scripted.ts';
import { isActive, type Todo, type TodoStatus } from '../../src/types/todos.ts';

/** What a random model looks at when it answers: the list as it is, and how many requests it has had. */
export type ModelView = { readonly todos: readonly Todo[]; readonly index: number };

const errors = ['server', 'auth', 'rate-limit', 'network', 'context-length', 'bad-request'] as const;
const longText = Array.from({ length: 60 }, (_, at) => `Line ${at} of the report.`).join(' ');

function rewrite(todos: readonly Todo[]): ScriptedCall {
  return { name: 'todo_write', arguments: { todos } };
}

function create(count: number, index: number): ScriptedCall {
  const todos = Array.from({ length: count }, (_, at) => ({
    content: `item ${index}.${at}`,
    status: at === 0 ? 'in_progress' : 'pending',
  }));
  return { name: 'todo_write', arguments: { todos } };
}

function withFirst(todos: readonly Todo[], status: TodoStatus): ScriptedCall | undefined {
  const at = todos.findIndex(isActive);
  const first = todos[at];
  return first === undefined ? undefined : rewrite(todos.with(at, { ...first, status }));
}

function act(path: string, fail = false): ScriptedCall {
  return { name: 'act', arguments: fail ? { path, fail } : { path } };
}

function look(at: string, fail = false): ScriptedCall {
  return { name: 'look', arguments: fail ? { at, fail } : { at } };
}

/** An edit of the list: with nothing to edit, a new list. */
function edit(kind: number, { todos, index }: ModelView): ScriptedCall {
  const fresh = create(1 + (index % 4), index);
  const [first] = todos;
  if (first === undefined) return fresh;
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return withFirst(todos, 'completed') ?? fresh;
    case 3:
      return withFirst(todos, 'in_progress') ?? fresh;
    case 4:
      return withFirst(todos, 'blocked') ?? fresh;
    case 5:
      return withFirst(todos, 'cancelled') ?? fresh;
    case 6:
      return rewrite(todos.map((todo) => ({ ...todo, content: `${todo.content.slice(0, 20)} v${index}` })));
    case 7:
      return rewrite([...todos, { id: `n${index}`, content: `new ${index}`, status: 'pending', priority: 'high' }]);
    case 8:
      return rewrite(todos.map((todo) => (isActive(todo) ? todo : { ...todo, status: 'pending' as const })));
    case 9:
      return rewrite(todos.slice(1));
    case 10:
      return rewrite([]);
    case 11:
      return rewrite(todos);
    case 12:
      return rewrite(todos.toReversed());
    case 13:
      return { name: 'todo_write', arguments: { todos: 'nonsense' } };
    case 14:
      return rewrite(todos.map((todo) => ({ ...todo, status: isActive(todo) ? 'completed' : todo.status })));
    default:
      return fresh;
  }
}

function call(kind: number, rest: number, view: ModelView): ScriptedCall {
  const { index } = view;
  switch (kind) {
    case 0:
    case 1:
      return act(`file ${index}.${rest % 7}`);
    case 2:
      return act(`file ${rest % 2}`);
    case 3:
      return act(`file ${rest % 2}`, true);
    case 4:
      return look(`place ${index}.${rest % 7}`);
    case 5:
    case 6:
      return look(`place ${rest % 2}`);
    case 7:
      return look(`place ${rest % 2}`, true);
    case 8:
      return { name: 'todo_pause', arguments: { reason: rest % 2 === 0 ? 'stuck' : ' ' } };
    case 9:
      return { name: 'look', invalid: 'the arguments are no JSON' };
    case 10:
      return rest % 3 === 0 ? { name: 'ask_user', arguments: { question: 'Which?' } } : { name: 'no_such_tool' };
    default:
      return edit(rest % 17, view);
  }
}

/** The answer that a number stands for. */
export function answer(code: number, view: ModelView): ScriptTurn {
  const kind = code % 24;
  const rest = Math.floor(code / 24);
  if (kind < 4) return { text: kind === 0 ? 'All done.' : `I will now do it, ${rest}.` };
  if (kind === 4) return { text: [longText.slice(0, 500), longText.slice(500)] };
  if (kind === 5) return oddity(rest);
  if (kind === 6) return [{ text: 'Two.' }, { calls: [call(rest % 12, rest, view), call((rest >> 2) % 16, rest >> 3, view)] }];
  if (kind === 7) return { calls: [edit(rest % 17, view), act(`with ${view.index}`), look(`x ${rest % 3}`)] };
  return { calls: [call(kind - 8, rest, view)] };
}

function oddity(rest: number): ScriptTurn {
  const unusable: ScriptStep = { calls: [{ name: 'act', invalid: 'cut off' }] };
  switch (rest % 10) {
    case 0:
      return [];
    case 1:
      return { text: ' \n ' };
    case 2:
      return { reasoning: 'thinking only' };
    case 3:
      return [unusable, { finish: 'length' }];
    case 4:
      return [{ text: 'Half' }, { finish: 'length' }];
    case 5:
      return { finish: 'safety' };
    case 6:
      return { finish: 'malformed-call' };
    case 7:
      return { text: Array(30).fill('Let me look at this file once more before I go on. ') };
    default: {
      const kind = errors[Math.floor(rest / 10) % errors.length] ?? 'server';
      return [{ text: 'Half' }, { error: { kind, message: 'It broke.', retryable: false } }];
    }
  }
}
