import type { Provider } from '../providers/provider.ts';
import type { Usage } from '../types/messages.ts';

/** The model in use; read anew for each turn, so that a change takes effect at the next one. */
export type ActiveModel = {
  readonly provider: Provider;
  readonly model: string;
  /** Tokens; undefined when unknown. */
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly costOf: (usage: Usage) => number | undefined;
};
