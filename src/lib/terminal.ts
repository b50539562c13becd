import { EventEmitter } from 'node:events';

/** The terminal while we own it: raw keys in, bytes out, and one way to give it back. */
export type Terminal = {
  size(): { readonly columns: number; readonly rows: number };
  /** A stream for a renderer: what is written in one go reaches the terminal in one write. */
  readonly output: NodeJS.WriteStream;
  /** Raw mode, bracketed paste, focus reports, and the kitty keyboard protocol where the terminal has it. */
  enter(): void;
  /** Undoes `enter`, shows the cursor, ends every style and reads no more keys. Safe at any time, any number of times. */
  restore(): void;
  onInput(listener: (text: string) => void): void;
  onResize(listener: () => void): void;
  /** The other end is gone: nothing can be read or written any more. */
  onGone(listener: () => void): void;
  write(text: string): void;
  /** Whether what is written to `output` is dropped. */
  mute(on: boolean): void;
  /** The kitty protocol was offered: use it. */
  enableKittyKeys(): void;
  setTitle(text: string): void;
  /** A bell and a desktop notice (OSC 9). */
  notify(text: string): void;
  /** To the clipboard, by the terminal (OSC 52). */
  copy(text: string): void;
  /** Stops the whole job as Ctrl+Z does, and takes the terminal again when it goes on. */
  suspend(): void;
  close(): void;
  /** Dies of SIGHUP, as a program does whose terminal is gone; node cannot exit by itself then. Returns when the signal is ignored. */
  hangUp(): void;
};

const enterModes = '\u001b[?2004h\u001b[?1004h\u001b[?u';
const leaveModes = '\u001b[?2026l\u001b[?1004l\u001b[?2004l';
const showCursor = '\u001b[?25h\u001b[0m';
const pushTitle = '\u001b[22;0t';
const popTitle = '\u001b[23;0t';

let restoreActive: () => void = () => {};

/** Gives the terminal back if it is in our hands: for exit, crash and signals. */
export function restoreTerminal(): void {
  restoreActive();
}

type Streams = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** What becomes of a text that a renderer writes to `output`. */
  readonly filter?: (text: string) => string;
  /** The width that `output` reports, when it is not to be the terminal's own. */
  readonly outputColumns?: number;
};

/** Opens the terminal on the given streams; nothing changes on it before `enter`. */
export function openTerminal({ stdin, stdout, filter = (text) => text, outputColumns }: Streams): Terminal {
  const events = new EventEmitter();
  let entered = false;
  let kitty = false;
  let titled = false;
  let mutes = false;
  let queued = '';
  let callbacks: (() => void)[] = [];

  const writeNow = (text: string): void => {
    try {
      stdout.write(text);
    } catch {
      events.emit('gone');
    }
  };
  const flush = (): void => {
    const text = queued;
    const waiting = callbacks;
    queued = '';
    callbacks = [];
    if (text !== '') writeNow(text);
    for (const callback of waiting) callback();
  };
  const write = (text: string): void => {
    if (queued === '' && callbacks.length === 0) queueMicrotask(flush);
    queued += text;
  };

  const size = (): { columns: number; rows: number } => ({
    columns: Math.max(1, stdout.columns || 80),
    rows: Math.max(1, stdout.rows || 24),
  });

  const output = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    destroyed: false,
    writableEnded: false,
    write(text: string | Uint8Array, ...rest: unknown[]): boolean {
      const callback = rest.findLast((argument) => typeof argument === 'function');
      if (callback !== undefined) callbacks.push(callback as () => void); // the only function that write takes
      if (mutes) queueMicrotask(flush);
      else write(filter(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')));
      return true;
    },
  });
  Object.defineProperties(output, { columns: { get: () => outputColumns ?? size().columns }, rows: { get: () => size().rows } });

  const onData = (text: string): void => void events.emit('input', text);
  const onGone = (): void => void events.emit('gone');
  stdin.setEncoding('utf8');
  stdin.on('data', onData);
  stdin.once('end', onGone);
  stdin.once('close', onGone);
  stdin.on('error', onGone);
  stdout.on('error', onGone);
  stdout.on('resize', () => events.emit('resize'));

  const setRaw = (on: boolean): void => {
    try {
      stdin.setRawMode?.(on);
    } catch {
      // the terminal is gone
    }
  };
  const enter = (): void => {
    if (entered) return;
    entered = true;
    setRaw(true);
    stdin.resume(); // `restore` has paused it, or an earlier owner
    write(enterModes + (kitty ? '\u001b[>1u' : ''));
  };
  const restore = (): void => {
    if (!entered) return;
    entered = false;
    flush();
    writeNow(`${kitty ? '\u001b[<u' : ''}${leaveModes}${showCursor}${titled ? popTitle : ''}`);
    titled = false;
    setRaw(false);
    stdin.pause(); // what is typed now is for another program
  };
  restoreActive = restore;

  return {
    size,
    // Of a WriteStream, a renderer uses write, columns, rows, isTTY and the events; that is what this has.
    output: output as unknown as NodeJS.WriteStream,
    enter,
    restore,
    onInput: (listener) => void events.on('input', listener),
    onResize: (listener) => void events.on('resize', listener),
    onGone: (listener) => void events.once('gone', listener),
    write,
    mute(on) {
      mutes = on;
    },
    enableKittyKeys() {
      if (kitty) return;
      kitty = true;
      if (entered) write('\u001b[>1u');
    },
    setTitle(text) {
      write(`${titled ? '' : pushTitle}\u001b]0;${text}\u0007`);
      titled = true;
    },
    notify: (text) => write(`\u0007\u001b]9;${text}\u0007`),
    copy: (text) => write(`\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`),
    suspend() {
      restore();
      // The whole job, as the terminal driver would: a starter such as npm has to stop with us.
      process.kill(0, 'SIGTSTP');
      enter();
    },
    close() {
      restore();
      stdin.off('data', onData);
      stdin.pause();
      restoreActive = () => {};
    },
    hangUp() {
      // a listener that is left, a library's too, would only put it off
      process.removeAllListeners('SIGHUP');
      process.kill(process.pid, 'SIGHUP');
    },
  };
}
