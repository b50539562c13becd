import { Command, CommanderError, Option } from 'commander';
import { inputFormats, outputFormats } from '../config/options.ts';
import { parseSetting, settingKeys, showSetting, suggestedValues } from '../config/setting-value.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import { didYouMean } from '../lib/nearest.ts';
import { version } from '../lib/version.ts';
import type { CompletionWords } from '../subcommands/completion.ts';
import { UsageError } from '../types/errors.ts';
import { choice, collect } from './arguments.ts';
import { type Invocation, shells } from './invocation.ts';
import { flagKeys, flagOf, type RawOptions, readOptions } from './read-options.ts';
import { addSubcommands, subcommandNames } from './subcommands.ts';

/** Settings with a flag of their own spelling; the others are generated as `--flag <value>`. */
const shortFlags: Readonly<Partial<Record<SettingKey, string>>> = {
  model: '-m, --model <[provider/]model>',
  provider: '--provider <name>',
  'base-url': '--base-url <url>',
  'approval-mode': '--approval-mode <mode>',
  timeout: '--timeout <seconds>',
  'background-wait': '--background-wait <seconds>',
};

const modelKeys: readonly SettingKey[] = ['model', 'provider', 'base-url'];
const capKeys = flagKeys.filter((key) => !modelKeys.includes(key) && key !== 'approval-mode' && key !== 'todo-continuation');

/** Flags and their help of a setting's option. */
function settingFlags(key: SettingKey): readonly [flags: string, help: string] {
  const initial = settings[key].default;
  const shown = initial === null ? '' : ` (default ${showSetting(initial)})`;
  return [shortFlags[key] ?? `${flagOf(key) ?? ''} <n>`, `${settings[key].help}${shown}`];
}

function readSettingFlag(key: SettingKey): (text: string) => unknown {
  return (text) => {
    const parsed = parseSetting(key, text);
    if ('error' in parsed) throw new UsageError(parsed.error.replace(`'${key}'`, flagOf(key) ?? ''));
    return parsed.value;
  };
}

const examples = `
Examples:
  tilldone                                  chat in this folder
  tilldone "fix the failing test"           the same, with a first prompt
  tilldone -p -y "bump the version" < todo.md   one-shot, piped text joins the prompt
  tilldone demo                             see it work through a list, offline

Inside the chat, /help lists the commands. Exit codes of one-shot: 0 done, 60 and 61 list unfinished, 62 cap, 64 needs a person.`;

/**
 * The command, its options and its subcommands; `act` receives which of them was called. Options and subcommands that are not `mentioned` are left
 * out: to make them all takes longer than all the rest of reading a command line.
 */
function createProgram(act: (invocation: Invocation) => void, mentioned: (flags: string) => boolean = () => true): Command {
  const program = new Command('tilldone');
  const group = (heading: string): void => void program.optionsGroup(heading);
  const add = (flags: string, help: string, change: (option: Option) => Option = (option) => option): void => {
    if (mentioned(flags)) program.addOption(change(new Option(flags, help)));
  };
  const addSetting = (key: SettingKey): void => add(...settingFlags(key), (option) => option.argParser(readSettingFlag(key)));
  const hidden = (option: Option): Option => option.hideHelp();
  const list = (option: Option): Option => option.argParser(collect);
  program
    .description('A terminal chat and coding agent that finishes its todo list, or says why not.')
    .argument('[prompt...]', 'first prompt')
    .helpCommand(false)
    .helpOption('-h, --help', 'this page')
    .addHelpText('after', examples);
  group('One-shot:');
  add('-p, --print [text]', 'answer and exit; the prompt is the value, the words after it, or stdin');
  add('--prompt [text]', 'the same', hidden);
  add('-o, --output-format <format>', 'text, json or stream-json', (option) => option.argParser(choice('--output-format', outputFormats)));
  add('--json', 'the same as --output-format stream-json');
  add('--input-format <format>', 'text or stream-json', (option) => option.argParser(choice('--input-format', inputFormats)));
  add('--include-partial-messages', 'stream-json: text as it arrives');
  add('--output-last-message <file>', 'write the final answer to a file');
  add('--json-schema <schema>', 'JSON Schema that the final answer must match, as text or @file');
  add('--exit-zero-unfinished', 'exit 0 where it would be 60 to 64');
  group('Chat and sessions:');
  add('-i, --prompt-interactive <text>', 'start the chat with this prompt');
  add('-c, --continue', 'go on with the last session of this folder');
  add('-r, --resume [session]', 'go on with a session: id, its beginning, or latest; without one, pick');
  add('--fork', 'with -c or -r: go on in a copy');
  add('--no-session', 'write no session log');
  add('-n, --name <name>', 'name of the session');
  group('Model:');
  modelKeys.forEach(addSetting);
  add('--profile <name>', 'load profiles.<name> of your settings');
  add('--profile-load <name>', 'the same', hidden);
  add('--system-prompt <text>', 'replace the system prompt; text or @file');
  add('--append-system-prompt <text>', 'add to the system prompt; text or @file');
  group('Permissions:');
  addSetting('approval-mode');
  add('-y, --yolo', 'the same as --approval-mode yolo');
  add('--trust', "use this folder's own settings and hooks, for this call");
  add('--allowed-tools <rules>', 'rules that allow, such as "shell(npm test *), read(docs/**)"', list);
  add('--disallowed-tools <rules>', 'rules that refuse', list);
  add('--add-dir <dir>', 'a further folder to work in', list);
  group('Follow-through, per prompt:');
  add('--auto-complete-todos', `${settings['todo-continuation'].help} (default)`);
  add('--no-auto-complete-todos', 'stop when the model stops');
  capKeys.forEach(addSetting);
  group('Other:');
  add('-C, --cd <dir>', 'work in this folder');
  add('--no-color', 'no colour');
  add('--screen-reader', 'plain lines, nothing is redrawn');
  add('-d, --debug', 'say on stderr what the engine does (in the chat: 2> debug.log)');
  add('-v, --version', 'print the version');
  add('-V', '', hidden);
  program.action((words: readonly string[]) => act(chatInvocation(words, program)));
  addSubcommands(program, act, mentioned);
  return program;
}

function chatInvocation(words: readonly string[], program: Command): Invocation {
  const raw = program.opts<RawOptions>();
  if (raw.version === true || raw.V === true) return { kind: 'print', text: `${version}\n` };
  const [only] = words;
  if (words.length === 1 && only !== undefined && raw.print === undefined && raw.prompt === undefined) {
    if (only === 'help') return { kind: 'print', text: program.helpInformation() + examples };
    refuseMistypedCommand(only);
  }
  return { kind: 'chat', options: readOptions(raw, words) };
}

/** A lone word that is almost a subcommand was hardly meant as a prompt. */
function refuseMistypedCommand(word: string): void {
  if (!/^[a-z]{5,}$/u.test(word)) return;
  const guess = didYouMean(word, subcommandNames);
  if (guess !== '') throw new UsageError(`Unknown command '${word}'.${guess} To send it as a prompt: tilldone -p ${word}`);
}

/** One line for what commander has to say over two. */
function plainMessage(error: CommanderError): string {
  const [first = '', ...rest] = error.message.replace(/^error: /u, '').split('\n');
  const guess = /\(Did you mean (?:one of )?([^?]*)\?\)/u.exec(rest.join(' '))?.[1];
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/u, '');
  return guess === undefined ? `${sentence}. See tilldone --help` : `${sentence}. Did you mean ${guess}?`;
}

/** A prompt may begin with a dash, as a list does: a text with white space behind a prompt's flag is its value. */
function bindPrompts(argv: readonly string[]): readonly string[] {
  const bound: string[] = [];
  for (const word of argv) {
    const flag = promptFlags[bound.at(-1) ?? ''];
    if (flag !== undefined && word.startsWith('-') && /\s/u.test(word)) bound.splice(-1, 1, `${flag}=${word}`);
    else bound.push(word);
  }
  return bound;
}

const promptFlags: Readonly<Record<string, string>> = {
  '-p': '--print',
  '--print': '--print',
  '--prompt': '--prompt',
  '-i': '--prompt-interactive',
  '--prompt-interactive': '--prompt-interactive',
};

/** Reads a command line (without node and the script). Throws UsageError for what is not accepted. */
export function parseCommandLine(argv: readonly string[]): Invocation {
  const words = new Set(argv.map((word) => word.split('=', 1)[0]));
  const asksForHelp = ['-h', '--help', 'help'].some((word) => words.has(word));
  const isMentioned = (flags: string): boolean =>
    flags
      .replaceAll(',', '')
      .split(' ')
      .some((flag) => words.has(flag));
  // What those options alone cannot read may be a joined short option, or a mistake whose message needs all of them.
  const quick = asksForHelp ? undefined : tryParse(argv, isMentioned);
  if (quick !== undefined && !(quick instanceof CommanderError)) return quick;
  const whole = tryParse(argv);
  if (whole instanceof CommanderError) throw new UsageError(plainMessage(whole));
  return whole;
}

function tryParse(argv: readonly string[], mentioned?: (flags: string) => boolean): Invocation | CommanderError {
  let invocation: Invocation | undefined;
  let printed = '';
  const program = createProgram((called) => {
    invocation = called;
  }, mentioned);
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: () => {},
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
    command.commands.forEach(quiet);
  };
  quiet(program);
  try {
    program.parse([...bindPrompts(argv)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : error;
  }
  return invocation ?? { kind: 'print', text: program.helpInformation() };
}

/** What a completion script needs to know: subcommands, long options, and the values of those that have a fixed set. */
export function completionWords(): CompletionWords {
  const program = createProgram(() => {});
  const values: Record<string, readonly string[]> = {
    completion: shells,
    permissions: ['explain'],
    '--output-format': outputFormats,
    '--input-format': inputFormats,
    config: settingKeys,
  };
  for (const key of flagKeys) {
    const suggested = key === 'todo-continuation' ? [] : suggestedValues(key).filter((value) => value !== 'none' && !/^\d/u.test(value));
    if (suggested.length > 0) values[flagOf(key) ?? ''] = suggested;
  }
  return {
    commands: subcommandNames,
    options: program.options.filter((option) => !option.hidden && option.long).map((option) => option.long ?? ''),
    values,
  };
}
