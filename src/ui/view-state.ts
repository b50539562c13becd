import { sanitizeStart, sanitizeText } from '../lib/sanitize.ts';
import type { ApprovalRequest } from '../types/ask.ts';
import type { AgentEvent, EventOf } from '../types/events.ts';
import { countTodos, emptyTodoList, type TodoList } from '../types/todos.ts';
import {
  appendOutput,
  appendTo,
  closeStreams,
  hasTool,
  type Item,
  isClosed,
  messageItems,
  newTool,
  settleItems,
  updateTool,
  withoutDrafts,
} from './items.ts';

export type Activity =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'busy';
      readonly what: 'waiting' | 'thinking' | 'writing' | 'tool' | 'retry';
      /** Since when the prompt has been worked on, ms. */
      readonly since: number;
      readonly detail: string;
    };

/** Everything on screen that comes from the engine. */
export type ViewState = {
  /** What is not in the scrollback yet, oldest first. */
  readonly items: readonly Item[];
  /** The kind of the item that left last: it decides on the blank line before the next. */
  readonly lastKind: Item['kind'] | undefined;
  /** Outputs that were shown folded, newest last. */
  readonly folded: readonly { readonly title: string; readonly text: string }[];
  readonly todos: TodoList;
  readonly activity: Activity;
  readonly approvals: readonly ApprovalRequest[];
  readonly questions: readonly EventOf<'question-request'>[];
  readonly tokens: { readonly input: number; readonly output: number; readonly costUsd: number | undefined };
  readonly processes: Readonly<Record<string, string>>;
  readonly model: string;
  /** Whether text of the present turn arrived in pieces: then the whole message that ends the turn adds none. */
  readonly streamed: boolean;
};

export const emptyView: ViewState = {
  items: [],
  lastKind: undefined,
  folded: [],
  todos: emptyTodoList,
  activity: { kind: 'idle' },
  approvals: [],
  questions: [],
  tokens: { input: 0, output: 0, costUsd: undefined },
  processes: {},
  model: '',
  streamed: false,
};

const maxFolded = 20;

/** Adds something of our own to the transcript. */
export function addItem(view: ViewState, item: Item): ViewState {
  return { ...view, items: [...view.items, item] };
}

export function addFolded(view: ViewState, title: string, text: string): ViewState {
  return { ...view, folded: [...view.folded.slice(1 - maxFolded), { title, text }] };
}

function busy(view: ViewState, what: Extract<Activity, { kind: 'busy' }>['what'], now: number, detail = ''): Activity {
  const since = view.activity.kind === 'busy' ? view.activity.since : now;
  if (view.activity.kind === 'busy' && view.activity.what === what && view.activity.detail === detail) return view.activity;
  return { kind: 'busy', what, since, detail };
}

function reduceToolResult(view: ViewState, event: EventOf<'tool-result'>, now: number): ViewState {
  const items = hasTool(view.items, event.callId)
    ? view.items
    : [...closeStreams(view.items), newTool(event.callId, event.name, event.arguments, now)];
  return {
    ...view,
    items: updateTool(items, event.callId, (tool) => ({
      ...tool,
      arguments: event.arguments,
      state: tool.state === 'refused' ? 'refused' : event.isError ? 'failed' : 'done',
      output: sanitizeText(event.output),
      display: event.display === undefined ? undefined : sanitizeText(event.display),
    })),
    activity: view.activity.kind === 'busy' ? busy(view, 'waiting', now) : view.activity,
  };
}

function reduceTurnEnd(view: ViewState, event: EventOf<'turn-end'>): ViewState {
  const items = closeStreams(withoutDrafts(view.items));
  if (!view.streamed) return { ...view, items: [...items, ...messageItems(event.message)] };
  if (event.message.cut !== true) return { ...view, items, streamed: false };
  const last = items.findLastIndex((item) => item.kind === 'text');
  const text = items[last];
  return { ...view, items: text?.kind === 'text' ? items.with(last, { ...text, cut: true }) : items, streamed: false };
}

function todosNotice(before: TodoList, after: TodoList): Item | undefined {
  const counts = countTodos(after.items);
  if (before.items.length === 0 && counts.total > 0) return undefined;
  return counts.total === 0 && before.items.length > 0 ? { kind: 'notice', level: 'info', text: 'The list is empty now' } : undefined;
}

/** Folds one event into what is shown. `now` is the time of the clock, ms. */
export function reduceView(view: ViewState, event: AgentEvent, now: number): ViewState {
  switch (event.type) {
    case 'session-start':
      return { ...view, model: sanitizeText(`${event.provider}/${event.model}`) };
    case 'model-change':
      return { ...view, model: sanitizeText(`${event.provider}/${event.model}`) };
    case 'user-message':
      return addItem({ ...view, items: closeStreams(view.items) }, { kind: 'user', source: event.kind, text: sanitizeText(event.text) });
    case 'run-start':
      return { ...view, activity: busy(view, 'waiting', now) };
    case 'turn-start':
      return { ...view, streamed: false, activity: busy(view, 'waiting', now) };
    case 'text-delta': {
      const items = appendTo(withoutDrafts(view.items), 'text', event.text);
      return { ...view, streamed: true, items, activity: busy(view, 'writing', now) };
    }
    case 'draft-delta':
      return { ...view, items: appendTo(view.items, 'draft', event.text), activity: busy(view, 'writing', now) };
    case 'reasoning-delta':
      return { ...view, items: appendTo(view.items, 'reasoning', event.text), activity: busy(view, 'thinking', now) };
    case 'attempt-retry': {
      const draft = sanitizeText(event.draft);
      const items = closeStreams(withoutDrafts(view.items));
      return {
        ...view,
        items: draft.trim() === '' ? items : [...items, { kind: 'draft', text: draft, open: false, clean: sanitizeStart }],
      };
    }
    case 'tool-call':
      if (hasTool(view.items, event.call.callId)) return view;
      return {
        ...view,
        items: [...closeStreams(view.items), newTool(event.call.callId, event.call.name, event.call.arguments, now)],
        activity: busy(view, 'tool', now),
      };
    case 'tool-start': {
      const items = hasTool(view.items, event.callId)
        ? view.items
        : [...closeStreams(view.items), newTool(event.callId, event.name, {}, now)];
      return {
        ...view,
        items: updateTool(items, event.callId, (tool) => ({ ...tool, state: 'running', effects: event.effects, startedAt: now })),
        activity: view.activity.kind === 'busy' ? busy(view, 'tool', now, sanitizeText(event.name)) : view.activity,
      };
    }
    case 'tool-output':
      return {
        ...view,
        items: updateTool(view.items, event.callId, (tool) => appendOutput(tool, event.text)),
      };
    case 'tool-result':
      return reduceToolResult(view, event, now);
    case 'permission-request': {
      const { requestId, callId, toolName, effects, preview, reason, rule } = event;
      const request: ApprovalRequest = { requestId, callId, toolName, effects, preview, reason, rule };
      return {
        ...view,
        approvals: [...view.approvals, request],
        items: updateTool(view.items, callId, (tool) => ({ ...tool, state: 'asking', effects })),
      };
    }
    case 'permission-decision': {
      const approvals = view.approvals.filter((request) => request.requestId !== event.requestId);
      if (event.verdict === 'allow') {
        return {
          ...view,
          approvals,
          items: updateTool(view.items, event.callId, (tool) => ({ ...tool, state: 'running', startedAt: now })),
        };
      }
      return {
        ...view,
        approvals,
        items: updateTool(view.items, event.callId, (tool) => ({ ...tool, state: 'refused', output: sanitizeText(event.reason) })),
      };
    }
    case 'question-request':
      return { ...view, questions: [...view.questions, event] };
    case 'question-answer':
      return { ...view, questions: view.questions.filter((question) => question.requestId !== event.requestId) };
    case 'todos-change': {
      const notice = event.by === 'model' || event.by === 'user' ? todosNotice(view.todos, event.list) : undefined;
      const next = { ...view, todos: event.list };
      return notice === undefined ? next : addItem(next, notice);
    }
    case 'continuation-start': {
      const todo = view.todos.items.find((item) => item.id === event.todoId);
      const name = todo === undefined ? '' : ` with ‘${sanitizeText(todo.content).replace(/\s+/gu, ' ').slice(0, 120)}’`;
      return addItem(view, { kind: 'notice', level: 'info', text: `Continuing${name}` });
    }
    case 'pause':
      // The model's reason is in the sentence that ends the prompt.
      if (event.by === 'model') return view;
      return addItem(view, { kind: 'notice', level: 'warning', text: `Paused: ${sanitizeText(event.text)}` });
    case 'retry-wait': {
      const items = event.voids ? view.items.filter((item) => isClosed(item) || item.kind === 'tool') : view.items;
      const text = `${sanitizeText(event.cause)}; trying again in ${Math.ceil(event.delayMs / 1000)} s`;
      const next = { ...view, items, activity: busy(view, 'retry', now, text) };
      return event.voids && items.length < view.items.length
        ? addItem(next, { kind: 'notice', level: 'info', text: 'The connection was lost; the answer starts again' })
        : next;
    }
    case 'loop-detected':
      return addItem(view, { kind: 'notice', level: 'warning', text: `Going in circles: ${sanitizeText(event.detail)}` });
    case 'compaction':
      return addItem(view, {
        kind: 'notice',
        level: 'info',
        text: `Conversation compacted: ${formatCount(event.tokensBefore)} → ${formatCount(event.tokensAfter)} tokens`,
      });
    case 'process-change': {
      const { [event.processId]: _gone, ...others } = view.processes;
      return { ...view, processes: event.state === 'running' ? { ...others, [event.processId]: sanitizeText(event.command) } : others };
    }
    case 'notice':
      return addItem(view, { kind: 'notice', level: event.level, text: sanitizeText(event.text) });
    case 'error':
      return addItem(
        { ...view, items: closeStreams(view.items) },
        { kind: 'error', error: { ...event.error, message: sanitizeText(event.error.message) } },
      );
    case 'citation': {
      const text = event.url === undefined ? event.text : `${event.text} ${event.url}`;
      return addItem(view, { kind: 'notice', level: 'info', text: `Source: ${sanitizeText(text)}` });
    }
    case 'usage': {
      const { input, output, costUsd } = view.tokens;
      const cost = event.usage.costUsd === undefined ? costUsd : (costUsd ?? 0) + event.usage.costUsd;
      return {
        ...view,
        tokens: { input: input + event.usage.inputTokens, output: output + event.usage.outputTokens, costUsd: cost },
      };
    }
    case 'turn-end':
      return reduceTurnEnd(view, event);
    case 'run-end':
      return { ...view, items: settleItems(view.items) };
    case 'prompt-end': {
      const settled = { ...view, items: settleItems(view.items), activity: { kind: 'idle' } as const, approvals: [], questions: [] };
      if (event.sentence.trim() === '') return settled;
      return addItem(settled, { kind: 'end', reason: event.reason, sentence: sanitizeText(event.sentence) });
    }
    case 'session-name':
    case 'settings-change':
    case 'finish':
    case 'continuation-tick':
    case 'continuation-end':
    case 'reminder-sent':
      return view;
  }
}

/** 950, 1.2k, 34k, 1.5M. */
export function formatCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [size, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size)}${unit}`;
}
