import * as z from 'zod';
import { type CommandRun, defineTool, failure, success, type ToolOutcome } from './tool.ts';

/** How long a command may run when the call does not say, and at most, in ms. */
export const shellTimeouts = { defaultMs: 120_000, maxMs: 3_600_000 };

function firstLine(run: CommandRun, timeoutMs: number): string {
  if (run.timedOut) return `timed out after ${timeoutMs / 1000} s`;
  if (run.aborted) return 'cancelled';
  return run.signal === null ? `exit code ${run.exitCode ?? 1}` : `killed by ${run.signal}`;
}

/** What the model reads of a finished command: how it ended on the first line, then its output. */
export function describeRun(run: CommandRun, timeoutMs: number): ToolOutcome {
  const lines = [firstLine(run, timeoutMs)];
  const output = run.output.replace(/\n$/u, '');
  if (output !== '') lines.push(output);
  if (run.spillPath !== undefined) lines.push(`(whole output: ${run.spillPath})`);
  if (run.timedOut) lines.push('(for a command that does not end, such as a server, set background; for a slow one a larger timeout_ms)');
  const succeeded = run.exitCode === 0 && !run.timedOut && !run.aborted;
  return succeeded ? success(lines.join('\n')) : failure(lines.join('\n'));
}

export const shell = defineTool({
  name: 'shell',
  kind: 'act',
  description: 'Run a bash command in the workspace; no input, no terminal.',
  schema: () =>
    z.object({
      command: z.string(),
      timeout_ms: z.number().int().min(1).optional().describe('default 120000'),
      background: z.boolean().optional().describe('return at once; see shell_output'),
    }),
  async prepare({ command, timeout_ms: timeoutMs = shellTimeouts.defaultMs, background = false }, context) {
    if (command.trim() === '') return failure('The command is empty; give a bash command line');
    if (command.includes('\0')) return failure('The command has a NUL byte in it');
    if (timeoutMs > shellTimeouts.maxMs)
      return failure(`timeout_ms ${timeoutMs} is too long; at most ${shellTimeouts.maxMs}, or set background`);
    const { cwd, processes } = context;
    return {
      effects: [{ kind: 'command', command, cwd, ...(background ? { background } : {}) }],
      preview: { kind: 'command', command, cwd },
      async run(signal, onOutput) {
        if (!background) return describeRun(await processes.run(command, { cwd, timeoutMs, signal, onOutput }), timeoutMs);
        const { id } = await processes.start(command, { cwd });
        return success(`Started in the background as ${id}. shell_output shows what it prints, shell_kill ends it`);
      },
    };
  },
});
