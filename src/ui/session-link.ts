import type { Session } from '../continuation/session.ts';
import { messageOf } from '../types/errors.ts';
import type { AgentEvent, EventOf } from '../types/events.ts';
import type { Item } from './items.ts';
import { isClosedTodo } from './tool-lines.ts';
import type { Facts } from './ui-state.ts';
import type { Timers, UiStore } from './ui-store.ts';
import { addItem, reduceView, type ViewState } from './view-state.ts';

/** The session on screen: its events are folded into the store, and another may take its place. */
export type SessionLink = {
  current(): Session;
  attach(session: Session): void;
  /** Opens another session in place of this one; the old one is closed. */
  change(from: SessionSource): Promise<void>;
  /** Reads again what the status line says. */
  refresh(): void;
  show(item: Item): void;
  notice(level: 'info' | 'warning' | 'error', text: string): void;
  close(): void;
};

export type SessionSource = { readonly resume: string } | { readonly fork: string } | 'empty';

export type SessionLinkDeps = {
  readonly store: UiStore;
  readonly timers: Timers;
  openSession(from: SessionSource): Promise<Session>;
  onSession(session: Session): void;
  /** Something happened that a user who looks elsewhere wants to know. */
  notify(text: string): void;
  setTitle(text: string): void;
};

/** Items of a resumed session that are shown. */
const maxReplayedItems = 200;

/** Events after which mode, model, context or saving may be others. */
const factEvents: ReadonlySet<string> = new Set([
  'session-start',
  'turn-end',
  'model-change',
  'settings-change',
  'compaction',
  'prompt-end',
  'notice',
]);

type Delta = EventOf<'text-delta' | 'draft-delta' | 'reasoning-delta'>;

function isDelta(event: AgentEvent): event is Delta {
  return (event.type === 'text-delta' && event.cut === undefined) || event.type === 'draft-delta' || event.type === 'reasoning-delta';
}

function factsOf(session: Session): Facts {
  const { provider, model, contextWindow, offline } = session.model.current();
  const used = session.usage.contextTokens();
  return {
    model: offline ? `${model} (offline)` : provider === '' ? model : `${provider}/${model}`,
    mode: session.approval.mode(),
    sandbox: session.approval.sandbox(),
    contextShare: contextWindow === undefined || used === 0 ? undefined : used / contextWindow,
    saving: session.saving.get(),
  };
}

/** What a session's past looks like, on top of what is on screen already. */
function replay(view: ViewState, session: Session, now: number): ViewState {
  let next: ViewState = { ...view, tokens: { input: 0, output: 0, costUsd: undefined }, processes: {}, folded: [] };
  for (const event of session.replayed) {
    next = reduceView(next, event, now);
    // Old items are dropped on the way, so that a long past costs no more than its length.
    if (next.items.length > 2 * maxReplayedItems) next = { ...next, items: next.items.slice(-maxReplayedItems) };
  }
  const shown = session.replayed.length > 0 && next.items.length >= maxReplayedItems;
  const note: Item = { kind: 'notice', level: 'info', text: 'Earlier parts of the session are not shown; /export writes all of it' };
  const items = shown ? [...view.items, note, ...next.items.slice(-maxReplayedItems)] : next.items;
  return { ...next, items, activity: { kind: 'idle' }, approvals: [], questions: [], todos: session.todos.list() };
}

export function createSessionLink(first: Session, deps: SessionLinkDeps): SessionLink {
  const { store, timers } = deps;
  let session = first;
  let stops: readonly (() => void)[] = [];

  const show = (item: Item): void => store.update((state) => ({ ...state, view: addItem(state.view, item) }), 'now');
  const notice: SessionLink['notice'] = (level, text) => show({ kind: 'notice', level, text });
  const refresh = (): void => store.update((state) => ({ ...state, facts: factsOf(session) }));

  const showTitle = (): void => {
    const { items } = store.get().view.todos;
    deps.setTitle(items.length === 0 ? 'tilldone' : `tilldone ${items.filter(isClosedTodo).length}/${items.length}`);
  };

  /** Deltas come by the thousand: neighbours of one kind become one event, folded when a frame is due or something else happens. */
  let delta: Delta | undefined;
  let pieces: string[] = [];
  const foldDelta = (): void => {
    if (delta === undefined) return;
    const event = { ...delta, text: pieces.join('') };
    delta = undefined;
    pieces = [];
    store.update((state) => ({ ...state, view: reduceView(state.view, event, timers.now()) }));
  };
  store.beforeDraw(foldDelta);

  const follow = (event: AgentEvent): void => {
    if (isDelta(event)) {
      if (delta?.type !== event.type) {
        foldDelta();
        delta = event;
        store.request();
      }
      pieces.push(event.text);
      return;
    }
    foldDelta();
    const now = timers.now();
    const asks = event.type === 'permission-request' || event.type === 'question-request';
    // The end of a turn is on screen before it is on the disk.
    const urgent = asks || event.type === 'turn-end' || event.type === 'run-end' || event.type === 'prompt-end';
    store.update(
      (state) => ({ ...state, view: reduceView(state.view, event, now), questionIndex: asks ? 0 : state.questionIndex }),
      urgent ? 'now' : 'frame',
    );
    if (asks) deps.notify(event.type === 'permission-request' ? 'tilldone asks for permission' : 'tilldone has a question');
    if (event.type === 'prompt-end' && event.sentence !== '') deps.notify(event.sentence);
    if (event.type === 'todos-change') showTitle();
    if (factEvents.has(event.type)) refresh();
  };

  const attach = (next: Session): void => {
    for (const stop of stops) stop();
    foldDelta();
    session = next;
    const { service } = next;
    const followService = (): void =>
      store.update((state) => ({ ...state, engine: service.state.get(), waiting: service.waiting.get() }), 'now');
    store.update((state) => ({ ...state, view: replay(state.view, next, timers.now()) }), 'now');
    followService();
    stops = [
      next.subscribe(follow),
      service.state.subscribe(followService),
      service.waiting.subscribe(followService),
      next.saving.subscribe(refresh),
    ];
    for (const line of next.report) notice('warning', line);
    deps.onSession(next);
    refresh();
    showTitle();
  };

  return {
    current: () => session,
    attach,
    async change(from) {
      session.service.cancelCountdown();
      try {
        const old = session;
        attach(await deps.openSession(from));
        await old.close();
        notice('info', from === 'empty' ? 'New conversation' : 'fork' in from ? 'Forked' : 'Resumed');
      } catch (error) {
        notice('error', messageOf(error));
      }
    },
    refresh,
    show,
    notice,
    close() {
      for (const stop of stops) stop();
      stops = [];
    },
  };
}
