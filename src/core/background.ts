import type { BackgroundProcess, ProcessAccess } from '../tools/tool.ts';

/** Background commands of the present prompt, as far as the engine waits for them. */
export type Background = {
  /** Running, started in this prompt, and not yet waited for in full. */
  waitable(): readonly BackgroundProcess[];
  /** Running although they were waited for; the next nudge names them. */
  waitedOut(): readonly BackgroundProcess[];
  markWaitedOut(): void;
  startPrompt(): void;
};

export function createBackground(processes: ProcessAccess): Background {
  let before = new Set<string>();
  let out = new Set<string>();
  const running = (): readonly BackgroundProcess[] => processes.list().filter(({ id, state }) => state === 'running' && !before.has(id));
  return {
    waitable: () => running().filter(({ id }) => !out.has(id)),
    waitedOut: () => running().filter(({ id }) => out.has(id)),
    markWaitedOut() {
      out = new Set(running().map(({ id }) => id));
    },
    startPrompt() {
      before = new Set(processes.list().map(({ id }) => id));
      out = new Set();
    },
  };
}
