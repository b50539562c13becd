import { applyEphemeral, type Ephemeral, setEphemeral } from '../../src/config/ephemeral.ts';
import { describeOrigin } from '../../src/config/origin.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import type { Session } from '../../src/continuation/session.ts';
import type { EngineState } from '../../src/continuation/state.ts';
import { createStore } from '../../src/lib/store.ts';
import { createTodoStore } from '../../src/todos/store.ts';
import type { ApprovalMode } from '../../src/types/effects.ts';
import type { AgentEvent } from '../../src/types/events.ts';
import type { Message } from '../../src/types/messages.ts';
import { emptyTodoList, type TodoList } from '../../src/types/todos.ts';

export type FakeSession = Session & {
  /** What was asked of it, one line each, in order. */
  readonly calls: string[];
  /** Sends an event to whoever subscribed. */
  emit(event: AgentEvent): void;
};

export type FakeSessionSetup = {
  readonly todos?: TodoList;
  readonly history?: readonly Message[];
  readonly state?: EngineState;
  readonly explain?: readonly string[];
  readonly rules?: readonly string[];
  readonly contextWindow?: number;
  /** What a command of the user's prints. */
  readonly commandOutput?: string;
};

/** A session without an engine: real todos and settings, and a record of everything else that was asked of it. */
export function createFakeSession(setup: FakeSessionSetup = {}): FakeSession {
  const calls: string[] = [];
  const listeners = new Set<(event: AgentEvent) => void>();
  const config = resolveConfig({ files: [], env: {} }, { flags: {}, flagNames: {}, profile: undefined });
  const todos = createTodoStore(setup.todos ?? emptyTodoList, () => {});
  let ephemeral: Ephemeral = {};
  let mode: ApprovalMode = 'default';
  let model = { provider: 'builtin', model: 'checklist', contextWindow: setup.contextWindow, offline: true };
  const outcome = { reason: 'no-list', exitCode: 0, sentence: '' } as const;
  const record = (line: string): void => {
    calls.push(line);
  };
  return {
    calls,
    emit: (event) => {
      for (const listener of [...listeners]) listener(event);
    },
    id: 'session-1',
    cwd: '/work',
    interactive: true,
    service: {
      state: createStore<EngineState>(setup.state ?? { kind: 'idle' }),
      continuation: createStore({ isActive: false, attemptCount: 0 }),
      waiting: createStore<readonly { kind: 'steer' | 'queue'; text: string }[]>([]),
      submit: async (text) => {
        record(`submit ${text}`);
        return outcome;
      },
      steer: (text) => record(`steer ${text}`),
      queue: (text) => record(`queue ${text}`),
      takeWaiting: () => [],
      interrupt: () => record('interrupt'),
      resume: async () => {
        record('resume');
        return outcome;
      },
      pause: (text) => record(`pause ${text}`),
      typing: (hasText) => record(`typing ${hasText}`),
      cancelCountdown: () => record('cancelCountdown'),
      settled: async () => {},
      explain: () => setup.explain ?? [],
    },
    replayed: [],
    report: [],
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    todos: { list: () => todos.list(), edit: (edit) => todos.edit(edit, 'user') },
    settings: {
      get: () => applyEphemeral(config, ephemeral).settings,
      set(key, value) {
        const change = setEphemeral(ephemeral, key, value);
        if ('error' in change) return change.error;
        ephemeral = change.values;
        return undefined;
      },
      origin: (key) => describeOrigin(applyEphemeral(config, ephemeral).origins[key]),
    },
    questions: {
      approve: (requestId, answer) => record(`approve ${requestId} ${answer.kind}`),
      answer: (requestId, text) => record(`answer ${requestId} ${text}`),
    },
    approval: {
      mode: () => mode,
      setMode: (next) => {
        mode = next;
      },
      sandbox: () => 'NO SANDBOX',
      explain: (command) => [`judged: ${command}`],
      rules: () => setup.rules ?? [],
    },
    model: {
      current: () => model,
      async change(name) {
        const [, provider = model.provider, id = name] = /^([^/]+)\/(.+)$/u.exec(name) ?? [];
        if (id === 'gone') return `No model '${id}'.`;
        model = { ...model, provider, model: id };
        return undefined;
      },
      list: async () => [{ id: 'checklist' }],
    },
    history: () => setup.history ?? [],
    processes: () => [],
    usage: { total: () => ({ inputTokens: 1200, outputTokens: 34, costUsd: 0, requests: 2 }), contextTokens: () => 5000 },
    compact: async (focus) => `Compacted, focus: ${focus ?? 'none'}.`,
    askAside: async (text) => `about ${text}`,
    async runUserCommand(command, { onOutput }) {
      record(`run ${command}`);
      if (setup.commandOutput !== undefined) onOutput(setup.commandOutput);
    },
    rename: (name) => record(`rename ${name}`),
    export: async (format, path) => `Written as ${format} to ${path ?? 'a new file'}.`,
    tools: () => [{ name: 'read_file', description: 'Reads a file. Lines are numbered.' }],
    saving: createStore('saving'),
    close: async () => record('close'),
  };
}
