import type { Settings } from '../config/settings.ts';
import type { ActiveModel } from '../core/active-model.ts';
import { type Agent, createAgent } from '../core/agent.ts';
import { createQuestions, type Questions } from '../core/questions.ts';
import { createRecorder, type EventSink, type Recorder } from '../core/recorder.ts';
import type { SessionState } from '../core/session-state.ts';
import type { Clock } from '../lib/clock.ts';
import type { PermissionGate } from '../permissions/gate.ts';
import { createTodoStore, type TodoStore } from '../todos/store.ts';
import type { FileMemory, ProcessAccess, Tool, ToolContext } from '../tools/tool.ts';
import type { AskUser } from '../types/ask.ts';
import type { ApprovalMode } from '../types/effects.ts';
import { nowhere } from '../types/events.ts';
import { createContinuationService } from './service.ts';
import type { ContinuationService } from './session.ts';

export type EngineDeps = {
  readonly clock: Clock;
  /** Empty for a new session, folded from the log for a resumed one. */
  readonly state: SessionState;
  readonly sink: EventSink;
  readonly settings: () => Settings;
  readonly model: () => ActiveModel;
  readonly systemPrompt: () => string;
  readonly tools: readonly Tool[];
  readonly gate: (ask: AskUser['approve']) => PermissionGate;
  readonly processes: ProcessAccess;
  readonly files: FileMemory;
  /** Real path of the workspace. */
  readonly cwd: string;
  readonly extraDirs: readonly string[];
  readonly interactive: boolean;
  readonly mode: () => ApprovalMode;
  readonly agentActs: boolean;
  readonly attach: (text: string) => Promise<string | undefined>;
  readonly debug: (text: string) => void;
};

/** Everything that runs a conversation, without the files, the screen and the settings around it. */
export type Engine = {
  readonly recorder: Recorder;
  readonly todos: TodoStore;
  readonly questions: Questions;
  readonly agent: Agent;
  readonly service: ContinuationService;
  toolContext(callId: string): Omit<ToolContext, 'pause'>;
};

export function createEngine(deps: EngineDeps): Engine {
  const { clock, state, interactive, settings } = deps;
  const recorder = createRecorder(state, deps.sink);
  const questions = createQuestions({ recorder, clock, interactive });
  const todos = createTodoStore(state.todos, (list, by) => void recorder.record({ type: 'todos-change', ...nowhere, list, by }));
  const toolContext: Engine['toolContext'] = (callId) => ({
    callId,
    cwd: deps.cwd,
    extraDirs: deps.extraDirs,
    interactive,
    todos,
    processes: deps.processes,
    files: deps.files,
    clock,
    ask: (question, options, signal) => questions.question({ requestId: clock.newId(), callId, question, options }, signal),
  });
  const agent: Agent = createAgent({
    clock,
    recorder,
    settings,
    model: deps.model,
    systemPrompt: deps.systemPrompt,
    tools: deps.tools,
    gate: deps.gate(questions.approve),
    processes: deps.processes,
    toolContext,
    closeTodo: (id) => void todos.edit({ kind: 'done', id }, 'engine'),
    interactive,
    mode: deps.mode,
    agentActs: deps.agentActs,
    asking: questions.asking,
    attach: deps.attach,
    userInput: () => service.waiting.get().length > 0,
    debug: deps.debug,
  });
  const service = createContinuationService({ agent, recorder, clock, settings, interactive });
  return { recorder, todos, questions, agent, service, toolContext };
}
