import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CommandResult } from '../../src/commands/command.ts';
import { commands, completeCommand, findCommand } from '../../src/commands/index.ts';
import type { TodoList } from '../../src/types/todos.ts';
import { createFakeSession, type FakeSession, type FakeSessionSetup } from '../helpers/fake-session.ts';

const three: TodoList = {
  items: [
    { id: '1', content: 'write it', status: 'completed', priority: 'high' },
    { id: '2', content: 'test it', status: 'in_progress', priority: 'medium' },
    { id: '3', content: 'ship it', status: 'blocked', priority: 'low', note: 'no key' },
  ],
  version: 3,
  lastId: 3,
};
const onlyBlocked: TodoList = { ...three, items: three.items.filter(({ id }) => id !== '2') };
const talk = [
  { role: 'user', kind: 'prompt', text: 'hello' },
  { role: 'assistant', parts: [{ type: 'text', text: 'first answer', origin: { provider: 'p', model: 'm' } }] },
  { role: 'assistant', parts: [{ type: 'text', text: 'second answer', origin: { provider: 'p', model: 'm' } }] },
] as const;

async function call(line: string, setup: FakeSessionSetup = {}): Promise<{ result: CommandResult; session: FakeSession }> {
  const found = findCommand(line);
  if (found === undefined || 'error' in found) throw new Error(`no command: ${line}`);
  const session = createFakeSession(setup);
  return { result: await found.command.run(found.rest, session), session };
}

const info = (text: string) => ({ kind: 'notice', level: 'info', text });
const error = (text: string) => ({ kind: 'notice', level: 'error', text });
const page = (title: string, lines: unknown = expect.any(Array)) => ({ kind: 'page', title, lines });

describe('which line is a command', () => {
  it.each<[string, string | undefined]>([
    ['/help', 'help'],
    ['/HELP', 'help'],
    ['/new', 'clear'],
    ['/compress the API', 'compact'],
    ['/exit', 'quit'],
    ['/set\tmax-turns 3', 'set'],
    ['hello /help', undefined],
    [' /help', undefined],
    ['/home/me/file.ts is broken', undefined],
    ['// a comment', undefined],
  ])('%s', (line, name) => {
    const found = findCommand(line);
    expect(found && 'command' in found ? found.command.name : found).toBe(name);
  });

  it.each<[string, string]>([
    ['/', 'Type a command after /. /help lists them.'],
    ['/hlep me', "Unknown command '/hlep'. Did you mean '/help'? To send it as text, put a space before it."],
    ['/frobnicate', "Unknown command '/frobnicate'. To send it as text, put a space before it."],
  ])('%s is an error', (line, message) => {
    expect(findCommand(line)).toEqual({ error: message });
  });

  it('names and aliases are unique', () => {
    const names = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what a command gives back', () => {
  it.each<[string, FakeSessionSetup, unknown]>([
    ['/help', {}, page('Commands', expect.arrayContaining([expect.stringMatching(/^\/set \[key \[value\]\]\s+show settings/u)]))],
    ['/help set', {}, page('/set [key [value]]', expect.arrayContaining(['works while the agent is busy']))],
    ['/help /exit', {}, page('/quit', expect.arrayContaining(['also /exit']))],
    ['/help sett', {}, error("Unknown command '/sett'. Did you mean 'set'?")],

    [
      '/set',
      {},
      page('Settings', expect.arrayContaining([expect.stringMatching(/^todo-continuation\s+true\s+go on by itself.*\(default\)$/u)])),
    ],
    [
      '/set max-turns',
      {},
      page('max-turns', ['requests per prompt', 'now      500, set by default', 'default  500', 'accepts  a whole number from 1']),
    ],
    ['/set todo-continuation false', {}, info('todo-continuation is now false, for this session.')],
    ['/set todo-continuation maybe', {}, error("Invalid value 'maybe' for 'todo-continuation'. Accepted: true or false.")],
    ['/set todo-continuatoin false', {}, error("Unknown setting 'todo-continuatoin'. Did you mean 'todo-continuation'? /set lists them.")],
    [
      '/set approval-mode yolo',
      {},
      error("'approval-mode' cannot change in a session. Put it into settings.json or start with --approval-mode."),
    ],
    ['/set model gone', {}, error("No model 'gone'.")],
    ['/set model other', {}, info('model is now other, for this session.')],

    ['/todo', {}, info('The todo list is empty. /todo add TEXT puts an item on it.')],
    ['/todo', { todos: three }, page('1 of 3 done, 2 open', ['✓ 1  write it (high)', '▸ 2  test it', '■ 3  ship it (low), no key'])],
    ['/todo add read it', { todos: three }, info('1 of 4 done, 3 open.')],
    ['/todo done 2', { todos: three }, info('2 of 3 done, 1 open.')],
    ['/todo done #2', { todos: three }, info('2 of 3 done, 1 open.')],
    ['/todo clear', { todos: three }, info('The todo list is empty.')],
    ['/todo done', { todos: three }, error('Write it so: /todo done ID')],
    ['/todo move 2 first', { todos: three }, error('Write it so: /todo move ID POSITION')],
    [
      '/todo dnoe 2',
      { todos: three },
      error("Unknown action 'dnoe'. Did you mean 'done'? Accepted: add, edit, done, drop, block, move, clear, undo."),
    ],

    ['/continue', {}, info('Nothing is open.')],
    ['/continue', { todos: three }, { kind: 'resume-work' }],
    ['/continue on', { todos: three }, { kind: 'resume-work' }],
    ['/continue', { todos: onlyBlocked }, info('1 of 2 are blocked, nothing else is open. /todo shows them.')],
    ['/continue', { todos: three, state: { kind: 'running' } }, info('It is at work. The list goes on by itself.')],
    [
      '/continue off',
      { todos: three },
      info('Held: the list does not go on by itself in this session. 2 of 3 open. /continue on to go on.'),
    ],
    ['/continue maybe', {}, error("'/continue maybe' is not known. Accepted: /continue, /continue on, /continue off.")],
    ['/pause lunch', { todos: three }, info('Paused. 2 of 3 open. /continue to go on.')],
    ['/why', { explain: ['done: nothing open'] }, page('Why', ['done: nothing open'])],
    ['/goal tidy up', {}, { kind: 'submit', text: expect.stringMatching(/^tidy up\n\nFirst write a todo list/u) }],
    ['/goal', {}, error('Write it so: /goal TEXT')],

    ['/model', {}, { kind: 'open-picker', picker: 'model' }],
    ['/model ollama/q:7b', { contextWindow: 32768 }, info('The model is now ollama/q:7b, 32,768 tokens of context.')],
    ['/model gone', {}, error("No model 'gone'.")],
    ['/provider', {}, { kind: 'open-picker', picker: 'provider' }],
    ['/provider ollama', {}, error("'ollama' names no model. Write /provider ollama/MODEL, or /provider alone to pick.")],
    ['/provider ollama/q', {}, info('The model is now ollama/q.')],

    ['/new', {}, { kind: 'new-session', from: 'empty' }],
    ['/resume', {}, { kind: 'open-picker', picker: 'session' }],
    ['/resume abc', {}, { kind: 'new-session', from: { resume: 'abc' } }],
    ['/compact the API', {}, info('Compacted, focus: the API.')],
    ['/name my  work', {}, info("This session is now called 'my work'.")],
    ['/name', {}, error('Write it so: /name TEXT')],
    ['/export', {}, info('Written as markdown to a new file.')],
    ['/export talk.json', {}, info('Written as json to talk.json.')],
    ['/init', {}, { kind: 'submit', text: expect.stringContaining('AGENTS.md') }],
    ['/ask what is it', {}, { kind: 'aside', text: 'what is it' }],
    ['/ask', {}, error('Write it so: /ask TEXT')],
    ['/quit', {}, { kind: 'quit' }],

    [
      '/context',
      { contextWindow: 20_000, history: talk },
      page(
        'Context',
        expect.arrayContaining([
          'checklist: 5,000 of 20,000 tokens (25 %)',
          expect.stringMatching(/^answers and calls\s+2 {2}about 6 tokens$/u),
        ]),
      ),
    ],
    ['/context', {}, page('Context', expect.arrayContaining(['checklist: 5,000 tokens, window unknown']))],
    [
      '/stats',
      {},
      page('Session', expect.arrayContaining(['requests  2', 'in        1,200 tokens', 'cost      $0.0000', 'todos     0 of 0 done'])),
    ],
    ['/tools', {}, page('1 tools', ['read_file       Reads a file.'])],

    [
      '/permissions',
      { rules: ['allow shell(npm test *)'] },
      page('Permissions', [expect.stringContaining('default'), 'sandbox  NO SANDBOX', 'rules    allow shell(npm test *)']),
    ],
    ['/permissions explain rm -rf x', {}, page('rm -rf x', ['judged: rm -rf x'])],
    ['/permissions acceptEdits', {}, info('The approval mode is now auto-edit.')],
    [
      '/permissions yoloo',
      {},
      error("Unknown mode 'yoloo'. Did you mean 'yolo'? Accepted: plan, default, auto-edit, yolo, explain COMMAND."),
    ],

    ['/copy', { history: talk }, { kind: 'copy', text: 'second answer' }],
    ['/copy 2', { history: talk }, { kind: 'copy', text: 'first answer' }],
    ['/copy 3', { history: talk }, { kind: 'notice', level: 'warning', text: 'There are 2 answers.' }],
    ['/copy', {}, { kind: 'notice', level: 'warning', text: 'There is no answer yet.' }],
    ['/copy x', {}, error("'x' is no number of an answer. Accepted: a whole number from 1.")],
    ['/diff', { commandOutput: '-a\n+b\n' }, page('Changes', ['-a', '+b'])],
    ['/diff', { commandOutput: '\n' }, info('Nothing changed since the last commit.')],
    ['/diff', { commandOutput: 'not a repository\n' }, info('This folder is in no git repository.')],
  ])('%s %j', async (line, setup, expected) => {
    expect((await call(line, setup)).result).toEqual(expected);
  });
});

describe('what a command asks of the session', () => {
  it.each<[string, string[]]>([
    ['/set todo-continuation false', ['cancelCountdown']],
    ['/set max-turns 3', []],
    ['/continue off', ['cancelCountdown']],
    ['/pause', ['pause by you']],
    ['/clear', ['cancelCountdown']],
    ['/resume x', ['cancelCountdown']],
    ['/model x', ['cancelCountdown']],
    ['/name x', ['rename x']],
    ['/diff', [expect.stringContaining('git --no-pager -c core.fsmonitor=false diff --no-ext-diff --no-textconv --no-color')]],
  ])('%s', async (line, calls) => {
    expect((await call(line)).session.calls).toEqual(calls);
  });

  it('/continue off and on turn the setting', async () => {
    const session = createFakeSession({ todos: three });
    const run = (line: string) => {
      const found = findCommand(line);
      if (found && 'command' in found) void found.command.run(found.rest, session);
      return session.settings.get()['todo-continuation'];
    };
    expect([run('/continue off'), run('/continue on'), run('/continue off'), run('/continue')]).toEqual([false, true, false, true]);
    expect(session.settings.origin('todo-continuation')).toBe('/set, this session only');
  });
});

describe('completion', () => {
  const values = (line: string, setup: FakeSessionSetup = {}) => completeCommand(line, createFakeSession(setup)).map(({ value }) => value);
  it.each<[string, string[]]>([
    ['/co', ['/continue', '/context', '/compact', '/compress', '/cost', '/copy']],
    ['/xyz', []],
    ['hello', []],
    ['/set todo-c', ['todo-continuation', 'todo-check-interval']],
    ['/set smart-todo-completion ', ['off', 'remind', 'auto', 'default']],
    ['/set todo-continuation f', ['false']],
    ['/todo d', ['done', 'drop']],
    ['/todo done ', ['1', '2', '3']],
    ['/continue ', ['on', 'off']],
    ['/permissions p', ['plan']],
    ['/help sta', ['stats']],
    ['/why ', []],
  ])('%s', (line, expected) => {
    expect([...values(line, { todos: three })].sort()).toEqual([...expected].sort());
  });
});

it.each(commands.map((command) => [command.name, command] as const))('docs/commands.md tells of /%s', (name, { summary, aliases }) => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/commands.md', import.meta.url)), 'utf8');
  const line = page.split('\n').find((text) => new RegExp(`^\\| \`/${name}[ \`]`, 'u').test(text)) ?? '';
  expect(line).toContain(summary);
  for (const alias of aliases) expect(line).toContain(`\`/${alias}\``);
});
