import type { Session } from '../../src/continuation/session.ts';
import type { PromptOutcome } from '../../src/continuation/state.ts';
import { type OneShotDeps, runOneShot } from '../../src/headless/run.ts';
import type { Store } from '../../src/lib/store.ts';
import type { AgentEvent } from '../../src/types/events.ts';
import { nowhere } from '../../src/types/events.ts';
import type { AssistantPart } from '../../src/types/messages.ts';
import type { TodoList } from '../../src/types/todos.ts';
import { createFakeClock, type FakeClock } from '../helpers/fake-clock.ts';
import { createFakeSession } from '../helpers/fake-session.ts';

const origin = { provider: 'builtin', model: 'checklist' };

/** What a scripted prompt may do. */
export type Stage = {
  emit(event: AgentEvent): void;
  /** A run that says `text` in its last turn. */
  run(text: string): void;
  readonly interrupted: Promise<void>;
};
export type Play = (prompt: string, stage: Stage) => Promise<PromptOutcome>;

export const done: PromptOutcome = { reason: 'no-list', exitCode: 0, sentence: '' };

export function turn(text: string, extra: readonly AssistantPart[] = []): AgentEvent {
  const parts: AssistantPart[] = text === '' ? [...extra] : [{ type: 'text', text, origin }, ...extra];
  return {
    type: 'turn-end',
    runId: 'r',
    turn: 1,
    attempt: 1,
    message: { role: 'assistant', parts },
    finish: extra.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop',
    usage: { inputTokens: 10, outputTokens: 2 },
  };
}

export function call(callId: string, name = 'shell'): AssistantPart {
  return { type: 'tool-call', callId, name, arguments: { command: 'make' }, origin };
}

export type Ran = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: readonly string[];
  readonly prompts: readonly string[];
};

/** Runs a call against a session whose prompts are played by `play`. */
export async function runScripted(
  play: Play,
  options: Partial<OneShotDeps> & {
    readonly todos?: TodoList;
    readonly saving?: Store<string>;
    readonly during?: (clock: FakeClock) => Promise<void>;
  } = {},
): Promise<Ran> {
  const { todos, saving, during, ...deps } = options;
  const clock = createFakeClock();
  const fake = createFakeSession(todos === undefined ? {} : { todos });
  const interrupted = Promise.withResolvers<void>();
  const prompts: string[] = [];
  let stdout = '';
  const stderr: string[] = [];
  const stage: Stage = {
    emit: fake.emit,
    run(text) {
      fake.emit({ type: 'run-start', ...nowhere, runId: 'r', origin: 'user', promptId: 'p' });
      fake.emit(turn(text));
      fake.emit({ type: 'run-end', ...nowhere, runId: 'r', end: 'complete' });
    },
    interrupted: interrupted.promise,
  };
  const session: Session = {
    ...fake,
    ...(saving === undefined ? {} : { saving }),
    service: {
      ...fake.service,
      async submit(text) {
        prompts.push(text);
        return play(text, stage);
      },
      interrupt: () => interrupted.resolve(),
    },
  };
  const running = runOneShot({
    session,
    prompt: 'go',
    format: 'text',
    includePartial: false,
    exitZeroUnfinished: false,
    write: async (text) => {
      stdout += text;
    },
    warn: (text) => stderr.push(text),
    started: clock.now(),
    clock,
    ...deps,
  });
  await during?.(clock);
  return { code: await running, stdout, stderr, prompts };
}

/** The records of a stream-json output. */
export function recordsOf(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
