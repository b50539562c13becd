import * as z from 'zod';
import { type BackgroundProcess, defineTool, failure, type ProcessAccess, success, type ToolOutcome } from './tool.ts';

/** Longest time that one call waits for a background command, in ms. */
const maxWaitMs = 600_000;

function describeState({ id, state, exitCode }: BackgroundProcess): string {
  if (state === 'exited') return `${id} exited with code ${exitCode ?? 'unknown (a signal ended it)'}`;
  return `${id} ${state === 'running' ? 'is running' : 'was killed'}`;
}

/** The refusal for an id that no background command has. */
export function unknownProcess(id: string, processes: ProcessAccess): ToolOutcome {
  const known = processes.list().map((process) => process.id);
  return failure(`No background command '${id}'. ${known.length === 0 ? 'None was started' : `There are: ${known.join(', ')}`}`);
}

export const shellOutput = defineTool({
  name: 'shell_output',
  kind: 'read',
  description: 'New output of a background command.',
  schema: () =>
    z.object({ id: z.string(), wait_ms: z.number().int().min(0).max(maxWaitMs).optional().describe('wait this long for its end') }),
  async prepare({ id, wait_ms: timeoutMs = 0 }, { processes }) {
    return {
      effects: [],
      async run(signal) {
        const process = await processes.wait(id, { timeoutMs, signal });
        if (process === undefined) return unknownProcess(id, processes);
        const output = processes.read(id).replace(/\n$/u, '');
        const text = `${describeState(process)}\n${output === '' ? '(no new output)' : output}`;
        return success(text, process.state === 'running' ? { waiting: true } : {});
      },
    };
  },
});
