import type { SettingKey, Settings } from '../config/settings.ts';
import type { Store } from '../lib/store.ts';
import type { ModelListing } from '../providers/provider.ts';
import type { TodoEdit } from '../todos/store.ts';
import type { BackgroundProcess } from '../tools/tool.ts';
import type { ApprovalAnswer } from '../types/ask.ts';
import type { ContinuationState } from '../types/continuation.ts';
import type { ApprovalMode } from '../types/effects.ts';
import type { AgentEvent } from '../types/events.ts';
import type { Message, Usage } from '../types/messages.ts';
import type { TodoList } from '../types/todos.ts';
import type { EngineState, PromptOutcome } from './state.ts';

/** The engine's front: the only way to give it work. */
export type ContinuationService = {
  readonly state: Store<EngineState>;
  /** The task in hand and how often it was nudged, for observers. */
  readonly continuation: Store<ContinuationState>;
  /**
   * Runs the prompt and every continuation of it; resolves once, with one named reason. While busy it steers instead and resolves with the
   * outcome of the prompt it joined.
   */
  submit(text: string): Promise<PromptOutcome>;
  /** Delivered at the next tool boundary, or before a continuation; when idle it is a prompt. */
  steer(text: string): void;
  /** Submitted as a prompt of its own after the present one has ended. */
  queue(text: string): void;
  /** Takes back what waits: steering first, then queued texts. */
  takeWaiting(): readonly string[];
  readonly waiting: Store<readonly { readonly kind: 'steer' | 'queue'; readonly text: string }[]>;
  /** Esc: ends the run or the countdown, settles questions as aborted, and nothing is sent again until the user acts. */
  interrupt(): void;
  /** Carry on with the list now (`/continue`): lifts a pause, gives back nudges, puts the list in play. */
  resume(): Promise<PromptOutcome>;
  /** Holds the list until the user acts (`/pause`). */
  pause(text: string): void;
  /** The input line: a countdown stands still while it has text and starts again in full when it is emptied. */
  typing(hasText: boolean): void;
  /** Any user action that ends a countdown without a prompt: /clear, /model, /resume, a changed setting. */
  cancelCountdown(): void;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
  /** The last decision and the values it was made from, one line each, for `/why`. */
  explain(): readonly string[];
};

/** One open conversation with everything around it; `compose.openSession` makes it, and it is made anew for /new, /resume and /fork. */
export type Session = {
  readonly id: string;
  readonly cwd: string;
  readonly interactive: boolean;
  readonly service: ContinuationService;
  /** Events of a resumed session, in order, to fill the screen with; empty for a new one. */
  readonly replayed: readonly AgentEvent[];
  /** What to tell the user about the session that was opened: damage to its log, and where its list stands. */
  readonly report: readonly string[];
  /** Every event from now on, in order. */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  readonly todos: {
    list(): TodoList;
    /** Undefined when done, else why not. */
    edit(edit: TodoEdit): string | undefined;
  };
  readonly settings: {
    get(): Settings;
    /** For this session only, never written. Undefined when done, else the error to show. */
    set(key: string, value: string): string | undefined;
    origin(key: SettingKey): string;
  };
  readonly questions: {
    approve(requestId: string, answer: ApprovalAnswer): void;
    answer(requestId: string, text: string): void;
  };
  readonly approval: {
    mode(): ApprovalMode;
    setMode(mode: ApprovalMode): void;
    sandbox(): string;
    explain(command: string): readonly string[];
    rules(): readonly string[];
  };
  readonly model: {
    current(): { readonly provider: string; readonly model: string; readonly contextWindow: number | undefined; readonly offline: boolean };
    /** `[provider/]model`. Resolves with undefined when done, else with the error to show. */
    change(name: string): Promise<string | undefined>;
    list(): Promise<readonly ModelListing[] | { readonly error: string }>;
  };
  history(): readonly Message[];
  processes(): readonly BackgroundProcess[];
  readonly usage: { total(): Usage & { readonly requests: number }; contextTokens(): number };
  /** Resolves with a sentence on what it did. */
  compact(focus: string | undefined): Promise<string>;
  /** A side question: answered from the history, kept out of it. */
  askAside(text: string, onText: (text: string) => void, signal: AbortSignal): Promise<string>;
  /** A command of the user's own (`!cmd`), seen by the model when `share`. */
  runUserCommand(command: string, options: { share: boolean; onOutput: (text: string) => void; signal: AbortSignal }): Promise<void>;
  rename(name: string): void;
  /** Writes the whole session, secrets redacted, to `path` (a file of a new name in the working folder when undefined); says where, or why not. */
  export(format: 'markdown' | 'json', path: string | undefined): Promise<string>;
  readonly tools: () => readonly { readonly name: string; readonly description: string }[];
  /** `saving`, or in words why not. */
  readonly saving: Store<string>;
  /** Aborts what runs, kills children, writes the end of the log. Safe to call twice. */
  close(): Promise<void>;
};
