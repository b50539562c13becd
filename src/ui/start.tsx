import { systemClock } from '../lib/clock.ts';
import { openTerminal, type Terminal } from '../lib/terminal.ts';
import { App } from './components/App.tsx';
import { createHighlight } from './highlight.ts';
import type { ContinuationSource } from './hooks/use-todo-continuation.ts';
import { render } from './ink.ts';
import { createInputPump } from './input-pump.ts';
import type { Item } from './items.ts';
import { createKeyPreview } from './key-preview.ts';
import { reflowsIn } from './resize.ts';
import { createRowSlots, type RowSlots, slotColumns } from './row-slots.ts';
import { createScreenControl } from './screen-control.ts';
import type { SessionLink } from './session-link.ts';
import { colorLevelOf, createPaint, type Paint, plainPaint, themeOf } from './theme.ts';
import type { UiDeps } from './ui-deps.ts';
import { emptyUi } from './ui-state.ts';
import { createUiStore, type Timers, type UiStore } from './ui-store.ts';
import { addItem } from './view-state.ts';
import { welcomeLines } from './welcome.ts';

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
  store.update((state) => ({ ...state, view: addItem(state.view, welcome(deps)) }));
  const stops: (() => void)[] = [];
  try {
    const [session, history, { openLinearChat }] = await Promise.all([deps.open(), deps.openHistory(), import('./open-chat.ts')]);
    const chat = openLinearChat(session, { deps, terminal, store, timers, history, leave });
    stops.push(
      listen('SIGINT', chat.interrupt),
      listen('SIGTERM', () => leave(143)),
      listen('SIGHUP', () => leave(hangUpCode)),
    );
    const code = await quit;
    await chat.close();
    return code;
  } finally {
    store.close();
    terminal.close();
    for (const stop of stops) stop();
  }
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
    const [session, history, { openChat }] = await Promise.all([deps.open(), deps.openHistory(), import('./open-chat.ts')]);
    const lines = await history.load();
    link = openChat(session, {
      deps,
      terminal,
      store,
      timers,
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

function listen(event: string, listener: () => void): () => void {
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
