import type { Session } from '../continuation/session.ts';
import { systemClock } from '../lib/clock.ts';
import { openTerminal } from '../lib/terminal.ts';
import { App } from './components/App.tsx';
import { createController, type TerminalActions } from './controller.ts';
import { createDispatcher, type SessionListing } from './dispatcher.ts';
import { createHighlight } from './highlight.ts';
import { render } from './ink.ts';
import { reduceInput } from './input-state.ts';
import { createKeyDecoder } from './keys.ts';
import { eraseFrame } from './resize.ts';
import { createRowSlots } from './row-slots.ts';
import { createSessionLink, type SessionSource } from './session-link.ts';
import { colorLevelOf, createPaint, themeOf } from './theme.ts';
import { emptyUi } from './ui-state.ts';
import { createUiStore, type Timers } from './ui-store.ts';
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

/** A lone ESC is the Esc key when nothing follows for so long, ms. */
const escapeWaitMs = 25;
/** A window that is being dragged is drawn anew when it has been still for so long, ms. */
const resizeQuietMs = 60;

/** The exit code of a program whose terminal is gone: 128 + SIGHUP. */
const hangUpCode = 129;

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

/** Runs the interactive terminal. Resolves with the exit code once the user has quit and the terminal is restored. */
export async function startUi(deps: UiDeps): Promise<number> {
  const slots = createRowSlots();
  const terminal = openTerminal({ stdin: process.stdin, stdout: process.stdout, filter: slots.fill });
  const paint = createPaint(themeOf(deps.theme, process.env), colorLevelOf(process.env));
  const highlighter = createHighlight(paint);
  const decoder = createKeyDecoder();
  const initial = { ...emptyUi, size: terminal.size() };
  const store = createUiStore(initial, { timers, paint, highlight: highlighter.highlight });
  const { promise: quit, resolve: leave } = Promise.withResolvers<number>();
  let focused = true;
  let cancelEscape: (() => void) | undefined;
  let cancelResize: (() => void) | undefined;

  const takeOff = (): void => {
    terminal.muted(() => ink.clear());
    terminal.write(eraseFrame(store.snapshot().frame, terminal.size().columns, { drifts: process.env.TERM_PROGRAM === 'vscode' }));
  };
  const { editText } = deps;
  const actions: TerminalActions = {
    suspend() {
      takeOff();
      terminal.suspend();
      onResize();
    },
    redraw: () => onResize(),
    edit: editText === undefined ? undefined : (text) => away(() => editText(text)),
  };
  /** The terminal belongs to another program until `run` is done. */
  const away = async <Value,>(run: () => Promise<Value>): Promise<Value> => {
    store.hold();
    takeOff();
    terminal.restore();
    try {
      return await run();
    } finally {
      terminal.enter();
      store.release();
    }
  };

  const onQuit = (): void => leave(0);
  const link = createSessionLink(deps.session, {
    store,
    timers,
    openSession: deps.openSession,
    onSession: () => ink.rerender(app()),
    notify(text) {
      if (!focused) terminal.notify(text);
    },
    setTitle: terminal.setTitle,
  });
  const dispatcher = createDispatcher({ store, timers, link, listSessions: deps.listSessions, copy: terminal.copy, onQuit });
  const controller = createController({
    store,
    timers,
    link,
    dispatcher,
    terminal: actions,
    listPaths: deps.listPaths,
    remember: deps.history.append,
    onQuit,
  });
  const app = () => <App store={store} service={link.current().service} paint={paint} slots={slots} />;

  const onInput = (text: string): void => {
    cancelEscape?.();
    for (const key of decoder.push(text)) route(key);
    if (decoder.waiting) cancelEscape = timers.after(escapeWaitMs, () => decoder.flush().forEach(route));
  };
  const route = (key: Parameters<typeof controller.key>[0]): void => {
    if (key.kind === 'focus') focused = key.focused;
    else if (key.kind === 'reply') {
      if (/^\u001b\[\?\d+u$/.test(key.sequence)) terminal.enableKittyKeys();
    } else controller.key(key);
  };

  /** The frame is taken off at once, as it lies in the new window; while the size still changes nothing is drawn. */
  const onResize = (): void => {
    const size = terminal.size();
    if (cancelResize === undefined) takeOff();
    store.hold();
    store.update((state) => ({ ...state, size }));
    cancelResize?.();
    cancelResize = timers.after(resizeQuietMs, () => {
      cancelResize = undefined;
      store.release();
    });
  };

  const onSignal = (code: number) => () => leave(code);
  const signals = { SIGTERM: onSignal(143), SIGHUP: onSignal(hangUpCode), SIGINT: onSignal(130) } as const;
  for (const [signal, listener] of Object.entries(signals)) process.on(signal, listener);
  const onContinue = (): void => {
    terminal.enter();
    onResize();
  };
  process.on('SIGCONT', onContinue);
  process.once('exit', terminal.restore);
  terminal.onGone(() => leave(hangUpCode));

  terminal.enter();
  const { cwd, model } = deps.session;
  const { provider, model: name, offline } = model.current();
  const lines = welcomeLines({
    version: deps.version,
    cwd,
    model: offline ? `${name} (offline)` : `${provider}/${name}`,
    offline,
    banner: deps.banner,
  });
  store.update((state) => ({ ...state, view: { ...state.view, items: [{ kind: 'page', title: '', lines }] } }));
  const history = await deps.history.load();
  store.update((state) => ({ ...state, input: reduceInput(state.input, { type: 'load-history', lines: history }) }));
  const ink = render(app(), {
    stdout: terminal.output,
    stdin: process.stdin,
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: true,
    maxFps: 1000,
  });
  link.attach(deps.session);
  terminal.onInput(onInput);
  terminal.onResize(onResize);
  if (deps.earlyKeys !== '') onInput(deps.earlyKeys);
  store.flush();
  if (deps.firstPrompt !== undefined) dispatcher.submit(deps.firstPrompt);

  const code = await quit;
  cancelResize?.();
  store.release();
  await link.current().close();
  store.flush();
  store.close();
  link.close();
  ink.unmount();
  terminal.close();
  for (const [signal, listener] of Object.entries(signals)) process.off(signal, listener);
  process.off('SIGCONT', onContinue);
  process.off('exit', terminal.restore);
  if (code === hangUpCode) terminal.hangUp();
  return code;
}
