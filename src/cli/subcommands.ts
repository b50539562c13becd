import { type Command, Option } from 'commander';
import type { Options } from '../config/options.ts';
import { parseSetting } from '../config/setting-value.ts';
import { didYouMean } from '../lib/nearest.ts';
import { type ApprovalMode, approvalModes } from '../types/effects.ts';
import { UsageError } from '../types/errors.ts';
import { lazy } from '../types/lazy.ts';
import { choice, collect } from './arguments.ts';
import { type Invocation, shells } from './invocation.ts';
import { flagKeys, flagProperty, type RawOptions, readOptions } from './read-options.ts';

const connection = ['model', 'provider', 'baseUrl', 'profile', 'profileLoad', 'cd', 'trust', 'debug'];
const anySetting = lazy(() => ['yolo', ...connection, ...flagKeys.map(flagProperty)]);

/** In the order of the help. */
export const subcommandNames = ['demo', 'sessions', 'doctor', 'config', 'trust', 'permissions', 'completion'] as const;

/** Adds what is called as `tilldone word`; those that are not `mentioned` are left out. */
export function addSubcommands(program: Command, act: (invocation: Invocation) => void, mentioned: (name: string) => boolean): void {
  const optionsFor = (command: Command, accepted: readonly string[]): Options => {
    refuseForeignOptions(program, command.name(), accepted);
    return readOptions(program.opts(), []);
  };
  const add: Readonly<Record<(typeof subcommandNames)[number], () => unknown>> = {
    demo: () =>
      program
        .command('demo')
        .description('the main job, offline: a list of five items in a throwaway folder')
        .option('--keep', 'keep the folder and print its path')
        .action((own: RawOptions, command: Command) =>
          act({ kind: 'demo', keep: own.keep === true, options: optionsFor(command, ['color', 'debug']) }),
        ),
    sessions: () =>
      program
        .command('sessions')
        .description('list the sessions of this folder (--json for scripts)')
        .action((_own: RawOptions, command: Command) =>
          act({ kind: 'sessions', json: isJson(command), options: optionsFor(command, ['json', 'cd', 'color']) }),
        ),
    doctor: () =>
      program
        .command('doctor')
        .description('check the set-up: provider, key, endpoint, model')
        .action((_own: RawOptions, command: Command) => act({ kind: 'doctor', options: optionsFor(command, connection) })),
    config: () =>
      program
        .command('config')
        .description('show every setting, its value and what set it (--json for scripts)')
        .argument('[key]', 'one setting only')
        .action((key: string | undefined, _own: RawOptions, command: Command) =>
          act({ kind: 'config', json: isJson(command), key, options: optionsFor(command, ['json', ...anySetting()]) }),
        ),
    trust: () =>
      program
        .command('trust')
        .description('remember that you trust a folder')
        .argument('[dir]', 'the folder, else this one')
        .action((dir: string | undefined, _own: RawOptions, command: Command) =>
          act({ kind: 'trust', dir: dir ?? optionsFor(command, ['cd']).cd }),
        ),
    permissions: () =>
      program
        .command('permissions')
        .description('permissions explain COMMAND: how a shell command would be judged')
        .helpCommand(false)
        .argument('[what...]')
        .action((words: readonly string[]) => {
          const [what] = words;
          if (what !== undefined) throw new UsageError(`Unknown command 'permissions ${what}'.${didYouMean(what, ['explain'])}`);
          throw new UsageError("permissions needs to know what: tilldone permissions explain 'COMMAND'");
        })
        .command('explain')
        .argument('<command>', 'the shell command, in quotes')
        .addOption(new Option('--allow <rule>', 'a rule to assume').argParser(collect))
        .addOption(new Option('--mode <mode>', approvalModes.join(', ')).argParser(readMode))
        .action((text: string, own: RawOptions, command: Command) =>
          act({
            kind: 'permissions-explain',
            command: text,
            allow: (own.allow as readonly string[] | undefined) ?? [], // built by collect()
            mode: own.mode as ApprovalMode | undefined, // checked by readMode()
            json: isJson(command),
            options: optionsFor(command, ['json', 'cd', 'trust']),
          }),
        ),
    completion: () =>
      program
        .command('completion')
        .description('print a completion script')
        .argument('<shell>', shells.join(', '))
        .action((shell: string, _own: RawOptions, command: Command) => {
          optionsFor(command, []);
          act({ kind: 'completion', shell: choice('completion', shells)(shell) });
        }),
  };
  for (const name of subcommandNames) if (mentioned(name)) add[name]();
}

function isJson(command: Command): boolean {
  return command.optsWithGlobals<RawOptions>().json === true;
}

function readMode(text: string): ApprovalMode {
  const parsed = parseSetting('approval-mode', text);
  if ('error' in parsed) throw new UsageError(parsed.error.replace("'approval-mode'", '--mode'));
  return parsed.value as ApprovalMode; // the schema of that key
}

/** An option that a subcommand would not read is refused, never ignored. */
function refuseForeignOptions(program: Command, command: string, accepted: readonly string[]): void {
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli' || accepted.includes(name)) continue;
    throw new UsageError(`${option.long ?? option.short} has no meaning for 'tilldone ${command}'; leave it out.`);
  }
}
