import type { Terminal } from '../lib/terminal.ts';
import { eraseFrame } from './resize.ts';
import type { Timers, UiStore } from './ui-store.ts';

/** What happens to the screen from outside: the window changes, the program is stopped, another program needs the terminal. */
export type ScreenControl = {
  /** Draws everything anew; also for a window of another size. */
  redraw(): void;
  suspend(): void;
  /** The terminal belongs to another program until `run` is done. */
  away<Value>(run: () => Promise<Value>): Promise<Value>;
  close(): void;
};

export type ScreenControlDeps = {
  readonly terminal: Terminal;
  readonly store: UiStore;
  readonly timers: Timers;
  /** Makes the renderer forget what it drew, without a byte of its own. */
  forgetFrame(): void;
  /** See `eraseFrame`. */
  readonly reflows: boolean;
};

/** A window that is being dragged is drawn anew when it has been still for so long, ms. */
const quietMs = 60;

export function createScreenControl(deps: ScreenControlDeps): ScreenControl {
  const { terminal, store, timers, reflows } = deps;
  let cancelRelease: (() => void) | undefined;
  let isOff = false;
  let isAway = false;

  /** From now on the renderer draws into the void: a tick of a countdown would else put the frame back while nobody knows where it is. */
  const takeOff = (): void => {
    if (isOff) return;
    isOff = true;
    store.hold();
    terminal.mute(true);
    terminal.write(eraseFrame(store.snapshot().frame, terminal.size().columns, { reflows }));
  };
  const release = (): void => {
    cancelRelease = undefined;
    isOff = false;
    deps.forgetFrame();
    terminal.mute(false);
    store.release();
  };
  /** The frame is taken off at once, as it lies in the new window; while the size still changes nothing is drawn. */
  const redraw = (): void => {
    takeOff();
    const size = terminal.size();
    store.update((state) => ({ ...state, size }));
    cancelRelease?.();
    if (!isAway) cancelRelease = timers.after(quietMs, release);
  };
  /** Another program may have left its cursor in the middle of a row. */
  const comeBack = (): void => {
    terminal.write('\r\u001b[J');
    redraw();
  };

  return {
    redraw,
    suspend() {
      takeOff();
      terminal.suspend();
      comeBack();
    },
    async away(run) {
      takeOff();
      isAway = true;
      terminal.restore();
      try {
        return await run();
      } finally {
        isAway = false;
        terminal.enter();
        comeBack();
      }
    },
    close() {
      cancelRelease?.();
      if (isOff) release();
    },
  };
}
