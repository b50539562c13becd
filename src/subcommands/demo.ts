import type { Session } from '../continuation/session.ts';
import { toDisplayLine } from '../lib/sanitize.ts';
import type { Effect } from '../types/effects.ts';
import type { AgentEvent, EventOf } from '../types/events.ts';
import { textOf } from '../types/messages.ts';
import { countTodos } from '../types/todos.ts';

/** The project that the demo starts from, by file name. Its one function has a fault that the list finds and mends. */
export const demoFiles: Readonly<Record<string, string>> = {
  'slug.mjs': [
    '// Turns a title into the last part of a web address.',
    'export function slug(title) {',
    '  return title.trim().toLowerCase();',
    '}',
    '',
    "if (process.argv[2] !== undefined) console.log('/posts/' + slug(process.argv[2]));",
    '',
  ].join('\n'),
};

const test = [
  "import assert from 'node:assert/strict';",
  "import { slug } from './slug.mjs';",
  '',
  "assert.equal(slug('Hello World'), 'hello-world');",
  "console.log('slug.test.mjs passed');",
];

/** The five items, as a user would write them. */
export const demoPrompt = [
  'Mend the slug of our blog:',
  '',
  '1. create `slug.test.mjs`',
  '```',
  ...test,
  '```',
  '2. `node slug.test.mjs` must fail',
  "3. replace `.toLowerCase()` with `.toLowerCase().replaceAll(' ', '-')` in `slug.mjs`",
  '4. run `node slug.test.mjs`',
  "5. run `node slug.mjs 'All Todos Done'`",
].join('\n');

export type DemoDeps = {
  readonly session: Session;
  /** Where the project is, and whether it stays. */
  readonly folder: string;
  readonly keep: boolean;
  write(text: string): Promise<void>;
  /** The one-shot run: the same that `tilldone -p` makes. Resolves with the exit code. */
  run(prompt: string): Promise<number>;
};

/** Shows the main job: a list worked through to its end by the model that stops after every item. Resolves with the exit code. */
export async function runDemo({ session, folder, keep, write, run }: DemoDeps): Promise<number> {
  const { model } = session.model.current();
  await write(`tilldone demo: offline, in ${folder}, approvals off inside it.\n`);
  await write(`The model '${model}' is a small program, no language model. It stops after every item, as language models do.\n\n`);
  await write(`${demoPrompt.replace(/^/gmu, '> ')}\n\n`);
  let lines = Promise.resolve();
  const unsubscribe = session.subscribe((event) => {
    const text = describeStep(event, session);
    if (text !== undefined) lines = lines.then(() => write(`${text}\n`));
  });
  const code = await run(demoPrompt);
  unsubscribe();
  await lines;
  await write(keep ? `\nThe project stays in ${folder}\n` : '');
  return code;
}

/** One event as the demo shows it; undefined for most. */
function describeStep(event: AgentEvent, session: Session): string | undefined {
  switch (event.type) {
    case 'todos-change':
      return describeList(event);
    case 'tool-start':
      return event.effects.length === 0 ? undefined : `      ${describeEffect(event.effects)}`;
    case 'tool-result':
      return event.working ? describeResult(event) : undefined;
    case 'attempt-retry':
      return `      model: ${lastLine(event.draft)}\n   ↻  It stopped with ${openOf(session)}; tilldone asks again.`;
    case 'continuation-start':
      return `   ↻  Still ${openOf(session)}; tilldone goes on (continuation ${event.continuation}).`;
    case 'turn-end': {
      const text = textOf(event.message).trim();
      const talksOnly = event.message.parts.every((part) => part.type === 'text');
      return talksOnly && text !== '' ? `\n${indent(text)}` : undefined;
    }
    case 'prompt-end':
      return `\n${event.sentence}`;
    case 'error':
      return `   !  ${toDisplayLine(event.error.message)}`;
    default:
      return undefined;
  }
}

function describeList({ list }: EventOf<'todos-change'>): string | undefined {
  const { completed, total } = countTodos(list.items);
  const current = list.items.find((item) => item.status === 'in_progress');
  return current === undefined ? `   ✓  ${completed}/${total}` : `   ▸  ${completed}/${total}  ${toDisplayLine(current.content)}`;
}

function describeEffect(effects: readonly Effect[]): string {
  const [first] = effects;
  switch (first?.kind) {
    case 'command':
      return `$ ${toDisplayLine(first.command)}`;
    case 'read':
    case 'write':
      return `${first.kind} ${toDisplayLine(first.wanted ?? first.path)}`;
    default:
      return first === undefined ? '' : `fetch ${toDisplayLine(first.url)}`;
  }
}

/** The telling lines of what a command printed; files were named already. */
function describeResult({ name, output, isError }: EventOf<'tool-result'>): string | undefined {
  if (name !== 'shell') return isError ? indent(`failed: ${toDisplayLine(output)}`) : undefined;
  const telling = output.split('\n').filter((line) => /^exit code|AssertionError|^\S.*passed|^\//u.test(line));
  return telling.length === 0 ? undefined : indent(telling.slice(0, 3).map(toDisplayLine).join('\n'));
}

function openOf(session: Session): string {
  const { open, total } = countTodos(session.todos.list().items);
  return `${open} of ${total} open`;
}

function lastLine(text: string): string {
  return toDisplayLine(text.trim().split('\n').at(-1) ?? '');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gmu, '      ');
}
