import type { FinishReason } from '../types/events.ts';
import type { ContinuationDecision } from './decide-continuation.ts';

/** Characters of text (trimmed) up to which an attempt may be retried; longer text is a real answer. */
export const longAnswerChars = 600;

export type AttemptOutcome = {
  readonly finish: FinishReason;
  readonly toolCalls: number;
  /** Visible text, trimmed, in characters; 0 for white space and for thoughts only. */
  readonly textChars: number;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** An attempt of this turn was already retried because it was empty. */
  readonly emptyRetried: boolean;
  /** A hard cap of the prompt, or the limit of its nudges, is reached: no further request. */
  readonly capReached: boolean;
  /** What would happen if the run ended here. */
  readonly decision: ContinuationDecision;
};

export type RetryDecision = { readonly kind: 'accept' } | { readonly kind: 'retry'; readonly cause: 'open-todos' | 'empty' };

const accept: RetryDecision = { kind: 'accept' };

/** Whether an attempt stands or is dropped and made again with a reminder. First match wins. */
export function decideRetry(outcome: AttemptOutcome): RetryDecision {
  const { finish } = outcome;
  if (finish === 'aborted' || finish === 'error' || finish === 'loop' || finish === 'length' || finish === 'safety') return accept;
  if (outcome.toolCalls > 0) return accept;
  if (outcome.textChars === 0) {
    const mayRetry = outcome.attempt < outcome.maxAttempts && !outcome.emptyRetried && !outcome.capReached;
    return mayRetry ? { kind: 'retry', cause: 'empty' } : accept;
  }
  if (outcome.attempt >= outcome.maxAttempts) return accept;
  if (outcome.textChars > longAnswerChars) return accept;
  if (outcome.decision.kind !== 'continue') return accept;
  return { kind: 'retry', cause: 'open-todos' };
}
