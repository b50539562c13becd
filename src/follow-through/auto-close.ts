import type { Todo } from '../types/todos.ts';

/** Links from calls to the item they work on; made anew at each write of the list. */
export type CallLinks = readonly { readonly callId: string; readonly todoId: string; readonly linkedAt: number }[];

/** How long a link holds, in ms. */
const linkLifeMs = 60 * 60_000;

/**
 * The in_progress item that a call works on: the exact path or command word of the call occurs in its content. Undefined when none
 * does, or when another active item would match as well.
 */
export function linkCall(todos: readonly Todo[], call: { readonly arguments: Readonly<Record<string, unknown>> }): Todo | undefined {
  const words = wordsOfCall(call.arguments);
  const matches = todos.filter(
    (todo) => (todo.status === 'in_progress' || todo.status === 'pending') && words.some((word) => occurs(word, todo.content)),
  );
  const [match] = matches;
  return matches.length === 1 && match?.status === 'in_progress' ? match : undefined;
}

/** The linked item of a call that succeeded, if the link is younger than an hour. `now` in ms. */
export function linkedTodo(links: CallLinks, callId: string, now: number): string | undefined {
  const link = links.find((candidate) => candidate.callId === callId);
  return link !== undefined && now - link.linkedAt <= linkLifeMs ? link.todoId : undefined;
}

function wordsOfCall(args: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof args.path === 'string' && args.path.trim() !== '') return [args.path.trim()];
  if (typeof args.command === 'string') {
    const words = args.command.trim().split(/\s+/u);
    const first = words[0] ?? '';
    return first === '' ? [] : [first];
  }
  return [];
}

/** Whether `word` stands in `text` as a whole: no letter, digit, dot-letter, slash or dash of another word at its ends. */
function occurs(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? ' ';
    const after = text.slice(at + word.length);
    if (!/[\p{L}\p{N}_/.-]/u.test(before) && !/^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}
