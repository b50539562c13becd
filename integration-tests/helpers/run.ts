import { type ChildProcess, spawn } from 'node:child_process';
import { binPath, childEnv, createSandbox } from './home.ts';

export type RunOptions = {
  /** Given to stdin, which is then closed. Without it stdin is empty. */
  readonly stdin?: string;
  readonly cwd?: string;
  /** Home folder of the child; a throwaway one when absent. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another command than the one in this tree. */
  readonly bin?: string;
  readonly timeoutMs?: number;
  /** Called once with the child, to signal it or to close its pipes. */
  readonly onSpawn?: (child: ChildProcess) => void;
};

export type RunResult = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
};

/** Runs the built command to its end. A run that exceeds `timeoutMs` (50 s, less than a test may take) is killed and rejects with what it had printed. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const sandbox = options.cwd !== undefined && options.home !== undefined ? undefined : createSandbox();
  const cwd = options.cwd ?? sandbox?.cwd;
  const home = options.home ?? sandbox?.home ?? '';
  const startedMs = performance.now();
  try {
    return await new Promise<RunResult>((resolve, reject) => {
      const child = spawn(process.execPath, [options.bin ?? binPath, ...args], { cwd, env: childEnv(home, options.env) });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.stdin.on('error', () => {}); // the child may end before it has read everything
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`tilldone ${args.join(' ')} did not end in time\nstdout: ${text(out)}\nstderr: ${text(err)}`));
      }, options.timeoutMs ?? 50_000);
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, stdout: text(out), stderr: text(err), elapsedMs: performance.now() - startedMs });
      });
      options.onSpawn?.(child);
      child.stdin.end(options.stdin ?? '');
    });
  } finally {
    sandbox?.remove();
  }
}
