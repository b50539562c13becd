import type { Session } from '../continuation/session.ts';

/** What a slash command asks its caller to do: commands decide, the UI or the one-shot runner acts. */
export type CommandResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** Text for the user, shown as it is, longer than a notice. */
  | { readonly kind: 'page'; readonly title: string; readonly lines: readonly string[] }
  | { readonly kind: 'submit'; readonly text: string }
  | { readonly kind: 'resume-work' }
  | { readonly kind: 'aside'; readonly text: string }
  | { readonly kind: 'open-picker'; readonly picker: 'model' | 'session' | 'provider' }
  | { readonly kind: 'new-session'; readonly from: { readonly resume: string } | { readonly fork: string } | 'empty' }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'toggle-todos' }
  | { readonly kind: 'quit' };

export type Completion = { readonly value: string; readonly help: string };

export type Command = {
  readonly name: string;
  readonly aliases: readonly string[];
  /** After the name, as help shows it: `[key [value]]`. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it may run while the agent is busy; others wait for Esc. */
  readonly whileBusy: boolean;
  /** `rest` is everything after the name, trimmed. */
  run(rest: string, session: Session): Promise<CommandResult> | CommandResult;
  /** Possible continuations of `rest`, best first. */
  complete?(rest: string, session: Session): readonly Completion[];
};
