import type { Session } from '../continuation/session.ts';
import type { Clock } from '../lib/clock.ts';
import { toJsonLine } from '../lib/jsonl.ts';
import type { Store } from '../lib/store.ts';
import { isSaved, notWanted } from '../session/saving.ts';
import { messageOf, UsageError } from '../types/errors.ts';
import type { AgentEvent } from '../types/events.ts';
import { countTodos } from '../types/todos.ts';
import { finalExitCode, strongest } from './exit-code.ts';
import { promptsOf } from './input.ts';
import { createListener, type Listener, type OneShotFormat } from './listener.ts';
import { createOutput } from './output.ts';
import { type OutputSchema, repairPrompt } from './output-schema.ts';
import { outcomeOfError } from './report.ts';
import { type CallOutcome, resultRecord, usageSince } from './result.ts';
import { createStop, outcomeOfSignal, outputClosed, type Stop } from './stop.ts';

export type { OneShotFormat } from './listener.ts';

export type OneShotDeps = {
  readonly session: Session;
  /** The first prompt; empty when all prompts come from `input`. */
  readonly prompt: string;
  readonly format: OneShotFormat;
  readonly includePartial: boolean;
  /** Pieces of stdin, with `--input-format stream-json`: a prompt a line, each submitted when the one before has ended. */
  readonly input?: AsyncIterable<string> | undefined;
  readonly exitZeroUnfinished: boolean;
  /** Receives the last final text, once, at the end; empty when there is none. */
  readonly outputLastMessage?: ((text: string) => Promise<void>) | undefined;
  readonly jsonSchema?: OutputSchema | undefined;
  /** To stdout; resolves when drained, rejects when stdout is closed (EPIPE). */
  write(text: string): Promise<void>;
  /** One line to stderr, without its line feed. */
  warn(text: string): void;
  /** When the program started, ms since the epoch. */
  readonly started: number;
  readonly clock: Clock;
  /** Aborted by `cli` with the exit code as its reason: 130, 143 for a signal, 70 for a crash elsewhere. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted by a second signal: the result is written without waiting for work to stop. */
  readonly hurry?: AbortSignal | undefined;
  /** Told of an error that is ours (exit code 70), to keep its details. */
  readonly onInternalError?: ((error: unknown) => Promise<void>) | undefined;
};

type Done = { readonly outcome: CallOutcome; readonly structured?: { readonly value: unknown } };

/** Runs one call to its end and resolves with the exit code. Never rejects; writes exactly one result, whatever happens. */
export async function runOneShot(deps: OneShotDeps): Promise<number> {
  const { session, clock, format } = deps;
  const usageBefore = session.usage.total();
  const stop = createStop(clock, () => session.service.interrupt());
  let isClosed = false;
  const output = createOutput(deps.write, () => {
    isClosed = true;
    if (listener.isRunning()) stop.request(outputClosed);
  });
  const listener = createListener({ ...deps, holdText: deps.jsonSchema !== undefined }, output);
  const see = (event: AgentEvent): void => {
    listener.see(event);
    // closed after a run had ended: its outcome stands, unless another run begins
    if (isClosed && event.type === 'run-start') stop.request(outputClosed);
  };
  const onSignal = (): void => stop.request(outcomeOfSignal(typeof deps.signal?.reason === 'number' ? deps.signal.reason : 130));
  const unsubscribe = session.subscribe(see);
  deps.signal?.addEventListener('abort', onSignal, { once: true });
  if (deps.signal?.aborted) onSignal();
  deps.hurry?.addEventListener('abort', stop.hurry, { once: true });
  if (deps.hurry?.aborted) stop.hurry();

  listener.begin();
  for (const sentence of session.report) listener.notice(sentence);
  const unwatch = watchSaving(session.saving, (text) => listener.notice(text));
  const done = await Promise.race([settle(converse(deps, { listener, stop }), deps), stop.late.then(() => stopped)]);
  unsubscribe();
  unwatch();
  const written = await writeLastMessage(deps, listener);
  const ended = decideOutcome(done.outcome, stop.requested());
  const outcome = written === undefined ? ended : strongest(written, ended);
  const exitCode = finalExitCode(outcome.exitCode, deps.exitZeroUnfinished);

  if (format === 'text') {
    if (deps.jsonSchema !== undefined && done.structured !== undefined) output.put(toJsonLine(done.structured.value));
  } else {
    const facts = {
      exitCode,
      texts: listener.texts(),
      turns: listener.turns(),
      durationMs: clock.now() - deps.started,
      usage: usageSince(usageBefore, session.usage.total()),
      denials: listener.denials(),
      counts: countTodos(session.todos.list().items),
    };
    listener.putRecord(resultRecord(outcome, done.structured === undefined ? facts : { ...facts, structured: done.structured }));
  }
  await (stop.requested() === undefined ? output.drained() : Promise.race([output.drained(), clock.sleep(drainWithinMs)]));
  deps.signal?.removeEventListener('abort', onSignal);
  deps.hurry?.removeEventListener('abort', stop.hurry);
  stop.dispose();
  if (outcome.sentence !== '') deps.warn(outcome.sentence);
  return exitCode;
}

/** Warns when the log stops being written, and tells when it is written again. */
function watchSaving(saving: Store<string>, warn: (text: string) => void): () => void {
  const look = (): void => warn(saving.get() === isSaved ? 'The session is being saved again.' : saving.get());
  if (saving.get() !== isSaved && saving.get() !== notWanted) look();
  return saving.subscribe(look);
}

/** How long a stopped call waits for a reader that does not read, in ms. */
const drainWithinMs = 1000;

const stopped: Done = { outcome: { reason: 'aborted', exitCode: 130, sentence: '' } };

async function settle(work: Promise<Done>, deps: OneShotDeps): Promise<Done> {
  return work.catch(async (error: unknown) => {
    if (!(error instanceof UsageError)) await deps.onInternalError?.(error);
    return { outcome: outcomeOfError(error) };
  });
}

/** A signal decides whatever else happened; a closed output only when work had not ended by itself. */
function decideOutcome(done: CallOutcome, stop: CallOutcome | undefined): CallOutcome {
  if (stop === undefined) return done;
  return stop.reason === 'output-closed' && done.reason !== 'aborted' ? done : stop;
}

async function converse(deps: OneShotDeps, { listener, stop }: { listener: Listener; stop: Stop }): Promise<Done> {
  const { session, jsonSchema } = deps;
  let outcome: CallOutcome | undefined;
  const prompts = promptsIn(deps);
  for (;;) {
    const prompt = await nextPrompt(prompts, stop);
    if (stop.requested() !== undefined) return stopped;
    if (prompt === undefined) break;
    const text = jsonSchema === undefined ? prompt : `${prompt}\n\n${jsonSchema.instruction}`;
    const next = await session.service.submit(text);
    outcome = outcome === undefined ? next : strongest(outcome, next);
  }
  if (outcome === undefined) throw new UsageError('No prompt: give one after -p, or pipe it in.', 42);
  if (jsonSchema === undefined) return { outcome };
  return checkAnswer(outcome, { session, jsonSchema, listener, stop });
}

/** Undefined at the end of the prompts, and at once when the call is to stop: stdin may stay silent for ever. */
async function nextPrompt(prompts: AsyncGenerator<string>, stop: Stop): Promise<string | undefined> {
  const next = prompts.next();
  next.catch(() => {}); // when the stop came first, nobody waits for it any more
  const result = await Promise.race([next, stop.asked]);
  return result === undefined || result.done === true ? undefined : result.value;
}

async function* promptsIn(deps: OneShotDeps): AsyncGenerator<string> {
  if (deps.prompt.trim() !== '') yield deps.prompt;
  if (deps.input !== undefined) yield* promptsOf(deps.input);
}

/** Validates the final answer; one repair request when the work itself went well. */
async function checkAnswer(
  outcome: CallOutcome,
  deps: { session: Session; jsonSchema: OutputSchema; listener: Listener; stop: Stop },
): Promise<Done> {
  const { session, jsonSchema, listener, stop } = deps;
  const first = jsonSchema.check(listener.texts().at(-1) ?? '');
  if (first.kind === 'valid') return { outcome, structured: first };
  if (outcome.exitCode !== 0 || stop.requested() !== undefined) return { outcome };
  const repaired = strongest(outcome, await session.service.submit(repairPrompt(first.problem)));
  if (repaired.exitCode !== 0) return { outcome: repaired };
  const second = jsonSchema.check(listener.texts().at(-1) ?? '');
  if (second.kind === 'valid') return { outcome: repaired, structured: second };
  return { outcome: { reason: 'schema-mismatch', exitCode: 1, sentence: `The answer does not fit the JSON Schema: ${second.problem}` } };
}

async function writeLastMessage(deps: OneShotDeps, listener: Listener): Promise<CallOutcome | undefined> {
  try {
    await deps.outputLastMessage?.(listener.texts().at(-1) ?? '');
    return undefined;
  } catch (error) {
    return { reason: 'error', exitCode: 1, sentence: `--output-last-message could not be written: ${messageOf(error)}` };
  }
}
