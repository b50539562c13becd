import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../types/errors.ts';
import type { Clock } from './clock.ts';

export type ProgramSpec = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** How a program ended. `failure` says why it could not be started; then code and signal are null. */
export type ProcessExit = { readonly code: number | null; readonly signal: string | null; readonly failure?: string };

export type ProcessGroup = {
  /** Undefined when the program could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the leader has ended, whoever still holds its output; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when the output has been read to its end. */
  readonly closed: Promise<void>;
  /** Passes on no more output and lets the event loop end. */
  release(): void;
};

/** Starts a program as leader of its own session and process group, stdin empty, stdout and stderr merged in order of arrival. */
export function startGroup(spec: ProgramSpec, onOutput: (text: string) => void): ProcessGroup {
  let child: ChildProcess;
  try {
    child = spawn(spec.file, [...spec.args], { cwd: spec.cwd, env: { ...spec.env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const failure = messageOf(error);
    return { pid: undefined, exited: Promise.resolve({ code: null, signal: null, failure }), closed: Promise.resolve(), release: () => {} };
  }
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => onOutput(decoder.write(chunk)));
    stream.on('end', () => {
      const rest = decoder.end();
      if (rest !== '') onOutput(rest);
    });
    stream.on('error', () => {});
  }
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, failure: error.message }));
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const release = (): void => {
    for (const stream of streams) {
      stream.removeAllListeners('data');
      stream.resume(); // read on and forget: a closed pipe would kill whoever still writes
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
    child.unref();
  };
  return { pid: child.pid, exited, closed, release };
}

/** Sends a signal to a whole process group; false when it has no member left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: the group is there, but a member belongs to someone else
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Time between SIGTERM and SIGKILL, in ms. */
export const killGraceMs = 3000;

/**
 * Ends a process group: SIGTERM, and SIGKILL for what is left after `killGraceMs`. Resolves when the group is gone, as `isAlive` sees it, or
 * was killed.
 */
export async function terminateGroup(pid: number, clock: Clock, isAlive: (pid: number) => Promise<boolean>): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  signalGroup(pid, 'SIGCONT'); // a stopped process does not see SIGTERM
  const until = clock.now() + killGraceMs;
  for (let stepMs = 10; clock.now() < until; stepMs = Math.min(2 * stepMs, 200)) {
    await clock.sleep(stepMs);
    if (!(await isAlive(pid))) return;
  }
  signalGroup(pid, 'SIGKILL');
}

export type ProgramResult = ProcessExit & {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** More than `maxBytes` came; the program was killed and `stdout` holds the first part. */
  readonly truncated: boolean;
};

/** Runs one of our own helper programs (ripgrep, a clipboard, a probe) to its end with bounded output; never rejects. */
export function runProgram(
  spec: ProgramSpec,
  options: { maxBytes: number; signal?: AbortSignal; input?: string | Uint8Array },
): Promise<ProgramResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  let truncated = false;
  const result = (exit: ProcessExit): ProgramResult => ({ ...exit, stdout: Buffer.concat(chunks), stderr, truncated });
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(spec.file, [...spec.args], {
        cwd: spec.cwd,
        env: { ...spec.env },
        detached: true,
        stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      return resolve(result({ code: null, signal: null, failure: messageOf(error) }));
    }
    const stop = (): void => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    const settle = (exit: ProcessExit): void => {
      options.signal?.removeEventListener('abort', stop);
      resolve(result(exit));
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      const room = options.maxBytes - bytes;
      if (chunk.length > room) {
        truncated = true;
        stop();
      }
      if (room <= 0) return;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      bytes += Math.min(chunk.length, room);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (stderr.length < 8192) stderr += chunk.toString('utf8');
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
    child.once('error', (error) => settle({ code: null, signal: null, failure: error.message }));
    child.once('close', (code, signal) => settle({ code, signal }));
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Whether a process of that id exists, ours or not. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The absolute folders of PATH: a relative one would run a program of whatever folder we are in. */
export function searchPath(): string {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
