import type { Session } from '../continuation/session.ts';
import { systemClock } from '../lib/clock.ts';
import { openTerminal, type Terminal } from '../lib/terminal.ts';
import { App } from './components/App.tsx';
import { createController } from './controller.ts';
import { createDispatcher, type SessionListing } from './dispatcher.ts';
import { createHighlight } from './highlight.ts';
import { render } from './ink.ts';
import { createInputPump } from './input-pump.ts';
import { reduceInput } from './input-state.ts';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import { createLinearChat } from './linear.ts';
import { reflowsIn } from './resize.ts';
import { createRowSlots, type RowSlots, slotColumns } from './row-slots.ts';
import { createScreenControl } from './screen-control.ts';
import { createSessionLink, type SessionSource } from './session-link.ts';
import { colorLevelOf, createPaint, type Paint, plainPaint, themeOf } from './theme.ts';
import { emptyUi } from './ui-state.ts';
import { createUiStore, type Timers, type UiStore } from './ui-store.ts';
import { addItem } from './view-state.ts';
import { welcomeLines } from './welcome.ts';

export type UiDeps = {
  readonly session: Session;
  openSession(from: SessionSource): Promise<Session>;
  listSessions(): Promise<readonly SessionListing[]>;
  readonly firstPrompt: string | undefined;
  /** Lines above the first prompt. */
  readonly banner: readonly string[];
  readonly history: { load(): Promise<readonly string[]>; append(line: string): void };
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
  const { cwd, model } = deps.session;
  const { provider, model: name, offline } = model.current();
  const title = offline ? `${name} (offline)` : `${provider}/${name}`;
  return { kind: 'page', title: '', lines: welcomeLines({ version: deps.version, cwd, model: title, offline, banner: deps.banner }) };
}

/** For screen readers: lines in, lines out; see `createLinearChat`. */
async function chatLinearly({ deps, terminal, store, quit, leave }: Parts): Promise<number> {
  const { openSession, listSessions, history } = deps;
  const onQuit = (): void => leave(0);
  const silent = (): void => {};
  const link = createSessionLink(deps.session, { store, timers, openSession, onSession: silent, notify: silent, setTitle: silent });
  const dispatcher = createDispatcher({ store, timers, link, listSessions, copy: terminal.copy, onQuit });
  const chat = createLinearChat({ store, timers, terminal, link, dispatcher, remember: history.append, onQuit });
  const stops = [listen('SIGINT', chat.interrupt), listen('SIGTERM', () => leave(143)), listen('SIGHUP', () => leave(hangUpCode))];
  terminal.onGone(onQuit);
  terminal.onInput((text) => {
    for (const line of text.split('\n').slice(0, -1)) chat.line(line);
  });
  store.update((state) => ({ ...state, view: addItem(state.view, welcome(deps)) }));
  link.attach(deps.session);
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

/** The usual way: Ink draws the live part, what is finished scrolls off. */
async function chatOnScreen({ deps, terminal, store, paint, slots, quit, leave }: Parts): Promise<number> {
  const { editText, openSession, listSessions } = deps;
  const pump = createInputPump(timers, deps.earlyKeys);
  terminal.onInput(pump.push);
  terminal.enter();
  const onQuit = (): void => leave(0);
  let focused = true;
  let ink: ReturnType<typeof render> | undefined;

  const link = createSessionLink(deps.session, {
    store,
    timers,
    openSession,
    onSession: () => ink?.rerender(app()),
    notify(text) {
      if (!focused) terminal.notify(text);
    },
    setTitle: terminal.setTitle,
  });
  const app = () => <App store={store} service={link.current().service} paint={paint} slots={slots} />;
  const forgetFrame = (): void => ink?.clear();
  const screen = createScreenControl({ terminal, store, timers, forgetFrame, reflows: reflowsIn(process.env) });
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
    remember: deps.history.append,
    onQuit,
  });
  const onKey = (key: Key): void => {
    if (key.kind === 'focus') focused = key.focused;
    else if (key.kind !== 'reply') controller.key(key);
    else if (/^\u001b\[\?\d+u$/.test(key.sequence)) terminal.enableKittyKeys();
  };
  const onContinue = (): void => {
    terminal.enter();
    screen.redraw();
  };
  const stops = Object.entries(signalCodes).map(([signal, code]) => listen(signal, () => leave(code)));
  stops.push(listen('exit', terminal.restore), listen('SIGCONT', onContinue));
  terminal.onGone(() => leave(hangUpCode));
  terminal.onResize(screen.redraw);

  const lines = await deps.history.load();
  store.update((state) => ({
    ...state,
    input: reduceInput(state.input, { type: 'load-history', lines }),
    view: addItem(state.view, welcome(deps)),
  }));
  link.attach(deps.session);
  pump.start(onKey);
  terminal.write(clearLine);
  store.flush();
  ink = render(app(), {
    stdout: terminal.output,
    stdin: process.stdin,
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    maxFps: 1000,
  });
  if (deps.firstPrompt !== undefined) dispatcher.submit(deps.firstPrompt);

  const code = await quit;
  screen.close();
  await link.current().close();
  store.flush();
  store.close();
  link.close();
  ink.unmount();
  terminal.close();
  for (const stop of stops) stop();
  return code;
}

function listen(event: string, listener: () => void): () => void {
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
