import type { Session } from '../continuation/session.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { TodoEdit } from '../todos/store.ts';
import { countTodos, type Todo, type TodoStatus, todoPriorities } from '../types/todos.ts';
import type { Command, CommandResult } from './command.ts';

const actions = ['add', 'edit', 'done', 'drop', 'block', 'move', 'clear', 'undo'] as const;
type Action = (typeof actions)[number];

const usages: Readonly<Record<Action, string>> = {
  add: '/todo add [!high|!low] TEXT',
  edit: '/todo edit ID TEXT',
  done: '/todo done ID',
  drop: '/todo drop ID [WHY]',
  block: '/todo block ID [WHY]',
  move: '/todo move ID POSITION',
  clear: '/todo clear',
  undo: '/todo undo',
};

const marks: Readonly<Record<TodoStatus, string>> = { pending: '○', in_progress: '▸', completed: '✓', blocked: '■', cancelled: '–' };

/** `/todo`: the list, or a change of it by hand. */
export const todoCommand: Command = {
  name: 'todo',
  aliases: [],
  usage: '[add|edit|done|drop|block|move|clear|undo]',
  summary: 'show the todo list, or change it',
  whileBusy: true,
  run(rest, session) {
    if (rest === '') return listing(session);
    const [word = '', tail = ''] = splitFirst(rest);
    const action = actions.find((known) => known === word);
    if (action === undefined) return failure(`Unknown action '${word}'.${didYouMean(word, actions)} Accepted: ${actions.join(', ')}.`);
    const edit = readEdit(action, tail);
    if (edit === undefined) return failure(`Write it so: ${usages[action]}`);
    const error = session.todos.edit(edit);
    return error === undefined ? summary(session) : failure(error);
  },
  complete(rest, session) {
    const [word = '', tail] = rest.split(/\s+/u);
    if (tail === undefined) {
      return actions.filter((known) => known.startsWith(word)).map((known) => ({ value: known, help: usages[known] }));
    }
    if (word === 'add')
      return ['!high', '!low'].filter((known) => tail !== '' && known.startsWith(tail)).map((value) => ({ value, help: 'priority' }));
    if (!['edit', 'done', 'drop', 'block', 'move'].includes(word) || rest.split(/\s+/u).length > 2) return [];
    const { items } = session.todos.list();
    return items.filter(({ id }) => id.startsWith(tail)).map(({ id, content }) => ({ value: id, help: content }));
  },
};

function splitFirst(text: string): readonly [string, string] {
  const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/u.exec(text) ?? [];
  return [first, rest.trim()];
}

function readEdit(action: Action, tail: string): TodoEdit | undefined {
  const [first, text] = splitFirst(tail);
  const id = first.replace(/^#/u, '');
  switch (action) {
    case 'clear':
    case 'undo':
      return tail === '' ? { kind: action } : undefined;
    case 'add': {
      const priority = todoPriorities.find((known) => first === `!${known}`);
      const content = priority === undefined ? tail : text;
      if (content === '') return undefined;
      return priority === undefined ? { kind: 'add', content } : { kind: 'add', content, priority };
    }
    case 'edit':
      return id === '' || text === '' ? undefined : { kind: 'edit', id, content: text };
    case 'move':
      return id !== '' && /^\d{1,6}$/u.test(text) ? { kind: 'move', id, position: Number(text) } : undefined;
    default:
      if (id === '') return undefined;
      return text === '' ? { kind: action, id } : { kind: action, id, note: text };
  }
}

function lineOf(todo: Todo): string {
  const priority = todo.priority === 'medium' ? '' : ` (${todo.priority})`;
  const note = todo.note === undefined ? '' : `, ${todo.note}`;
  return `${marks[todo.status]} ${todo.id}  ${todo.content}${priority}${note}`;
}

function listing(session: Session): CommandResult {
  const { items } = session.todos.list();
  if (items.length === 0) return { kind: 'notice', level: 'info', text: 'The todo list is empty. /todo add TEXT puts an item on it.' };
  const { completed, open, total } = countTodos(items);
  return { kind: 'page', title: `${completed} of ${total} done, ${open} open`, lines: items.map(lineOf) };
}

function summary(session: Session): CommandResult {
  const { completed, open, total } = countTodos(session.todos.list().items);
  return { kind: 'notice', level: 'info', text: total === 0 ? 'The todo list is empty.' : `${completed} of ${total} done, ${open} open.` };
}

function failure(text: string): CommandResult {
  return { kind: 'notice', level: 'error', text };
}
