import type { Session } from '../continuation/session.ts';
import { systemClock } from '../lib/clock.ts';
import { openTerminal, type Terminal } from '../lib/terminal.ts';
import { App } from './components/App.tsx';
import { createController } from './controller.ts';
import { createDispatcher, type SessionListing } from './dispatcher.ts';
import { createHighlight } from './highlight.ts';
import type { ContinuationSource } from './hooks/use-todo-continuation.ts';
import { render } from './ink.ts';
import { createInputPump } from './input-pump.ts';
import { reduceInput } from './input-state.ts';
import type { Item } from './items.ts';
import { createKeyPreview, type KeyPreview } from './key-preview.ts';
import { createLinearChat } from './linear.ts';
import { reflowsIn } from './resize.ts';
import { createRowSlots, type RowSlots, slotColumns } from './row-slots.ts';
import { createScreenControl, type ScreenControl } from './screen-control.ts';
import { createSessionLink, type SessionLink, type SessionSource } from './session-link.ts';
import { colorLevelOf, createPaint, type Paint, plainPaint, themeOf } from './theme.ts';
import { emptyUi } from './ui-state.ts';
import { createUiStore, type Timers, type UiStore } from './ui-store.ts';
import { addItem } from './view-state.ts';
import { welcomeLines } from './welcome.ts';

type History = { load(): Promise<readonly string[]>; append(line: string): void };

export type UiDeps = {
  readonly cwd: string;
  /** The model as the first screen calls it. */
  readonly model: string;
  readonly offline: boolean;
  /** The first frame is on screen. */
  onShown(): void;
  /** Opens the first session, after that. */
  open(): Promise<Session>;
  openSession(from: SessionSource): Promise<Session>;
  listSessions(): Promise<readonly SessionListing[]>;
  readonly firstPrompt: string | undefined;
  /** Lines above the first prompt. */
  readonly banner: readonly string[];
  /** Called after the first frame. */
  openHistory(): Promise<History>;
  /** What was typed before the UI was there, as raw input. */
  readonly earlyKeys: string;
  readonly version: string;
  readonly screenReader: boolean;
  /** A theme's name, or `auto`. */
  readonly theme: string;
  /** Paths that begin like the fragment, for `@` completion. */
  listPaths?(fragment: string): Promise<readonly string[]>;
  /** Opens the text in the user's editor; the terminal is free meanwhile. */
  editText?(text: string): Promise<{ readonly text: string } | { readonly error: string }>;
};

/** The exit code of a program whose terminal is gone: 128 + SIGHUP. */
const hangUpCode = 129;
const signalCodes = { SIGTERM: 143, SIGHUP: hangUpCode, SIGINT: 130 } as const;
/** Whatever was drawn here before, an early line perhaps, gives way to the first frame without a gap. */
const clearLine = '\u001b[?2026h\r\u001b[J';

const timers: Timers = {
  now: systemClock.now,
  after(delayMs, run) {
    const cancelled = new AbortController();
    void systemClock.sleep(delayMs, cancelled.signal).then(() => {
      if (!cancelled.signal.aborted) run();
    });
    return () => cancelled.abort();
  },
};

/** What both ways to show the chat share. */
type Parts = {
  readonly deps: UiDeps;
  readonly terminal: Terminal;
  readonly store: UiStore;
  readonly paint: Paint;
  readonly slots: RowSlots;
  /** Resolves with the exit code when the user leaves or a signal says so. */
  readonly quit: Promise<number>;
  leave(code: number): void;
};

/** Runs the interactive terminal. Resolves with the exit code once the user has quit and the terminal is restored. */
export async function startUi(deps: UiDeps): Promise<number> {
  const slots = createRowSlots();
  const terminal = openTerminal({ stdin: process.stdin, stdout: process.stdout, filter: slots.fill, outputColumns: slotColumns });
  const paint = deps.screenReader ? plainPaint : createPaint(themeOf(deps.theme, process.env), colorLevelOf(process.env));
  const store = createUiStore({ ...emptyUi, size: terminal.size() }, { timers, paint, highlight: createHighlight(paint).highlight });
  const { promise: quit, resolve: leave } = Promise.withResolvers<number>();
  const code = await (deps.screenReader ? chatLinearly : chatOnScreen)({ deps, terminal, store, paint, slots, quit, leave });
  if (code === hangUpCode) terminal.hangUp();
  return code;
}

function welcome(deps: UiDeps): Item {
  return { kind: 'page', title: '', lines: welcomeLines(deps) };
}

/** For screen readers: lines in, lines out; see `createLinearChat`. */
async function chatLinearly({ deps, terminal, store, quit, leave }: Parts): Promise<number> {
  const { openSession, listSessions } = deps;
  const onQuit = (): void => leave(0);
  const silent = (): void => {};
  store.update((state) => ({ ...state, view: addItem(state.view, welcome(deps)) }));
  const [session, history] = await Promise.all([deps.open(), deps.openHistory()]);
  const link = createSessionLink(session, { store, timers, openSession, onSession: silent, notify: silent, setTitle: silent });
  const dispatcher = createDispatcher({ store, timers, link, listSessions, copy: terminal.copy, onQuit });
  const chat = createLinearChat({ store, timers, terminal, link, dispatcher, remember: history.append, onQuit });
  const stops = [listen('SIGINT', chat.interrupt), listen('SIGTERM', () => leave(143)), listen('SIGHUP', () => leave(hangUpCode))];
  terminal.onGone(onQuit);
  terminal.onInput((text) => {
    for (const line of text.split('\n').slice(0, -1)) chat.line(line);
  });
  link.attach(session);
  store.flush();
  if (deps.firstPrompt !== undefined) dispatcher.submit(deps.firstPrompt);
  const code = await quit;
  await link.current().close();
  store.flush();
  store.close();
  link.close();
  chat.close();
  terminal.close();
  for (const stop of stops) stop();
  return code;
}

/** The usual way: Ink draws the live part, what is finished scrolls off. The first frame is there before the session is. */
async function chatOnScreen({ deps, terminal, store, paint, slots, quit, leave }: Parts): Promise<number> {
  const pump = createInputPump(timers, deps.earlyKeys);
  const keys = createKeyPreview(store);
  terminal.onInput(pump.push);
  terminal.enter();
  let ink: ReturnType<typeof render> | undefined;
  const screen = createScreenControl({ terminal, store, timers, forgetFrame: () => ink?.clear(), reflows: reflowsIn(process.env) });
  const onContinue = (): void => {
    terminal.enter();
    screen.redraw();
  };
  const stops = Object.entries(signalCodes).map(([signal, code]) => listen(signal, () => leave(code)));
  stops.push(listen('exit', terminal.restore), listen('SIGCONT', onContinue));
  terminal.onGone(() => leave(hangUpCode));
  terminal.onResize(screen.redraw);

  pump.start(keys.key);
  const facts = { ...emptyUi.facts, model: deps.model };
  store.update((state) => ({ ...state, facts, view: addItem(state.view, welcome(deps)) }));
  terminal.write(clearLine);
  store.flush();
  const app = (service?: ContinuationSource) => <App store={store} service={service} paint={paint} slots={slots} />;
  ink = render(app(), {
    stdout: terminal.output,
    stdin: process.stdin,
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    maxFps: 1000,
  });
  const { rerender, unmount } = ink;
  deps.onShown();
  let link: SessionLink | undefined;
  try {
    const [session, history] = await Promise.all([deps.open(), deps.openHistory()]);
    const lines = await history.load();
    link = openChat(session, {
      deps,
      terminal,
      store,
      screen,
      keys,
      history,
      lines,
      leave,
      onService: (service) => rerender(app(service)),
    });
    return await quit;
  } finally {
    screen.close();
    await link?.current().close();
    store.flush();
    store.close();
    link?.close();
    unmount();
    terminal.close();
    for (const stop of stops) stop();
  }
}

type ChatParts = Pick<Parts, 'deps' | 'terminal' | 'store' | 'leave'> & {
  readonly screen: ScreenControl;
  readonly keys: KeyPreview;
  readonly history: History;
  /** What it holds, oldest first. */
  readonly lines: readonly string[];
  onService(service: ContinuationSource): void;
};

/** Puts the first session on the screen, and gives it the keys. */
function openChat(session: Session, { deps, terminal, store, screen, keys, history, lines, leave, onService }: ChatParts): SessionLink {
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

function listen(event: string, listener: () => void): () => void {
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
