import type { Effect, Preview } from './effects.ts';

/** A call that needs a person's yes. */
export type ApprovalRequest = {
  readonly requestId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly effects: readonly Effect[];
  readonly preview: Preview | undefined;
  /** Why it is asked, in words: the mode, the rule, or what the shell grammar did not understand. */
  readonly reason: string;
  /** The rule that "always" and "for this session" would add; absent when no rule may cover this call. */
  readonly rule: string | undefined;
};
export type ApprovalAnswer =
  | { readonly kind: 'once' | 'session' | 'always' }
  /** Without a reason the run ends; with one it goes to the model and the run goes on. */
  | { readonly kind: 'no'; readonly reason?: string }
  /** Nobody can answer: one-shot, or the session is closing. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'aborted' };

export type Question = {
  readonly requestId: string;
  readonly callId: string;
  readonly question: string;
  readonly options: readonly string[];
};
export type QuestionAnswer =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'aborted' };

/** The person, as the engine sees one. Promises settle when answered or when the signal aborts; they never reject. */
export type AskUser = {
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  question(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
};
