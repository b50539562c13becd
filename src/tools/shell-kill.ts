import * as z from 'zod';
import { unknownProcess } from './shell-output.ts';
import { defineTool, success } from './tool.ts';

export const shellKill = defineTool({
  name: 'shell_kill',
  kind: 'act',
  description: 'End a background command.',
  schema: () => z.object({ id: z.string() }),
  async prepare({ id }, { processes }) {
    return {
      effects: [],
      async run() {
        const before = processes.list().find((process) => process.id === id)?.state;
        const process = await processes.kill(id);
        if (process === undefined) return unknownProcess(id, processes);
        return success(before === 'running' ? `${id} was killed` : `${id} had ended before`);
      },
    };
  },
});
