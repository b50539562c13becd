import type { Provider, ProviderEvent } from '../../src/providers/provider.ts';
import type { Message } from '../../src/types/messages.ts';
import { sse } from '../helpers/strict-server.ts';
import { collect, type Dialect, messageFrom, prompt, requestOf, resultsFor } from './harness.ts';

export type ModelTurn = {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
};
/** What the user side adds before the next request: words of its own, or nothing but the results; `reminder` is in one request only. */
type Step = { readonly user?: Message; readonly reminder?: string; readonly answer: ModelTurn; readonly failing?: boolean };
export type Conversation = { readonly name: string; readonly steps: readonly Step[] };

const read = (path: string): NonNullable<ModelTurn['calls']>[number] => ({ name: 'read_file', arguments: { path } });
const run = (command: string): NonNullable<ModelTurn['calls']>[number] => ({ name: 'shell', arguments: { command } });
const said = (kind: 'prompt' | 'steer' | 'summary', text: string): Message => ({ role: 'user', kind, text });
const odd = 'Grüße, 世界 👩‍👩‍👧 "quoted" \\ back\nnew line\ttab </tool_call>';

export const conversations: readonly Conversation[] = [
  { name: 'one answer', steps: [{ user: prompt('hi'), answer: { text: 'Hello.' } }] },
  {
    name: 'two prompts',
    steps: [
      { user: prompt('hi'), answer: { text: 'Hello.' } },
      { user: prompt('bye'), answer: { text: 'Bye.' } },
    ],
  },
  { name: 'a call', steps: [{ user: prompt('read a'), answer: { calls: [read('a')] } }, { answer: { text: 'Read.' } }] },
  {
    name: 'parallel calls',
    steps: [{ user: prompt('read both'), answer: { calls: [read('a'), read('b')] } }, { answer: { text: 'Both.' } }],
  },
  {
    name: 'calls in a row',
    steps: [
      { user: prompt('go'), answer: { calls: [read('a')] } },
      { answer: { calls: [run('ls')] } },
      { answer: { calls: [read('a')] } },
      { answer: { text: 'Done.' } },
    ],
  },
  {
    name: 'text before a call',
    steps: [{ user: prompt('go'), answer: { text: 'I look first.', calls: [run('ls')] } }, { answer: { text: 'Seen.' } }],
  },
  {
    name: 'a call without arguments',
    steps: [{ user: prompt('list?'), answer: { calls: [{ name: 'todo_read', arguments: {} }] } }, { answer: { text: 'Empty.' } }],
  },
  {
    name: 'a call that fails, and another',
    steps: [
      { user: prompt('go'), answer: { calls: [run('false')] }, failing: true },
      { answer: { calls: [run('true')] } },
      { answer: { text: 'Now.' } },
    ],
  },
  {
    name: 'a continuation: the reminder is not kept, so two answers stand side by side',
    steps: [
      { user: prompt('go'), answer: { text: 'Shall I?' } },
      { reminder: 'You have an active task.', answer: { text: 'I go on.', calls: [run('ls')] } },
      { answer: { text: 'Done.' } },
    ],
  },
  {
    name: 'steering behind the results',
    steps: [
      { user: prompt('go'), answer: { calls: [read('a')] } },
      { user: said('steer', 'use b'), answer: { calls: [read('b')] } },
      { answer: { text: 'b it is.' } },
    ],
  },
  {
    name: 'after a compaction',
    steps: [
      { user: said('summary', 'So far: nothing.'), answer: { text: 'Fine.' } },
      { user: prompt('read a'), answer: { calls: [read('a'), run('ls')] } },
      { reminder: 'Update the list.', answer: { text: 'Ok.' } },
    ],
  },
  {
    name: 'odd characters and long texts',
    steps: [
      { user: prompt(`${odd} ${'long '.repeat(4000)}`), answer: { text: odd, calls: [run(odd)] } },
      { answer: { text: 'x'.repeat(20_000) } },
    ],
  },
];

/** Plays it; one line for each thing that the adapter said. */
export async function play(provider: Provider, conversation: Conversation): Promise<readonly string[]> {
  const lines: string[] = [];
  let history: Message[] = [];
  for (const { user, reminder, failing } of conversation.steps) {
    if (user !== undefined) history.push(user);
    const tail: Message[] = reminder === undefined ? [] : [{ role: 'user', kind: 'reminder', text: reminder }];
    const events = await collect(provider, requestOf([...history, ...tail]));
    lines.push(...outline(events));
    const answer = messageFrom(events, { provider: provider.id, model: 'm' });
    const results = resultsFor(answer).map((result) =>
      result.role === 'tool' && failing === true ? { ...result, isError: true } : result,
    );
    history = [...history, answer, ...results];
  }
  return lines;
}

/** What `play` must give, whoever serves the conversation. */
export function expectedLines(conversation: Conversation): readonly string[] {
  return conversation.steps.flatMap(({ answer: { text, calls = [] } }) => [
    ...(text === undefined ? [] : [`text ${text}`]),
    ...calls.map((call) => `call ${call.name} ${JSON.stringify(call.arguments)}`),
    calls.length > 0 ? 'tool-calls' : 'stop',
  ]);
}

function outline(events: readonly ProviderEvent[]): readonly string[] {
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return [
    ...(text === '' ? [] : [`text ${text}`]),
    ...events.flatMap((event) => {
      if (event.type === 'tool-call') return [`call ${event.call.name} ${JSON.stringify(event.call.arguments)}`];
      if (event.type === 'finish') return [event.finish];
      return event.type === 'error' ? [`error ${event.error.message}`] : [];
    }),
  ];
}

/** The model's turn as its endpoint would stream it. */
export function encodeTurn(dialect: Dialect, turn: ModelTurn, number: number): string {
  const { text, calls = [] } = turn;
  if (dialect === 'gemini') {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
    ];
    return sse([{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 1 } }], {
      done: false,
    });
  }
  const choice = (delta: object, reason: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason: reason }] });
  const pieces = calls.flatMap(({ name, arguments: args }, index) => {
    const json = JSON.stringify(args);
    const half = Math.floor(json.length / 2);
    const piece = (fn: object, id?: object): object => choice({ tool_calls: [{ index, ...id, function: fn }] });
    return [
      piece({ name, arguments: '' }, { id: `call_${number}_${index}`, type: 'function' }),
      piece({ arguments: json.slice(0, half) }),
      piece({ arguments: json.slice(half) }),
    ];
  });
  return sse([...(text === undefined ? [] : [choice({ content: text })]), ...pieces, choice({}, calls.length > 0 ? 'tool_calls' : 'stop')]);
}
