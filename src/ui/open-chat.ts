import type { Session } from '../continuation/session.ts';
import type { Terminal } from '../lib/terminal.ts';
import { createController } from './controller.ts';
import { createDispatcher } from './dispatcher.ts';
import type { ContinuationSource } from './hooks/use-todo-continuation.ts';
import { reduceInput } from './input-state.ts';
import type { KeyPreview } from './key-preview.ts';
import { createLinearChat } from './linear.ts';
import type { ScreenControl } from './screen-control.ts';
import { createSessionLink, type SessionLink } from './session-link.ts';
import type { History, UiDeps } from './ui-deps.ts';
import type { Timers, UiStore } from './ui-store.ts';

type Parts = {
  readonly deps: UiDeps;
  readonly terminal: Terminal;
  readonly store: UiStore;
  readonly timers: Timers;
  readonly history: History;
  leave(code: number): void;
};

type ScreenParts = Parts & {
  readonly screen: ScreenControl;
  readonly keys: KeyPreview;
  /** What it holds, oldest first. */
  readonly lines: readonly string[];
  onService(service: ContinuationSource): void;
};

/** Puts the first session on the screen, and gives it the keys. */
export function openChat(session: Session, parts: ScreenParts): SessionLink {
  const { deps, terminal, store, timers, screen, keys, history, lines, leave, onService } = parts;
  const { editText, openSession, listSessions } = deps;
  const onQuit = (): void => leave(0);
  let focused = true;
  const link = createSessionLink(session, {
    store,
    timers,
    openSession,
    onSession: ({ service }) => onService(service),
    notify(text) {
      if (!focused) terminal.notify(text);
    },
    setTitle: terminal.setTitle,
  });
  const dispatcher = createDispatcher({ store, timers, link, listSessions, copy: terminal.copy, onQuit });
  const controller = createController({
    store,
    timers,
    link,
    dispatcher,
    terminal: {
      suspend: screen.suspend,
      redraw: screen.redraw,
      edit: editText === undefined ? undefined : (text) => screen.away(() => editText(text)),
    },
    listPaths: deps.listPaths,
    remember: history.append,
    onQuit,
  });
  store.update((state) => ({ ...state, input: reduceInput(state.input, { type: 'load-history', lines }) }));
  link.attach(session);
  keys.handOver((key) => {
    if (key.kind === 'focus') focused = key.focused;
    else if (key.kind !== 'reply') controller.key(key);
    else if (/^\u001b\[\?\d+u$/.test(key.sequence)) terminal.enableKittyKeys();
  });
  if (deps.firstPrompt !== undefined) dispatcher.submit(deps.firstPrompt);
  return link;
}

/** The same for a screen reader: lines in, lines out. */
export function openLinearChat(session: Session, parts: Parts): { interrupt(): void; close(): Promise<void> } {
  const { deps, terminal, store, timers, history, leave } = parts;
  const { openSession, listSessions } = deps;
  const onQuit = (): void => leave(0);
  const silent = (): void => {};
  const link = createSessionLink(session, { store, timers, openSession, onSession: silent, notify: silent, setTitle: silent });
  const dispatcher = createDispatcher({ store, timers, link, listSessions, copy: terminal.copy, onQuit });
  const chat = createLinearChat({ store, timers, terminal, link, dispatcher, remember: history.append, onQuit });
  terminal.onGone(onQuit);
  terminal.onInput((text) => {
    for (const line of text.split('\n').slice(0, -1)) chat.line(line);
  });
  link.attach(session);
  store.flush();
  if (deps.firstPrompt !== undefined) dispatcher.submit(deps.firstPrompt);
  return {
    interrupt: chat.interrupt,
    async close() {
      await link.current().close();
      store.flush();
      link.close();
      chat.close();
    },
  };
}
