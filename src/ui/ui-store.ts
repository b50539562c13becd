import { composeFrame, type Frame } from './frame.ts';
import type { Highlight } from './markdown.ts';
import { spinnerAt, spinnerMs } from './status-lines.ts';
import type { Paint } from './theme.ts';
import { settleTranscript } from './transcript.ts';
import { followApprovals, inertMs, isBusy, type UiState } from './ui-state.ts';

/** What is drawn: rows for the scrollback, in the one frame that writes them, and the live part. */
export type Snapshot = { readonly settled: { readonly id: number; readonly text: string } | undefined; readonly frame: Frame };

/** Timers, passed in so that tests own them. */
export type Timers = { now(): number; after(delayMs: number, run: () => void): () => void };

/**
 * The state of the screen. Changes are collected and shown once per frame; `flush` shows them at once. While held, nothing is shown and nothing
 * is lost.
 */
export type UiStore = {
  get(): UiState;
  /** `now`: with the next frame that is possible, `frame`: with the next of the stream. */
  update(change: (state: UiState) => UiState, when?: 'frame' | 'now'): void;
  /** A frame is wanted, for what `beforeDraw` will bring in. */
  request(): void;
  /** Called before every frame; it may still update. */
  beforeDraw(run: () => void): void;
  /** Draws at once. */
  flush(): void;
  hold(): void;
  release(): void;
  snapshot(): Snapshot;
  subscribe(listener: () => void): () => void;
  /** The rows up to this id are on screen. */
  written(id: number): void;
  close(): void;
};

export type UiStoreOptions = { readonly timers: Timers; readonly paint: Paint; readonly highlight: Highlight };

/** Least time between two frames while text streams, ms. */
export const frameMs = 33;
/** Least time between two frames at all, ms: Ink puts off a frame that follows another within one, and then draws it too late. */
const urgentMs = 5;

const maxLateMs = 100;
const floodRows = 6;

export function createUiStore(initial: UiState, options: UiStoreOptions): UiStore {
  const { timers, paint, highlight } = options;
  const listeners = new Set<() => void>();
  let state = initial;
  let writtenId = 0;
  let lastFrameAt = Number.NEGATIVE_INFINITY;
  let cancelFrame: (() => void) | undefined;
  let frameAt = Number.POSITIVE_INFINITY;
  let cancelWake: (() => void) | undefined;
  let wakeAt = Number.POSITIVE_INFINITY;
  let bringIn = (): void => {};
  let bringingIn = false;
  let held = false;
  let closed = false;
  let lastId = 0;
  let unwritten: readonly string[] = [];
  let snapshot: Snapshot = { settled: undefined, frame: composeFrame(state, { paint, highlight, now: timers.now() }) };

  const unschedule = (): void => {
    cancelFrame?.();
    cancelFrame = undefined;
    frameAt = Number.POSITIVE_INFINITY;
  };

  /** How late the last planned frame was: where there is more to do than time, there are fewer frames. */
  let lateMs = 0;
  /** More rows in a frame than anybody reads: the next may wait two frames longer. */
  let floods = false;

  /** One frame is planned at a time: the earlier one. */
  const schedule = (spacingMs: number): void => {
    const now = timers.now();
    const at = Math.max(now, lastFrameAt + spacingMs);
    if (held || closed || bringingIn || at >= frameAt) return;
    unschedule();
    frameAt = at;
    cancelFrame = timers.after(at - now, () => {
      cancelFrame = undefined;
      draw();
    });
  };

  const spacing = (): number => frameMs * (floods ? 3 : 1) + lateMs;

  const draw = (): void => {
    lateMs = Math.min(maxLateMs, Math.max(0, timers.now() - frameAt));
    unschedule();
    if (held || closed) return;
    bringingIn = true;
    bringIn();
    bringingIn = false;
    const now = timers.now();
    lastFrameAt = now;
    state = followApprovals(state, now);
    const { rows, view } = settleTranscript(state.view, { width: state.size.columns, paint, highlight, spinner: spinnerAt(now) });
    if (view !== state.view) state = { ...state, view };
    floods = rows.length >= floodRows;
    const frame = composeFrame(state, { paint, highlight, now });
    if (frame.showsEnd && state.approval?.seenEnd === false) {
      state = { ...state, approval: { ...state.approval, seenEnd: true, quietSince: now } };
    }
    // Rows of a frame that was never drawn come with the next.
    unwritten = writtenId === lastId ? rows : [...unwritten, ...rows];
    if (unwritten.length > 0) lastId += 1;
    snapshot = { settled: unwritten.length === 0 ? undefined : { id: lastId, text: unwritten.join('\n') }, frame };
    wake();
    for (const listener of [...listeners]) listener();
  };

  /** The next moment at which the screen changes by itself: the spinner's step, or the end of an approval's inert time. None when idle. */
  const nextChange = (now: number): number | undefined => {
    const { approval, view, engine } = state;
    if (approval !== undefined) return approval.quietSince + inertMs > now ? approval.quietSince + inertMs : undefined;
    const waits = view.questions.length > 0 || engine.kind === 'counting';
    return (isBusy(state) && !waits) || state.aside !== undefined ? lastFrameAt + spinnerMs : undefined;
  };

  /** One timer at a time, and it is not set anew for every frame: when it fires too early, it waits for the rest. */
  const wake = (): void => {
    const now = timers.now();
    const at = nextChange(now);
    if (at === undefined || closed || at >= wakeAt) return;
    cancelWake?.();
    wakeAt = at;
    cancelWake = timers.after(Math.max(0, at - now), () => {
      cancelWake = undefined;
      wakeAt = Number.POSITIVE_INFINITY;
      const due = nextChange(at);
      if (due !== undefined && due > timers.now()) wake();
      else if (due !== undefined || state.approval !== undefined) draw();
    });
  };

  return {
    get: () => state,
    update(change, when = 'frame') {
      const next = change(state);
      if (next === state || closed) return;
      state = next;
      schedule(when === 'now' ? urgentMs : spacing());
    },
    request: () => schedule(spacing()),
    beforeDraw(run) {
      bringIn = run;
    },
    flush: draw,
    hold() {
      held = true;
      unschedule();
    },
    release() {
      held = false;
      draw();
    },
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    written(id) {
      writtenId = id;
    },
    close() {
      closed = true;
      unschedule();
      cancelWake?.();
    },
  };
}
