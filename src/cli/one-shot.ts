import { resolve } from 'node:path';
import type { Composition } from '../compose.ts';
import { readTextOption } from '../config/load.ts';
import type { Options } from '../config/options.ts';
import type { Session } from '../continuation/session.ts';
import { type OutputSchema, parseOutputSchema } from '../headless/output-schema.ts';
import { reportFailure, reportSignal } from '../headless/report.ts';
import { runOneShot } from '../headless/run.ts';
import { systemClock } from '../lib/clock.ts';
import { writeOutputFile } from '../lib/output-file.ts';
import type { SessionRequest } from '../open-session.ts';
import { UsageError } from '../types/errors.ts';
import { reportCrash } from './crash.ts';
import { writeError, writeOut } from './exit.ts';
import { joinPrompt, readStdin } from './stdin.ts';

export type OneShotCall = {
  readonly options: Options;
  /** When the program started, ms since the epoch. */
  readonly started: number;
  /** Aborted with an exit code as its reason. */
  readonly signal: AbortSignal;
  /** Aborted when even the stopping is to take no time. */
  readonly hurry: AbortSignal;
  /** Told of the provider's kind. */
  readonly onUse: (kind: string) => void;
};

/** One call without a person: reads the prompt, works, writes exactly one result. Resolves with the exit code; never rejects. */
export async function oneShot({ options, started, signal, hurry, onUse }: OneShotCall): Promise<number> {
  const output = { format: options.outputFormat, write: writeOut, warn: writeError, started, clock: systemClock };
  let session: Session | undefined;
  try {
    const prepare = async () => {
      const read = await readPrompt(options);
      const { compose } = await import('../compose.ts');
      const composition = await compose({ options, interactive: false });
      onUse(composition.provider.kind);
      const jsonSchema = await readSchema(options, composition);
      for (const line of composition.banner) writeError(line);
      session = await composition.openSession(requestOf(options));
      return { ...read, session, jsonSchema, cwd: composition.cwd };
    };
    // stdin may stay silent for ever, and a disk may be slow: a signal waits for neither
    const prepared = await Promise.race([prepare(), whenAborted(signal)]);
    if (prepared === 'aborted') return await reportSignal(Number(signal.reason), output);
    const { cwd, ...parts } = prepared;
    const answerPath = options.outputLastMessage === undefined ? undefined : resolve(cwd, options.outputLastMessage);
    return await runOneShot({
      ...output,
      ...parts,
      signal,
      hurry,
      async onInternalError(error) {
        await reportCrash(error);
      },
      includePartial: options.includePartialMessages,
      exitZeroUnfinished: options.exitZeroUnfinished,
      outputLastMessage: answerPath === undefined ? undefined : (text) => writeOutputFile(answerPath, text),
    });
  } catch (error) {
    const code = await reportFailure(error, output);
    if (!(error instanceof UsageError)) await reportCrash(error);
    return code;
  } finally {
    // the log has what counts, and the end of the process ends its commands
    await Promise.race([session?.close(), whenAborted(hurry)]);
  }
}

function whenAborted(signal: AbortSignal): Promise<'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));
}

async function readPrompt(options: Options): Promise<{ prompt: string; input?: AsyncIterable<string> }> {
  if (options.inputFormat === 'stream-json') {
    process.stdin.setEncoding('utf8');
    return { prompt: options.prompt ?? '', input: process.stdin };
  }
  const prompt = joinPrompt(options.prompt, await readStdin({ optional: options.prompt !== undefined, warn: writeError }));
  if (prompt.trim() !== '') return { prompt };
  if (options.session.kind !== 'new') return { prompt: 'continue' };
  throw new UsageError('No prompt: give one after -p, or pipe it in.', 42);
}

async function readSchema(options: Options, composition: Composition): Promise<OutputSchema | undefined> {
  if (options.jsonSchema === undefined) return undefined;
  return parseOutputSchema(await readTextOption(options.jsonSchema, composition.cwd));
}

/** The session that a call without a person opens; it cannot pick one. */
function requestOf({ session }: Options): SessionRequest {
  if (session.kind === 'pick')
    throw new UsageError('-r needs a session here: its id, the beginning of it, or latest. tilldone sessions lists them.');
  return session;
}
