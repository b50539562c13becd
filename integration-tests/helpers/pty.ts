import * as pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { binPath, childEnv, createSandbox } from './home.ts';

export type PtyOptions = {
  readonly cols?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another program than node with the built command; `args` are then its arguments. */
  readonly program?: string;
  readonly bin?: string;
  readonly scrollback?: number;
};

export type Exit = { readonly exitCode: number; readonly signal: number | undefined };

/** The built command in a real pseudo-terminal, seen through a real terminal emulator. */
export type Terminal = {
  readonly pid: number;
  readonly cwd: string;
  readonly home: string;
  /** Types, as it is: `\r` is Enter, `\x1b` Esc. */
  send(keys: string): void;
  /**
   * Resolves once the screen or scrollback shows the text, or the predicate holds; rejects after `timeoutMs` (30 s) with the screen. Looks
   * only at whole frames: what is drawn in one go is seen in one go. Wait for what stays; what lasts a moment may never be drawn.
   */
  waitFor(wanted: string | RegExp | ((screen: string) => boolean), timeoutMs?: number): Promise<void>;
  /** Resolves when nothing was written for `quietMs` (150), counted from this call at the earliest. */
  waitForQuiet(quietMs?: number): Promise<void>;
  /** What the window shows, trailing spaces cut, trailing empty lines dropped. */
  screen(): string;
  /** Everything from the first line that scrolled away to the last on screen. */
  scrollback(): string;
  /** Whether a row of the window has the text, and has it dimmed. */
  isDim(text: string): boolean;
  cursor(): { readonly row: number; readonly column: number };
  resize(cols: number, rows: number): void;
  kill(signal?: string): void;
  /** Closes the terminal's end, as a window that is closed does. */
  hangUp(): void;
  /** Every byte that came, as text. */
  raw(): string;
  readonly exited: Promise<Exit>;
  /** Ends the child if it still runs, and removes what was made for it. */
  close(): Promise<void>;
};

/** How often a wait looks without being told, and how long a frame may stay open, in ms. */
const pollMs = 100;
const maxFrameMs = 200;

/** Spawns the built command at cols × rows (80 × 24). */
export function startTerminal(args: readonly string[] = [], options: PtyOptions = {}): Terminal {
  const sandbox = options.cwd !== undefined && options.home !== undefined ? undefined : createSandbox();
  const cwd = options.cwd ?? sandbox?.cwd ?? '';
  const home = options.home ?? sandbox?.home ?? '';
  const cols = options.cols ?? 80;
  const rows = options.rows ?? 24;
  const emulator = new xterm.Terminal({ cols, rows, scrollback: options.scrollback ?? 100_000, allowProposedApi: true });
  const command = options.program === undefined ? [process.execPath, options.bin ?? binPath, ...args] : [options.program, ...args];
  const [file = '', ...rest] = command;
  const child = pty.spawn(file, rest, { name: 'xterm-256color', cols, rows, cwd, env: childEnv(home, options.env) });

  const chunks: string[] = [];
  const watchers = new Set<() => void>();
  let open = true;
  let frameOpen = false;
  let unread = 0;
  let lastMarks = '';
  let lastWriteMs = performance.now();
  child.onData((data) => {
    chunks.push(data);
    lastWriteMs = performance.now();
    unread += 1;
    emulator.write(data, () => {
      unread -= 1;
      const marks = lastMarks + data;
      const [begin, end] = [marks.lastIndexOf('\u001b[?2026h'), marks.lastIndexOf('\u001b[?2026l')];
      if (begin !== end) frameOpen = begin > end;
      lastMarks = data.slice(-8);
      // What came is on the screen, all of it: bytes and screen tell the same story.
      if (frameOpen || unread > 0) return;
      for (const watcher of [...watchers]) watcher();
    });
  });
  // What the emulator answers (cursor position and the like) goes back, as in a real terminal.
  emulator.onData((data) => {
    if (open) child.write(data);
  });
  const exited = new Promise<Exit>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      open = false;
      // Data may still be on its way through the emulator.
      setImmediate(() => emulator.write('', () => resolve({ exitCode, signal })));
    });
  });

  const lines = (from: number, to: number): string => {
    const buffer = emulator.buffer.active;
    const out: string[] = [];
    for (let index = from; index < to; index += 1) out.push(buffer.getLine(index)?.translateToString(true) ?? '');
    return out.join('\n').replace(/\n+$/u, '');
  };
  const screen = (): string => lines(emulator.buffer.active.baseY, emulator.buffer.active.baseY + emulator.rows);
  const scrollback = (): string => lines(0, emulator.buffer.active.length);

  const lastBytes = (): string => `The last bytes: ${JSON.stringify(chunks.slice(-20).join('').slice(-1_000))}`;
  const waitFor: Terminal['waitFor'] = (wanted, timeoutMs = 30_000) =>
    new Promise((resolve, reject) => {
      const holds = (): boolean => {
        if (typeof wanted === 'function') return wanted(screen());
        const all = scrollback();
        return typeof wanted === 'string' ? all.includes(wanted) : wanted.test(all);
      };
      const stop = (): void => {
        watchers.delete(look);
        clearTimeout(timer);
        clearInterval(poll);
      };
      const look = (): void => {
        if (!holds()) return;
        stop();
        resolve();
      };
      const fail = (why: string): void => {
        stop();
        reject(new Error(`${why} while waiting for ${String(wanted)}. The screen:\n${scrollback()}\n${lastBytes()}`));
      };
      // For what is not on the screen, and for a frame whose end never comes: no terminal waits for that either.
      const poll = setInterval(() => {
        if (unread === 0 && (!frameOpen || performance.now() - lastWriteMs > maxFrameMs)) look();
      }, pollMs);
      const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
      watchers.add(look);
      void exited.then((exit) => {
        if (!watchers.has(look)) return;
        if (holds()) look();
        else fail(`The command ended with ${exit.exitCode}`);
      });
      look();
    });

  return {
    pid: child.pid,
    cwd,
    home,
    send: (keys) => child.write(keys),
    waitFor,
    waitForQuiet: (quietMs = 150) =>
      new Promise((resolve) => {
        const calledMs = performance.now();
        const look = (): void => {
          const leftMs = quietMs - (performance.now() - Math.max(calledMs, lastWriteMs));
          if (leftMs <= 0) resolve();
          else setTimeout(look, leftMs);
        };
        look();
      }),
    screen,
    scrollback,
    isDim(text) {
      const buffer = emulator.buffer.active;
      for (let row = buffer.baseY; row < buffer.baseY + emulator.rows; row += 1) {
        const line = buffer.getLine(row);
        const column = line?.translateToString(true).indexOf(text) ?? -1;
        if (column >= 0) return line?.getCell(column)?.isDim() !== 0;
      }
      return false;
    },
    cursor: () => ({ row: emulator.buffer.active.cursorY, column: emulator.buffer.active.cursorX }),
    resize(newCols, newRows) {
      // as a terminal does: first its own rows, then the signal
      emulator.resize(newCols, newRows);
      child.resize(newCols, newRows);
    },
    kill: (signal) => child.kill(signal),
    hangUp() {
      open = false;
      // there in every implementation for Unix, and missing in the types
      (child as unknown as { destroy(): void }).destroy();
    },
    raw: () => chunks.join(''),
    exited,
    async close() {
      if (open) child.kill('SIGKILL');
      await exited;
      emulator.dispose();
      sandbox?.remove();
    },
  };
}
