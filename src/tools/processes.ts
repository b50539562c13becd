import type { Clock } from '../lib/clock.ts';
import { type ProcessExit, type ProcessGroup, signalGroup, startGroup, terminateGroup } from '../lib/process.ts';
import { lazy } from '../types/lazy.ts';
import { createOutputBuffer } from './output-buffer.ts';
import { createPacer } from './pacer.ts';
import { isGroupAlive } from './process-table.ts';
import { openSpill, type Spill } from './spill.ts';
import type { BackgroundProcess, CommandRun, ProcessAccess } from './tool.ts';

export type ProcessesOptions = {
  /** Environment of every command, already without secrets; asked for with the first. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where output goes that is too long to show; without it that part is dropped. */
  readonly spillDir?: () => string | undefined;
  /** Puts the command into a sandbox; without it bash runs bare. */
  readonly wrapCommand?: (request: { command: string; cwd: string }) => { file: string; args: readonly string[] };
  /** Told about each start and end of a background command. */
  readonly onChange: (process: BackgroundProcess) => void;
};

export type Processes = Omit<ProcessAccess, 'start'> & {
  start(command: string, options: { cwd: string }): BackgroundProcess;
  /** Ends every group that this session started and forgets the spilled output; nothing starts afterwards. */
  killAll(): Promise<void>;
  /** SIGKILL to every group, at once and synchronously: for a crash. */
  killNow(): void;
};

/** Kept of the output of one command, in characters. */
export const outputLimits = { headChars: 10_000, tailChars: 20_000 };

/** Without a terminal no program may wait for a person: git asks nothing, pagers print, editors fail. */
const fixedEnv = { GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat', EDITOR: 'false', VISUAL: 'false', GIT_EDITOR: 'false' };

/** What bash would run or define before the command: never inherited. */
const startupNames = /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|BASH_FUNC_.*)$/u;

/** Output that is still on its way when the command has ended is waited for this long at a time, and at most ten times. */
const drainStepMs = 100;

/** Time for a killed command to be seen as ended, in ms: its drain, and as much again. */
const settleMs = 20 * drainStepMs;

type Running = {
  readonly group: ProcessGroup;
  readonly output: ReturnType<typeof createOutputBuffer>;
  spill: Spill | undefined;
};
type Background = { -readonly [Key in keyof BackgroundProcess]: BackgroundProcess[Key] } & {
  readonly running: Running;
  readonly ended: Promise<void>;
  killed: boolean;
};

/** Whether a promise settles before the time is over or the signal aborts. */
async function settlesWithin(
  promise: Promise<unknown>,
  delayMs: number,
  { clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<boolean> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([promise.then(() => true), clock.sleep(delayMs, either).then(() => false)]);
  } finally {
    over.abort();
  }
}

export function createProcesses(options: ProcessesOptions): Processes {
  const { clock, onChange } = options;
  const env = lazy(() => ({
    ...Object.fromEntries(Object.entries(options.env()).filter(([name]) => !startupNames.test(name))),
    ...fixedEnv,
  }));
  const groups = new Set<number>();
  const spills = new Set<Spill>();
  const background = new Map<string, Background>();
  let closing = false;

  const launch = (command: string, cwd: string, onText: (text: string) => void): Running => {
    const { file, args } = options.wrapCommand?.({ command, cwd }) ?? { file: 'bash', args: ['--noprofile', '--norc', '-c', command] };
    const output = createOutputBuffer(outputLimits);
    const receive = (text: string): void => {
      if (running.spill === undefined && output.length() + text.length > outputLimits.headChars + outputLimits.tailChars) {
        const folder = options.spillDir?.();
        running.spill = folder === undefined ? undefined : openSpill(folder, `output-${clock.newId()}`);
        if (running.spill !== undefined) spills.add(running.spill);
        running.spill?.write(output.text());
      }
      running.spill?.write(text);
      output.push(text);
      onText(text);
    };
    // forget groups that ended meanwhile: their number may be given to someone else
    for (const pid of groups) if (!signalGroup(pid, 0)) groups.delete(pid);
    const running: Running = { group: startGroup({ file, args, cwd, env: env() }, receive), output, spill: undefined };
    if (running.group.pid !== undefined) groups.add(running.group.pid);
    return running;
  };

  const settle = async (running: Running): Promise<void> => {
    let before = -1;
    for (let round = 0; round < 10 && running.output.length() !== before; round += 1) {
      before = running.output.length();
      if (await settlesWithin(running.group.closed, drainStepMs, { clock })) break;
    }
    running.group.release();
    running.spill?.close();
    const { pid } = running.group;
    if (pid !== undefined && !(await isGroupAlive(pid))) groups.delete(pid);
  };

  const terminate = async (group: ProcessGroup): Promise<void> => {
    if (group.pid !== undefined) await terminateGroup(group.pid, clock, isGroupAlive);
    // a process in an uninterruptible wait does not even die of SIGKILL: do not wait for it for ever
    await settlesWithin(group.exited, 1000, { clock });
  };

  const run: ProcessAccess['run'] = async (command, { cwd, timeoutMs, signal, onOutput }) => {
    if (signal.aborted || closing) return { exitCode: null, signal: null, output: '', timedOut: false, aborted: true };
    const pacer = createPacer(clock, onOutput);
    const running = launch(command, cwd, pacer.push);
    const over = new AbortController();
    const aborted = new Promise<'aborted'>((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal });
    });
    const timedOut = clock.sleep(timeoutMs, over.signal).then(() => 'timed-out' as const);
    const end = await Promise.race([running.group.exited, aborted, timedOut]);
    over.abort();
    const stopped = typeof end === 'string';
    if (stopped) await terminate(running.group);
    const exit: ProcessExit = stopped ? { code: null, signal: 'SIGTERM' } : end;
    await settle(running);
    pacer.flush();
    const result: CommandRun = {
      exitCode: exit.failure === undefined ? exit.code : 127,
      signal: exit.signal,
      output: exit.failure === undefined ? running.output.text() : `The shell could not be started: ${exit.failure}`,
      timedOut: end === 'timed-out',
      aborted: end === 'aborted' || closing,
    };
    return running.spill === undefined ? result : { ...result, spillPath: running.spill.path };
  };

  const view = ({ id, command, state, exitCode }: Background): BackgroundProcess => ({ id, command, state, exitCode });

  const start: Processes['start'] = (command, { cwd }) => {
    const id = `sh${background.size + 1}`;
    if (closing) return { id, command, state: 'killed', exitCode: null };
    const running = launch(command, cwd, () => {});
    const ended = running.group.exited.then(async (exit) => {
      if (exit.failure !== undefined) running.output.push(`The shell could not be started: ${exit.failure}`);
      await settle(running);
      entry.state = entry.killed ? 'killed' : 'exited';
      entry.exitCode = exit.failure === undefined ? exit.code : 127;
      onChange(view(entry));
    });
    const entry: Background = { id, command, state: 'running', exitCode: null, running, ended, killed: false };
    background.set(id, entry);
    onChange(view(entry));
    return view(entry);
  };

  return {
    run,
    start,
    list: () => [...background.values()].map(view),
    read(id) {
      const entry = background.get(id);
      if (entry === undefined) return '';
      const text = entry.running.output.text();
      entry.running.output.clear();
      return text;
    },
    async wait(id, { timeoutMs, signal }) {
      const entry = background.get(id);
      if (entry === undefined) return undefined;
      if (entry.state === 'running') await settlesWithin(entry.ended, timeoutMs, { clock, signal });
      return view(entry);
    },
    async kill(id) {
      const entry = background.get(id);
      if (entry === undefined) return undefined;
      if (entry.state === 'running') {
        entry.killed = true;
        await terminate(entry.running.group);
        await settlesWithin(entry.ended, settleMs, { clock });
      }
      return view(entry);
    },
    async killAll() {
      closing = true;
      for (const entry of background.values()) entry.killed ||= entry.state === 'running';
      await Promise.all([...groups].map((pid) => terminateGroup(pid, clock, isGroupAlive)));
      groups.clear();
      for (const spill of spills) spill.remove();
      spills.clear();
    },
    killNow() {
      closing = true;
      for (const pid of groups) signalGroup(pid, 'SIGKILL');
      groups.clear();
    },
  };
}
