import * as z from 'zod';
import type { Clock } from '../lib/clock.ts';
import type { QuestionAnswer } from '../types/ask.ts';
import type { Effect, Preview } from '../types/effects.ts';
import { lazy } from '../types/lazy.ts';
import type { Todo, TodoDiff, TodoList } from '../types/todos.ts';

export type TodoWriteResult =
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'unchanged'; readonly list: TodoList }
  | { readonly kind: 'changed'; readonly list: TodoList; readonly diff: TodoDiff; readonly repairs: readonly string[] };

/** The todo list, as far as a tool may touch it. */
export type TodoAccess = { list(): TodoList; write(raw: unknown): TodoWriteResult };

export type BackgroundProcess = {
  readonly id: string;
  readonly command: string;
  readonly state: 'running' | 'exited' | 'killed';
  readonly exitCode: number | null;
};

export type CommandRun = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Head and tail of stdout and stderr in order of arrival, with what was cut named in the middle. */
  readonly output: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Where the whole output was spilled, when it was too long to show. */
  readonly spillPath?: string;
};

/** Shell commands of this session, in front and in the background. All of them die with the session. */
export type ProcessAccess = {
  /** Runs to the end (plus a short drain); a time-out or an abort kills the process group. Never rejects. */
  run(
    command: string,
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; onOutput: (text: string) => void },
  ): Promise<CommandRun>;
  start(command: string, options: { cwd: string }): BackgroundProcess | Promise<BackgroundProcess>;
  list(): readonly BackgroundProcess[];
  /** Output since the last look, bounded. */
  read(id: string): string;
  /** Resolves with the state then reached: at exit, after `timeoutMs`, or at abort. */
  wait(id: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<BackgroundProcess | undefined>;
  kill(id: string): Promise<BackgroundProcess | undefined>;
};

/** Hashes of the files that the model has seen, by real path: an edit needs the file unchanged since it was read. */
export type FileMemory = { seen(path: string): string | undefined; remember(path: string, hash: string): void };

export type ToolContext = {
  readonly callId: string;
  /** Real path of the workspace; relative paths start here. */
  readonly cwd: string;
  /** Further folders that count as workspace, real paths. */
  readonly extraDirs: readonly string[];
  /** Whether the person can be asked at all. */
  readonly interactive: boolean;
  readonly todos: TodoAccess;
  readonly processes: ProcessAccess;
  readonly files: FileMemory;
  readonly clock: Clock;
  ask(question: string, options: readonly string[], signal: AbortSignal): Promise<QuestionAnswer>;
  /** Ends the run after the results of this turn. Only with active items; the tool checks. */
  pause(reason: string): void;
};

/** What a tool gives back. `output` goes to the model and is bounded; `display` is for the screen only. */
export type ToolOutcome = {
  readonly output: string;
  readonly isError: boolean;
  readonly display?: string;
  /** A `todo_write` that changed nothing. */
  readonly unchanged?: boolean;
  /** It needed a person and there is none. */
  readonly needsPerson?: boolean;
  /** It waited on a background command that still runs. */
  readonly waiting?: boolean;
};

/** A call that has been looked at: what it will touch, what to show, and the very thing that runs once it is approved. */
export type PreparedCall = {
  readonly effects: readonly Effect[];
  readonly preview?: Preview;
  /** Never rejects: every fault is an outcome. Opens what `effects` named and refuses when it is another thing by now. */
  run(signal: AbortSignal, onOutput: (text: string) => void): Promise<ToolOutcome>;
};

/**
 * read: looks. act: may change something. todo: the list itself. ask: the person.
 * Working tools are read and act; of an act call, the effects decide whether it is an acting one.
 */
export type ToolKind = 'read' | 'act' | 'todo' | 'ask';

/** `prepare` never rejects for bad input: it resolves with an outcome that says what is wrong. */
export type Tool = {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  prepare(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<PreparedCall | ToolOutcome>;
};

/** Parameters of every tool as the build worked them out, JSON, by name: in the bundle no start waits for their schemas. */
declare const TILLDONE_TOOL_PARAMETERS: string | undefined;
const builtParameters = lazy(
  (): Readonly<Record<string, Tool['parameters']>> =>
    typeof TILLDONE_TOOL_PARAMETERS === 'undefined' ? {} : JSON.parse(TILLDONE_TOOL_PARAMETERS), // as scripts/build.js writes it
);

/** Builds a tool from its zod schema: arguments are parsed here, so that `prepare` gets them typed. */
export function defineTool<Schema extends z.ZodObject>(definition: {
  name: string;
  kind: ToolKind;
  description: string;
  /** Made with the first call of the tool. */
  schema: () => Schema;
  prepare(args: z.infer<Schema>, context: ToolContext): Promise<PreparedCall | ToolOutcome>;
}): Tool {
  const schema = lazy(definition.schema);
  let parameters: Tool['parameters'] | undefined;
  return {
    name: definition.name,
    kind: definition.kind,
    description: definition.description,
    // Made for the first request: a start does not wait for it.
    get parameters() {
      parameters ??= builtParameters()[definition.name] ?? leanSchema(z.toJSONSchema(schema(), { io: 'input' }));
      return parameters;
    },
    async prepare(args, context) {
      const parsed = schema().safeParse(args);
      if (!parsed.success) return failure(`Invalid arguments for ${definition.name}: ${describeIssues(parsed.error)}`);
      return definition.prepare(parsed.data, context);
    },
  };
}

/** Schema without what only costs tokens or what an endpoint rejects: `$schema`, and zod's bounds of a safe integer. */
function leanSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([key, inner]) => key !== '$schema' && key !== 'additionalProperties' && Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER,
        )
        .map(([key, inner]) => [key, clean(inner)]),
    );
  };
  return clean(schema) as Record<string, unknown>; // an object in, the same object cleaned out
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`).join('; ');
}

export function success(output: string, extra: Omit<ToolOutcome, 'output' | 'isError'> = {}): ToolOutcome {
  return { output, isError: false, ...extra };
}

export function failure(output: string, extra: Omit<ToolOutcome, 'output' | 'isError'> = {}): ToolOutcome {
  return { output, isError: true, ...extra };
}

export function isOutcome(prepared: PreparedCall | ToolOutcome): prepared is ToolOutcome {
  return 'isError' in prepared;
}

/** Names the unfinished items, at most ten of them. */
export function nameTodos(todos: readonly Todo[]): string {
  const shown = todos.slice(0, 10).map((todo) => `'${todo.content.replace(/\s+/gu, ' ').slice(0, 80)}'`);
  return todos.length > shown.length ? `${shown.join(', ')} and ${todos.length - shown.length} more` : shown.join(', ');
}
