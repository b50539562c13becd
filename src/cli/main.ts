import { defaultOptions, type Options, type OutputFormat } from '../config/options.ts';
import type { EarlyLine } from '../early-line.ts';
import { systemClock } from '../lib/clock.ts';
import { UsageError } from '../types/errors.ts';
import { guardAgainstCrashes, reportCrash } from './crash.ts';
import { exitWith, ignoreClosedPipes, writeError, writeOut } from './exit.ts';
import type { Invocation } from './invocation.ts';
import { catchSignals } from './signals.ts';

/** What the entry knows before the program is there. */
export type Start = {
  readonly early: EarlyLine | undefined;
  /** Called when the first frame of a chat is on screen. */
  readonly onShown: () => void;
  /** Told of the kind of provider of a call without a person. */
  readonly onUse: (kind: string) => void;
};

/** Runs one call of the command and ends the process. The only catch-all. */
export async function main(argv: readonly string[], start: Start): Promise<void> {
  const started = systemClock.now();
  ignoreClosedPipes();
  const guard = guardAgainstCrashes();
  const abort = new AbortController();
  const hurry = new AbortController();
  try {
    const invocation = await readInvocation(argv);
    const release = catchSignals({ stop: (code) => abort.abort(code), hurry: () => hurry.abort() });
    guard.onCrash = isOneShot(invocation) ? () => abort.abort(70) : undefined;
    const code = await act(invocation, { started, signal: abort.signal, hurry: hurry.signal, release, ...start });
    await exitWith(code);
  } catch (error) {
    start.early?.drop();
    await exitWith(await explain(error, { argv, started }));
  }
}

async function readInvocation(argv: readonly string[]): Promise<Invocation> {
  if (argv.length === 0) return { kind: 'chat', options: defaultOptions };
  const { parseCommandLine } = await import('./program.ts');
  const invocation = parseCommandLine(argv);
  if ('options' in invocation && invocation.options.noColor) {
    process.env.NO_COLOR = '1';
    delete process.env.FORCE_COLOR;
  }
  return invocation;
}

/** Without a terminal on both sides there is nobody to chat with. */
function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

function isOneShot(invocation: Invocation): boolean {
  return invocation.kind === 'demo' || (invocation.kind === 'chat' && (invocation.options.print || !hasTerminal()));
}

type Context = {
  readonly started: number;
  /** Aborted by a signal or a crash, with the exit code as its reason. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal. */
  readonly hurry: AbortSignal;
  /** Gives the signals back to whoever comes next. */
  readonly release: () => void;
} & Start;

async function act(invocation: Invocation, context: Context): Promise<number> {
  switch (invocation.kind) {
    case 'print':
      await writeOut(invocation.text);
      return 0;
    case 'chat':
      return converse(invocation.options, context);
    case 'demo': {
      const { demo } = await import('./demo.ts');
      return demo({ ...invocation, ...context });
    }
    case 'completion': {
      const [{ completionScript }, { completionWords }] = await Promise.all([
        import('../subcommands/completion.ts'),
        import('./program.ts'),
      ]);
      await writeOut(completionScript(invocation.shell, completionWords()));
      return 0;
    }
    default: {
      context.release(); // nothing to save: a signal may end these as it ends any program
      const { runSubcommand } = await import('./run-subcommand.ts');
      return runSubcommand(invocation);
    }
  }
}

async function converse(options: Options, context: Context): Promise<number> {
  if (options.print || !hasTerminal()) {
    if (options.promptInteractive) throw new UsageError('-i needs a terminal; use -p for one answer.');
    const { oneShot } = await import('./one-shot.ts');
    return oneShot({ options, ...context });
  }
  context.release(); // the screen restores the terminal and closes the session itself
  if (context.signal.aborted) return Number(context.signal.reason);
  const { chat } = await import('./chat.ts');
  return chat(options, context);
}

/** A mistake of the caller is one line and its code; everything else is ours. */
async function explain(error: unknown, { argv, started }: { argv: readonly string[]; started: number }): Promise<number> {
  if (!(error instanceof UsageError)) return reportCrash(error);
  const format = guessFormat(argv);
  if (format === 'text') {
    writeError(error.message);
    return error.exitCode;
  }
  const { reportFailure } = await import('../headless/report.ts');
  return reportFailure(error, { format, write: writeOut, warn: writeError, started, clock: systemClock });
}

/** The output format of a command line that could not be read: a script that asked for records gets its one result all the same. */
function guessFormat(argv: readonly string[]): OutputFormat {
  if (argv.includes('--json')) return 'stream-json';
  const at = argv.findIndex((word) => word === '-o' || word === '--output-format');
  const value = at < 0 ? argv.find((word) => word.startsWith('--output-format='))?.slice('--output-format='.length) : argv[at + 1];
  return value === 'json' || value === 'stream-json' ? value : 'text';
}
