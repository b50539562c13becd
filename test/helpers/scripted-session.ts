import { resolveConfig } from '../../src/config/resolve.ts';
import type { Session } from '../../src/continuation/session.ts';
import type { EngineState } from '../../src/continuation/state.ts';
import { createStore } from '../../src/lib/store.ts';
import type { ApprovalMode } from '../../src/types/effects.ts';
import { type AgentEvent, nowhere } from '../../src/types/events.ts';
import { emptyTodoList, type TodoList } from '../../src/types/todos.ts';

/** What was asked of the session, one line each: `submit hello`, `approve r1 once`. */
export type ScriptedSession = {
  readonly session: Session;
  readonly calls: readonly string[];
  emit(event: AgentEvent): void;
  setEngine(state: EngineState): void;
  setWaiting(waiting: readonly { kind: 'steer' | 'queue'; text: string }[]): void;
};

/** An event with no place in a run. */
export function event<Type extends AgentEvent['type']>(
  type: Type,
  rest: Omit<Extract<AgentEvent, { type: Type }>, 'type' | 'runId' | 'turn' | 'attempt'>,
): AgentEvent {
  return { type, ...nowhere, ...rest } as unknown as AgentEvent; // the fields of this type, as the parameter says
}

/** A session that does nothing by itself: the test plays the engine. */
export function createScriptedSession(
  options: { readonly id?: string; readonly replayed?: readonly AgentEvent[]; readonly todos?: TodoList } = {},
): ScriptedSession {
  const calls: string[] = [];
  const listeners = new Set<(event: AgentEvent) => void>();
  const state = createStore<EngineState>({ kind: 'idle' });
  const waiting = createStore<readonly { readonly kind: 'steer' | 'queue'; readonly text: string }[]>([]);
  const outcome = Promise.resolve({ reason: 'no-list', exitCode: 0, sentence: '' } as const);
  const settings = resolveConfig({ files: [], env: {} }, { flags: {}, flagNames: {}, profile: undefined }).settings;
  let mode: ApprovalMode = 'default';
  const session: Session = {
    id: options.id ?? 'session-1',
    cwd: '/work',
    interactive: true,
    service: {
      state,
      continuation: createStore({ isActive: false, attemptCount: 0 }),
      submit(text) {
        calls.push(`submit ${text}`);
        return outcome;
      },
      steer: (text) => void calls.push(`steer ${text}`),
      queue: (text) => void calls.push(`queue ${text}`),
      takeWaiting() {
        const texts = waiting.get().map(({ text }) => text);
        waiting.set([]);
        return texts;
      },
      waiting,
      interrupt: () => void calls.push('interrupt'),
      resume() {
        calls.push('resume');
        return outcome;
      },
      pause: (text) => void calls.push(`pause ${text}`),
      typing: (hasText) => void calls.push(`typing ${hasText}`),
      cancelCountdown: () => void calls.push('cancel countdown'),
      settled: async () => {},
      explain: () => ['gate 10: no-list'],
    },
    replayed: options.replayed ?? [],
    report: [],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    todos: {
      list: () => options.todos ?? emptyTodoList,
      edit(edit) {
        calls.push(`todo ${edit.kind}`);
        return undefined;
      },
    },
    settings: { get: () => settings, set: () => undefined, origin: () => 'default' },
    questions: {
      approve: (requestId, answer) =>
        void calls.push(
          `approve ${requestId} ${answer.kind}${answer.kind === 'no' && answer.reason !== undefined ? ` ${answer.reason}` : ''}`,
        ),
      answer: (requestId, text) => void calls.push(`answer ${requestId} ${text}`),
    },
    approval: {
      mode: () => mode,
      setMode(next) {
        mode = next;
        calls.push(`mode ${next}`);
      },
      sandbox: () => 'NO SANDBOX',
      explain: () => [],
      rules: () => [],
    },
    model: {
      current: () => ({ provider: 'openai', model: 'gpt-test', contextWindow: 100_000, offline: false }),
      async change(name) {
        calls.push(`model ${name}`);
        return undefined;
      },
      list: async () => [{ id: 'gpt-test', contextWindow: 100_000 }, { id: 'gpt-other' }],
    },
    history: () => [],
    processes: () => [],
    usage: { total: () => ({ inputTokens: 0, outputTokens: 0, requests: 0 }), contextTokens: () => 12_000 },
    compact: async () => 'Compacted',
    askAside: async (text) => `about ${text}`,
    async runUserCommand(command, { share, onOutput }) {
      calls.push(`${share ? '!' : '!!'} ${command}`);
      onOutput('output of it\n');
    },
    export: async () => 'Written to x.md',
    rename: (name) => void calls.push(`rename ${name}`),
    tools: () => [],
    saving: createStore('saving'),
    async close() {
      calls.push('close');
    },
  };
  return {
    session,
    calls,
    emit: (next) => {
      for (const listener of [...listeners]) listener(next);
    },
    setEngine: state.set,
    setWaiting: waiting.set,
  };
}
