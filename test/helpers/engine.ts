import * as z from 'zod';
import { type Settings, settings as table } from '../../src/config/settings.ts';
import { createEngine, type Engine } from '../../src/continuation/engine.ts';
import type { PromptOutcome } from '../../src/continuation/state.ts';
import { applyEvent, newSessionState } from '../../src/core/session-state.ts';
import { createGate, type PermissionGate } from '../../src/permissions/gate.ts';
import { noRules } from '../../src/permissions/rules.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createScripted, type Script, type ScriptedCall, type ScriptedProvider } from '../../src/providers/scripted.ts';
import { todoPause } from '../../src/tools/todo-pause.ts';
import { todoRead } from '../../src/tools/todo-read.ts';
import { todoWrite } from '../../src/tools/todo-write.ts';
import { type BackgroundProcess, defineTool, failure, type ProcessAccess, success, type Tool } from '../../src/tools/tool.ts';
import type { AskUser } from '../../src/types/ask.ts';
import type { ApprovalMode } from '../../src/types/effects.ts';
import type { DurableEvent } from '../../src/types/events.ts';
import type { TodoStatus } from '../../src/types/todos.ts';
import { createEventCollector, type EventCollector } from './events.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** Every key of the table with its own default. */
const defaults = Object.fromEntries(Object.entries(table).map(([key, { default: value }]) => [key, value])) as Settings;

export function defaultSettings(overrides: Partial<Settings> = {}): Settings {
  return { ...defaults, ...overrides };
}

/** `look` reads: its result is its argument. `act` writes into thin air. Both fail when told to. */
export const look = defineTool({
  name: 'look',
  kind: 'read',
  description: 'Look at something.',
  schema: () => z.object({ at: z.string(), fail: z.boolean().optional(), waiting: z.boolean().optional() }),
  prepare: async ({ at, fail, waiting }) => ({
    effects: [],
    run: async () => (fail === true ? failure(`cannot see ${at}`) : success(`saw ${at}`, waiting === true ? { waiting } : {})),
  }),
});
export const act = defineTool({
  name: 'act',
  kind: 'act',
  description: 'Change something.',
  schema: () => z.object({ path: z.string(), fail: z.boolean().optional() }),
  prepare: async ({ path, fail }, context) => ({
    effects: [{ kind: 'write', path: `${context.cwd}/${path}` }],
    run: async () => (fail === true ? failure(`cannot change ${path}`) : success(`changed ${path}`)),
  }),
});

/** Asks the person; a typed refusal when there is none. */
export const askUser = defineTool({
  name: 'ask_user',
  kind: 'ask',
  description: 'Ask the user.',
  schema: () => z.object({ question: z.string() }),
  prepare: async ({ question }, context) => ({
    effects: [],
    run: async (signal) => {
      const answer = await context.ask(question, [], signal);
      if (answer.kind === 'answer') return success(answer.text);
      return failure(answer.kind === 'nobody' ? 'Nobody can answer' : 'Interrupted', answer.kind === 'nobody' ? { needsPerson: true } : {});
    },
  }),
});

/** Takes `ms` of the clock, and ends early when it is aborted. */
export const takeTime = defineTool({
  name: 'take_time',
  kind: 'read',
  description: 'Take some time.',
  schema: () => z.object({ ms: z.number(), name: z.string() }),
  prepare: async ({ ms, name }, context) => ({
    effects: [],
    run: async (signal) => {
      await context.clock.sleep(ms, signal);
      return signal.aborted ? failure(`${name} was interrupted`) : success(`${name} took its time`);
    },
  }),
});

/** Short for a `todo_write` call: `write('a', ['b', 'completed'])`; a bare text is pending. Ids follow the order. */
export function write(...items: readonly (string | readonly [string, TodoStatus])[]): ScriptedCall {
  const todos = items.map((item, index) => {
    const [content, status] = typeof item === 'string' ? [item, 'pending'] : item;
    return { id: String(index + 1), content, status };
  });
  return { name: 'todo_write', arguments: { todos } };
}

export function looking(at: string, extra: { readonly fail?: boolean; readonly waiting?: boolean } = {}): ScriptedCall {
  return { name: 'look', arguments: { at, ...extra } };
}

export function acting(path: string, extra: { readonly fail?: boolean } = {}): ScriptedCall {
  return { name: 'act', arguments: { path, ...extra } };
}

export type TestEngine = Engine & {
  readonly clock: FakeClock;
  readonly collector: EventCollector;
  readonly provider: ScriptedProvider;
  readonly log: DurableEvent[];
  /** Running background commands, for tests to change. */
  processes: BackgroundProcess[];
  settings(): Settings;
  setSettings(overrides: Partial<Settings>): void;
  setMode(mode: ApprovalMode): void;
  /** Runs the prompt under the fake clock until it has ended. */
  play(text: string): Promise<string>;
  /** Starts the prompt and lets everything run that needs no time; `ended` says how it ended, once it has. */
  start(text: string): Promise<Playing>;
  readonly requestCount: () => number;
};

/** A prompt under way. `ended` is `reason code` once it has ended. */
export type Playing = { ended: string | undefined; readonly outcome: Promise<PromptOutcome> };

export type TestEngineOptions = {
  readonly settings?: Partial<Settings>;
  readonly interactive?: boolean;
  readonly mode?: ApprovalMode;
  readonly tools?: readonly Tool[];
  readonly agentActs?: boolean;
  readonly contextWindow?: number;
  /** Another model than the scripted one. */
  readonly model?: { readonly provider: Provider; readonly name: string };
  readonly clock?: FakeClock;
  /** Hears what is appended to the log. */
  readonly onAppend?: (event: DurableEvent, options: { readonly sync: boolean }) => unknown;
  /** Instead of the real permission gate. */
  readonly gate?: (ask: AskUser['approve']) => PermissionGate;
  /** Events of an earlier life of the session. */
  readonly resumeFrom?: readonly DurableEvent[];
};

/** The whole engine with the scripted provider, a fake clock and a log in memory. */
export function testEngine(script: Script, options: TestEngineOptions = {}): TestEngine {
  const clock = options.clock ?? createFakeClock();
  const provider = createScripted(script, { clock });
  const state = newSessionState();
  for (const event of options.resumeFrom ?? []) applyEvent(state, event);
  const log: DurableEvent[] = [...(options.resumeFrom ?? [])];
  let settings = defaultSettings(options.settings);
  let mode = options.mode ?? 'yolo';
  const test = { processes: [] as BackgroundProcess[] };
  const processes: ProcessAccess = {
    run: async () => ({ exitCode: 0, signal: null, output: '', timedOut: false, aborted: false }),
    start: () => ({ id: 'none', command: '', state: 'exited', exitCode: 0 }),
    list: () => test.processes,
    read: () => '',
    wait: async () => undefined,
    kill: async () => undefined,
  };
  const engine = createEngine({
    clock,
    state,
    sink: {
      append: async (event, sync) => {
        options.onAppend?.(event, sync);
        log.push(event);
      },
    },
    settings: () => settings,
    model: () => ({
      provider: options.model?.provider ?? provider,
      model: options.model?.name ?? 'scripted',
      contextWindow: options.contextWindow,
      costOf: () => undefined,
    }),
    systemPrompt: () => 'You are under test.',
    tools: options.tools ?? [look, act, takeTime, todoWrite, todoRead, todoPause, askUser],
    gate: (ask) =>
      options.gate?.(ask) ??
      createGate({
        mode: () => mode,
        rules: () => noRules,
        addRule: () => {},
        workspace: '/workspace',
        extraDirs: () => [],
        sandboxed: () => false,
        ask,
        clock,
      }),
    processes,
    files: { seen: () => undefined, remember: () => {} },
    cwd: '/workspace',
    extraDirs: [],
    interactive: options.interactive ?? false,
    mode: () => mode,
    agentActs: options.agentActs ?? true,
    attach: async () => undefined,
    debug: () => {},
  });
  const collector = createEventCollector();
  engine.recorder.subscribe(collector.emit);
  return Object.assign(test, engine, {
    clock,
    collector,
    provider,
    log,
    requestCount: () => provider.requests.length,
    settings: () => settings,
    setSettings(overrides: Partial<Settings>) {
      settings = { ...settings, ...overrides };
    },
    setMode(next: ApprovalMode) {
      mode = next;
    },
    async start(text: string) {
      const outcome = engine.service.submit(text);
      const playing: Playing = { ended: undefined, outcome };
      void outcome.then(({ reason, exitCode }) => {
        playing.ended = `${reason} ${exitCode}`;
      });
      await clock.settle();
      return playing;
    },
    async play(text: string) {
      const outcome = engine.service.submit(text);
      let ended = false;
      void outcome.then(() => {
        ended = true;
      });
      await clock.advanceUntil(() => ended);
      return `${(await outcome).reason} ${(await outcome).exitCode}`;
    },
  });
}
