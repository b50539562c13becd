import type { Reason } from '../types/reasons.ts';

/** What the engine is doing between the user's prompt and the moment it gives control back. */
export type EngineState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  /** A continuation will be sent. `heldByTyping`: the clock stands while the user's line is not empty. */
  | { readonly kind: 'counting'; readonly remainingMs: number; readonly open: number; readonly heldByTyping: boolean }
  | { readonly kind: 'waiting'; readonly reason: Extract<Reason, 'question' | 'permission' | 'recovering' | 'background'> };

/** How a prompt ended. */
export type PromptOutcome = { readonly reason: Reason; readonly exitCode: number; readonly sentence: string };
