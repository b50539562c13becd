import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../src/cli/invocation.ts';
import { completionWords, parseCommandLine } from '../../src/cli/program.ts';
import { defaultOptions, type Options } from '../../src/config/options.ts';
import { UsageError } from '../../src/types/errors.ts';

function chat(options: Partial<Options>): Invocation {
  return { kind: 'chat', options: { ...defaultOptions, ...options } };
}

function errorOf(argv: readonly string[]): UsageError {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('what is accepted', () => {
  const yolo = { flags: { 'approval-mode': 'yolo' }, flagNames: { 'approval-mode': '--yolo' } } as const;
  it.each<[string, string[], Partial<Options>]>([
    ['nothing is a chat', [], {}],
    ['words are the first prompt', ['fix', 'it'], { prompt: 'fix it' }],
    ['-p with its value', ['-p', 'fix it'], { print: true, prompt: 'fix it' }],
    ['-p with a value that begins as a list does', ['-p', '- one\n- two'], { print: true, prompt: '- one\n- two' }],
    ['-i with such a value', ['-i', '- one'], { promptInteractive: true, prompt: '- one' }],
    ['-p without a value reads stdin', ['-p'], { print: true }],
    ['-p - reads stdin', ['-p', '-'], { print: true }],
    ['-p before another option has no value', ['-p', '--yolo'], { print: true, ...yolo }],
    ['the value of -p and the words after it are one prompt', ['-p', 'fix', 'it'], { print: true, prompt: 'fix it' }],
    ['--prompt is -p', ['--prompt', 'x'], { print: true, prompt: 'x' }],
    ['-i', ['-i', 'hello'], { promptInteractive: true, prompt: 'hello' }],
    ['after -- everything is prompt', ['-p', '--', '--yolo'], { print: true, prompt: '--yolo' }],
    ['an output format means one-shot', ['-o', 'json', 'x'], { print: true, outputFormat: 'json', prompt: 'x' }],
    ['--json is stream-json', ['--json', 'x'], { print: true, outputFormat: 'stream-json', prompt: 'x' }],
    ['--input-format', ['--input-format', 'stream-json'], { print: true, inputFormat: 'stream-json' }],
    ['--exit-zero-unfinished', ['-p', 'x', '--exit-zero-unfinished'], { print: true, prompt: 'x', exitZeroUnfinished: true }],
    ['-c goes on with the latest', ['-c'], { session: { kind: 'resume', id: 'latest' } }],
    ['-cp together', ['-cp', 'go'], { print: true, prompt: 'go', session: { kind: 'resume', id: 'latest' } }],
    ['-r with an id', ['-r', 'abc'], { session: { kind: 'resume', id: 'abc' } }],
    ['-r alone picks', ['-r'], { session: { kind: 'pick', fork: false } }],
    ['--fork of a session', ['-r', 'abc', '--fork'], { session: { kind: 'fork', id: 'abc' } }],
    ['--fork alone forks the latest', ['--fork'], { session: { kind: 'fork', id: 'latest' } }],
    ['--no-session', ['--no-session', '-n', 'trial'], { saveSession: false, name: 'trial' }],
    ['-y', ['-y'], yolo],
    ['--yolo beside the same mode', ['-y', '--approval-mode', 'yolo'], yolo],
    [
      'a spelling of another program',
      ['--approval-mode', 'acceptEdits'],
      { flags: { 'approval-mode': 'auto-edit' }, flagNames: { 'approval-mode': '--approval-mode' } },
    ],
    [
      'caps',
      ['--max-turns', '5', '--max-budget-usd=0.5', '--timeout', '90'],
      {
        flags: { 'max-turns': 5, 'max-budget-usd': 0.5, timeout: 90 },
        flagNames: { 'max-turns': '--max-turns', 'max-budget-usd': '--max-budget-usd', timeout: '--timeout' },
      },
    ],
    [
      '--no-auto-complete-todos',
      ['--no-auto-complete-todos'],
      { flags: { 'todo-continuation': false }, flagNames: { 'todo-continuation': '--no-auto-complete-todos' } },
    ],
    [
      '--auto-complete-todos',
      ['--auto-complete-todos'],
      { flags: { 'todo-continuation': true }, flagNames: { 'todo-continuation': '--auto-complete-todos' } },
    ],
    [
      'rules, by comma or again',
      ['--allowed-tools', 'shell(echo a, b), read(x)', '--allowed-tools', 'edit(y)'],
      { allowedTools: ['shell(echo a, b)', 'read(x)', 'edit(y)'] },
    ],
    ['the prompt is no rule', ['--disallowed-tools', 'web(*)', 'go'], { disallowedTools: ['web(*)'], prompt: 'go' }],
    ['folders', ['-C', 'x', '--add-dir', 'a', '--add-dir', 'b'], { cd: 'x', addDirs: ['a', 'b'] }],
    ['display', ['--no-color', '--screen-reader', '-d'], { noColor: true, screenReader: true, debug: true }],
    ['--profile-load is --profile', ['--profile-load', 'work'], { profile: 'work' }],
    ['a lone word that no subcommand resembles is a prompt', ['hello'], { prompt: 'hello' }],
  ])('%s', (_name, argv, expected) => {
    expect(parseCommandLine(argv)).toEqual(chat(expected));
  });

  it.each<[string, string[], object]>([
    ['demo', ['demo', '--keep'], { kind: 'demo', keep: true }],
    ['sessions', ['sessions', '--json'], { kind: 'sessions', json: true }],
    ['config of one key', ['config', 'theme'], { kind: 'config', json: false, key: 'theme' }],
    ['config under flags', ['config', '--max-turns', '3'], { kind: 'config', options: { flags: { 'max-turns': 3 } } }],
    ['doctor with a model', ['doctor', '-m', 'ollama/x'], { kind: 'doctor', options: { flags: { model: 'ollama/x' } } }],
    ['trust', ['trust', 'dir'], { kind: 'trust', dir: 'dir' }],
    ['completion', ['completion', 'fish'], { kind: 'completion', shell: 'fish' }],
    [
      'permissions explain',
      ['permissions', 'explain', '--allow', 'shell(ls *)', '--allow', 'web(x)', '--mode', 'auto_edit', '--json', 'ls -l'],
      { kind: 'permissions-explain', command: 'ls -l', allow: ['shell(ls *)', 'web(x)'], mode: 'auto-edit', json: true },
    ],
  ])('subcommand %s', (_name, argv, expected) => {
    expect(parseCommandLine(argv)).toMatchObject(expected);
  });

  it.each([['-v'], ['-V'], ['--version'], ['--version', '--yolo']])('%s prints the version', (...argv) => {
    expect(parseCommandLine(argv)).toMatchObject({ kind: 'print', text: expect.stringMatching(/^\d+\.\d+\.\d+/u) });
  });

  it.each([['--help'], ['-h'], ['help']])('%s prints the page', (...argv) => {
    expect(parseCommandLine(argv)).toMatchObject({ kind: 'print', text: expect.stringContaining('--max-todo-continuations') });
  });
});

describe('what is refused, in one line, with exit code 2', () => {
  it.each<[string[], string]>([
    [['--yolp'], "Unknown option '--yolp'. Did you mean --yolo?"],
    [['-z'], "Unknown option '-z'. See tilldone --help"],
    [['--model'], "Option '-m, --model <[provider/]model>' argument missing. See tilldone --help"],
    [
      ['--approval-mode', 'yoloo'],
      "Invalid value 'yoloo' for --approval-mode. Did you mean 'yolo'? Accepted: plan, default, auto-edit, yolo.",
    ],
    [['--approval-mode', '3'], "Invalid value '3' for --approval-mode. Accepted: plan, default, auto-edit, yolo."],
    [['--output-format', 'jsn'], "Unknown value 'jsn' for --output-format. Did you mean 'json'? Accepted: text, json, stream-json."],
    [['--max-turns', 'many'], "Invalid value 'many' for --max-turns. Accepted: a whole number from 1."],
    [['--max-turns', '1e3'], "Invalid value '1e3' for --max-turns. Accepted: a whole number from 1."],
    [['--max-turns', '0'], "Invalid value '0' for --max-turns. Accepted: a whole number from 1."],
    [['--max-todo-continuations', '2.5'], "Invalid value '2.5' for --max-todo-continuations. Accepted: a whole number from 0."],
    [['--timeout', '5m'], "Invalid value '5m' for --timeout. Accepted: a number above 0, or none."],
    [
      ['--base-url', 'localhost'],
      "Invalid value 'localhost' for --base-url. Accepted: an address such as http://localhost:8080/v1, or none.",
    ],
    [['sesions'], "Unknown command 'sesions'. Did you mean 'sessions'? To send it as a prompt: tilldone -p sesions"],
    [['permissions'], "permissions needs to know what: tilldone permissions explain 'COMMAND'"],
    [['permissions', 'explan', 'ls'], "Unknown command 'permissions explan'. Did you mean 'explain'?"],
    [
      ['permissions', 'explain', '--mode', 'yol', 'ls'],
      "Invalid value 'yol' for --mode. Did you mean 'yolo'? Accepted: plan, default, auto-edit, yolo.",
    ],
    [['completion', 'bsh'], "Unknown value 'bsh' for completion. Did you mean 'bash'? Accepted: bash, zsh, fish."],
    [['completion'], "Missing required argument 'shell'. See tilldone --help"],
    [['demo', 'x'], "Too many arguments for 'demo'. Expected 0 arguments but got 1. See tilldone --help"],
    [['trust', '--yolo'], "--yolo has no meaning for 'tilldone trust'; leave it out."],
    [['-c', '-r', 'x'], '-c and -r name two sessions; give one of them.'],
    [['-c', '--no-session'], '--no-session cannot go on with a session; leave one of the two out.'],
    [['-y', '--approval-mode', 'plan'], '--yolo and --approval-mode plan contradict each other; give one of them.'],
    [['-i', 'x', '-p'], '-i and -p contradict each other; give one of them.'],
    [['-i', 'x', '--json'], '-i starts the chat; output and input formats belong to -p.'],
    [['--json', '-o', 'text'], '--json and --output-format text contradict each other; give one of them.'],
    [['-p', 'x', '--include-partial-messages'], '--include-partial-messages needs --output-format stream-json.'],
  ])('%j', (argv, message) => {
    const error = errorOf(argv);
    expect(error.message).toBe(message);
    expect(error.exitCode).toBe(2);
  });
});

it('completion knows every visible option and every subcommand', () => {
  const { commands, options } = completionWords();
  expect(commands).toEqual(['demo', 'sessions', 'doctor', 'config', 'trust', 'permissions', 'completion']);
  expect(options).toEqual(expect.arrayContaining(['--print', '--max-turns', '--no-auto-complete-todos', '--yolo']));
});
