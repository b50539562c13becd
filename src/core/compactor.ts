import type { Settings } from '../config/settings.ts';
import type { EventOf, Place } from '../types/events.ts';
import type { Message } from '../types/messages.ts';
import type { ActiveModel } from './active-model.ts';
import { mechanicalSummary, planCompaction, summarize, summaryMessage, trimToolOutputs } from './compaction.ts';
import { contextTokens, estimateHistory } from './context.ts';
import type { Recorder } from './recorder.ts';

export type Compactor = {
  /** Before a request: trims and compacts when the window fills. False: there is no room left. */
  makeRoom(place: Place, signal: AbortSignal): Promise<boolean>;
  /** False when nothing could be given up, or the signal aborted. */
  compact(
    trigger: EventOf<'compaction'>['trigger'],
    options: { readonly place: Place; readonly signal: AbortSignal; readonly focus: string | undefined },
  ): Promise<boolean>;
  running(): boolean;
  startPrompt(): void;
};

/** Compactions without progress in between, after which the next full window ends the run. */
const maxInVain = 2;

/** Share of the window that recent turns keep word for word. */
const recentShare = 0.3;

/** Tokens of recent turns that are kept at the least, as far as they are that many. */
const leastRecent = 200;

/** Window assumed for planning when it is unknown, in tokens. */
const assumedWindow = 32_000;

export function createCompactor(deps: {
  readonly recorder: Recorder;
  readonly model: () => ActiveModel;
  readonly settings: () => Settings;
  readonly fixedTokens: () => number;
}): Compactor {
  const { recorder } = deps;
  const { state } = recorder;
  let running = false;
  let inVain = 0;
  let progressAtLast: unknown;

  /** The stop comes after compaction was tried, so a stop below the share for compaction pulls that down with it. */
  const compactAt = (): number => Math.min(deps.settings()['compact-at'], deps.settings()['stop-at']);

  const compact: Compactor['compact'] = async (trigger, { place, signal, focus }) => {
    if (signal.aborted) return false;
    const { provider, model, costOf, contextWindow = assumedWindow } = deps.model();
    const fixed = deps.fixedTokens();
    const tokensBefore = contextTokens(state, fixed);
    // An endpoint that refused the request has a smaller window than was thought, so the history's own size counts, too.
    const share = Math.min(contextWindow * recentShare - fixed, estimateHistory(state.history) * recentShare);
    const { old, recent } = planCompaction(state.history, Math.max(share, leastRecent));
    running = true;
    try {
      const { text: summary, usage } =
        old.length === 0 ? { text: undefined, usage: undefined } : await summarize(provider, { model, old, focus, signal });
      if (usage !== undefined) {
        const cost = costOf(usage);
        void recorder.record({ type: 'usage', ...place, usage: cost === undefined ? usage : { ...usage, costUsd: cost } });
      }
      if (signal.aborted) return false;
      const pause = state.prompt.pause?.text;
      const head: readonly Message[] =
        old.length === 0 ? [] : [summaryMessage({ summary: summary ?? mechanicalSummary(old), old, todos: state.todos.items, pause })];
      const room = contextWindow * compactAt() - fixed;
      const messages = trimToolOutputs([...head, ...recent], {
        targetTokens: Math.min(room, estimateHistory(recent) * 0.9),
        keepMessages: 4,
      });
      const tokensAfter = fixed + estimateHistory(messages);
      if (tokensAfter >= tokensBefore && old.length === 0) return false;
      const method = summary === undefined ? 'mechanical' : 'summary';
      await recorder.record({ type: 'compaction', ...place, messages, trigger, method, tokensBefore, tokensAfter }, { sync: true });
      return true;
    } finally {
      running = false;
    }
  };

  return {
    running: () => running,
    startPrompt() {
      inVain = 0;
      progressAtLast = undefined;
    },
    compact,
    async makeRoom(place, signal) {
      const { contextWindow } = deps.model();
      if (contextWindow === undefined) return true;
      const share = (): number => contextTokens(state, deps.fixedTokens()) / contextWindow;
      if (share() < compactAt()) return true;
      const { progress } = state.prompt;
      inVain = progress === progressAtLast ? inVain + 1 : 1;
      progressAtLast = progress;
      if (inVain <= maxInVain) await compact('auto', { place, signal, focus: undefined });
      return !signal.aborted && share() < deps.settings()['stop-at'];
    },
  };
}
