import type { Message } from '../types/messages.ts';
import { normalizeContent } from '../types/todos.ts';
import { type ChecklistState, type LoggedCall, type RecordedTodo, readHistory, sameItem } from './checklist-history.ts';
import { type Step, stepsOf } from './checklist-items.ts';

export const checklistModels = ['checklist', 'checklist-lazy', 'checklist-forgetful'] as const;
export type ChecklistModel = (typeof checklistModels)[number];
export type PlannedCall = Pick<Step, 'name' | 'arguments'>;
export type PlannedTurn = { readonly text: string; readonly calls: readonly PlannedCall[] };

/** The next response of the checklist model, from the history alone. */
export function planTurn(messages: readonly Message[], options: { readonly model: ChecklistModel; readonly canAct: boolean }): PlannedTurn {
  const state = readHistory(messages);
  if (!options.canAct) return say(state.todos.length > 0 ? summarize(state) : whatICanDo);
  if (state.unwritten.length > 0) return startList(state);
  if (state.last === 'question')
    return say(openCount(state) > 0 ? `${whatICanDo}\n\n${countOpen(state)} Say "continue" and I go on.` : whatICanDo);
  const askedList = state.last === 'tool' && state.lastCall?.name === 'todo_read';
  if (state.todos.length === 0) {
    return state.nudged && !askedList ? { text: '', calls: [{ name: 'todo_read', arguments: {} }] } : say(whatICanDo);
  }
  if (state.lastCall?.name === 'todo_write' && state.lastCall.result.isError)
    return say(`The list was refused: ${firstLine(state.lastCall)}`);
  const current = state.todos.find((todo) => todo.status === 'in_progress') ?? state.todos.find((todo) => todo.status === 'pending');
  if (current === undefined) {
    // The user may have added items that the history does not show.
    if (state.nudged && !askedList) return { text: '', calls: [{ name: 'todo_read', arguments: {} }] };
    return say(report(state));
  }
  if (current.status === 'in_progress') return workOn(current, { state, model: options.model });
  const closedJustNow = state.last === 'tool' && state.lastCall?.name === 'todo_write';
  if (options.model === 'checklist-lazy' && closedJustNow && !state.nudged) {
    const done = state.todos.filter((todo) => todo.status === 'completed').length;
    return say(`${done} of ${state.todos.length} done. Next would be: ${current.content}. Shall I continue?`);
  }
  return begin(current, { state, closing: undefined });
}

function startList(state: ChecklistState): PlannedTurn {
  const highest = state.todos.reduce((most, { id }) => (/^\d{1,6}$/u.test(id) ? Math.max(most, Number(id)) : most), 0);
  const wanted = state.unwritten.map(({ content, status }, index) => {
    const known = state.todos.find((todo) => normalizeContent(todo.content) === normalizeContent(content));
    return {
      id: known?.id ?? String(highest + index + 1),
      content,
      status: status === 'in_progress' ? ('pending' as const) : status,
      priority: 'medium',
    };
  });
  const left = state.todos.filter((todo) => isUnfinished(todo) && !wanted.some((item) => sameItem(item, todo)));
  const todos = [
    ...wanted,
    ...left.map((todo) => ({ ...todo, status: todo.status === 'in_progress' ? ('pending' as const) : todo.status })),
  ];
  const next = todos.find((todo) => todo.status === 'pending');
  const intro = `I found ${countWord(state.unwritten.length, 'item')}${left.length > 0 ? ` and kept ${left.length} from before` : ''}.`;
  const fresh = { ...state, todos, log: [] };
  if (next === undefined) return { text: `${intro} All of them are marked as done.`, calls: [writeList(todos)] };
  const turn = begin(next, { state: fresh, closing: undefined });
  return { ...turn, text: `${intro} I do one at a time.\n\n${turn.text}` };
}

/** Marks the item as in progress, closes another one in the same write, and makes the first call. */
function begin(item: RecordedTodo, { state, closing }: { state: ChecklistState; closing: RecordedTodo | undefined }): PlannedTurn {
  const todos = state.todos.map((todo) => {
    if (closing !== undefined && todo === closing) return { ...todo, status: 'completed' as const };
    return todo === item ? { ...todo, status: 'in_progress' as const } : todo;
  });
  const steps = stepsFor(item, state);
  const first = 'cannot' in steps ? undefined : steps[0];
  return {
    text: `${state.todos.indexOf(item) + 1}/${state.todos.length}: ${item.content}`,
    calls: [writeList(todos), ...(first === undefined ? [] : [callOf(first)])],
  };
}

function workOn(item: RecordedTodo, { state, model }: { state: ChecklistState; model: ChecklistModel }): PlannedTurn {
  const steps = stepsFor(item, state);
  if ('cannot' in steps) return pause(state, `Item '${item.content}': ${steps.cannot}.`);
  let from = 0;
  for (const step of steps) {
    let outcome: 'done' | 'failed' | 'missing' = 'missing';
    let why = '';
    for (let index = from; index < state.log.length && outcome === 'missing'; index += 1) {
      const entry = state.log[index];
      if (entry === undefined || entry.name !== step.name || JSON.stringify(entry.arguments) !== JSON.stringify(step.arguments)) continue;
      const failure = failureOf(step, entry);
      if (failure !== undefined && index < state.spokenAt) continue;
      outcome = failure === undefined ? 'done' : 'failed';
      why = failure ?? '';
      from = index + 1;
    }
    if (outcome === 'failed') return pause(state, `Item '${item.content}': ${why}`);
    if (outcome === 'missing') return { text: '', calls: [callOf(step)] };
  }
  if (model === 'checklist-forgetful' && !state.nudged) return say(`That is done: ${item.content}`);
  const next = state.todos.find((todo) => todo.status === 'pending');
  if (next === undefined || model === 'checklist-lazy') {
    return { text: '', calls: [writeList(state.todos.map((todo) => (todo === item ? { ...todo, status: 'completed' as const } : todo)))] };
  }
  return begin(next, { state, closing: item });
}

/** Undefined when the call did what its item wanted, else what went wrong. */
function failureOf(step: Step, { result }: LoggedCall): string | undefined {
  const exit = /^exit code (-?\d+)/u.exec(result.output)?.[1];
  if (step.mustFail === true) {
    if (result.isError && exit !== undefined && exit !== '0') return undefined;
    if (!result.isError) return `\`${step.arguments.command}\` was to fail, but it succeeded.`;
  } else if (!result.isError) return undefined;
  const what = step.name === 'shell' ? `\`${step.arguments.command}\`` : `${step.name} ${step.arguments.path ?? step.arguments.pattern}`;
  const lines = result.output.split('\n').filter((line) => line.trim() !== '');
  const tail =
    exit === undefined
      ? clip(lines[0] ?? 'no output', 200)
      : `exit code ${exit}${lines.length > 1 ? `, ${clip(lines.at(-1) ?? '', 160)}` : ''}`;
  return `${what} failed: ${tail}`;
}

function pause(state: ChecklistState, reason: string): PlannedTurn {
  if (state.lastCall?.name === 'todo_pause') return say(`I stop here. ${reason}`);
  return { text: `I stop here. ${reason}`, calls: [{ name: 'todo_pause', arguments: { reason: clip(reason, 500) } }] };
}

function stepsFor(item: RecordedTodo, state: ChecklistState): ReturnType<typeof stepsOf> {
  return stepsOf({ content: item.content, block: state.known.get(normalizeContent(item.content))?.block });
}

function callOf({ name, arguments: args }: Step): PlannedCall {
  return { name, arguments: args };
}

function writeList(todos: readonly RecordedTodo[]): PlannedCall {
  return {
    name: 'todo_write',
    arguments: { todos: todos.map(({ id, content, status, priority }) => ({ id, content, status, priority })) },
  };
}

function say(text: string): PlannedTurn {
  return { text, calls: [] };
}

function isUnfinished(todo: RecordedTodo): boolean {
  return todo.status !== 'completed' && todo.status !== 'cancelled';
}

function openCount(state: ChecklistState): number {
  return state.todos.filter(isUnfinished).length;
}

function countOpen(state: ChecklistState): string {
  return `${countWord(openCount(state), 'item')} of the list ${openCount(state) === 1 ? 'is' : 'are'} still open.`;
}

function countWord(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function report(state: ChecklistState): string {
  const lines = state.todos.map((todo, index) => {
    const outcome = todo.status === 'completed' ? describe(state.outcomes.get(normalizeContent(todo.content))) : todo.status;
    return `${index + 1}. ${todo.content} – ${outcome}`;
  });
  return `${openCount(state) === 0 ? 'Finished.' : countOpen(state)}\n\n${lines.join('\n')}`;
}

function describe(log: readonly LoggedCall[] | undefined): string {
  const entry = log?.at(-1);
  if (entry === undefined) return 'done';
  const lines = entry.result.output.split('\n').filter((line) => line.trim() !== '');
  if (entry.name === 'write_file') return 'written';
  if (entry.name === 'edit_file') return 'changed';
  if (entry.name !== 'shell') return countWord(lines.length, 'line');
  const exit = /^exit code -?\d+/u.exec(entry.result.output)?.[0];
  const output = exit === undefined ? lines : lines.slice(1);
  const shown = output.at(-1);
  return `${exit ?? 'exit code 0'}${shown === undefined ? '' : `: ${clip(shown.trim(), 80)}`}`;
}

/** What stands for the history after a compaction: the whole list, with the blocks that open items still need. */
function summarize(state: ChecklistState): string {
  const lines = state.todos.map((todo) => {
    const block = isUnfinished(todo) ? state.known.get(normalizeContent(todo.content))?.block : undefined;
    const fence = block?.includes('```') ? '````' : '```';
    return `${todo.id}. [${todo.status}] ${todo.content}${block === undefined ? '' : `\n${fence}\n${block}${fence}`}`;
  });
  return `The list so far:\n${lines.join('\n')}`;
}

function firstLine(call: LoggedCall): string {
  return clip(call.result.output.split('\n')[0] ?? '', 200);
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

const whatICanDo = `I am the built-in checklist model: a small program, not a language model, and I work offline. Give me a list, one item a line:

1. create \`notes.txt\`   (put its content in a fenced block under the line)
2. replace \`old words\` with \`new words\` in \`notes.txt\`
3. read \`notes.txt\`, list \`src\`, find \`*.md\`
4. run \`npm test\`   (or: \`npm test\` must fail)

To connect a real model, one of these three:
- set OPENAI_API_KEY or GEMINI_API_KEY
- name a local server: --provider ollama (or set OLLAMA_HOST), lmstudio, llamacpp, vllm
- any OpenAI-compatible endpoint: --base-url URL --model NAME`;
