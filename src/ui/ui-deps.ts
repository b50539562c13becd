import type { Session } from '../continuation/session.ts';
import type { SessionListing } from './dispatcher.ts';
import type { SessionSource } from './session-link.ts';

export type History = { load(): Promise<readonly string[]>; append(line: string): void };

/** What the interactive terminal needs of the program. */
export type UiDeps = {
  readonly cwd: string;
  /** The model as the first screen calls it. */
  readonly model: string;
  readonly offline: boolean;
  /** The first frame is on screen. */
  onShown(): void;
  /** Opens the first session, after that. */
  open(): Promise<Session>;
  openSession(from: SessionSource): Promise<Session>;
  listSessions(): Promise<readonly SessionListing[]>;
  readonly firstPrompt: string | undefined;
  /** Lines above the first prompt. */
  readonly banner: readonly string[];
  /** Called after the first frame. */
  openHistory(): Promise<History>;
  /** What was typed before the UI was there, as raw input. */
  readonly earlyKeys: string;
  readonly version: string;
  readonly screenReader: boolean;
  /** A theme's name, or `auto`. */
  readonly theme: string;
  /** Paths that begin like the fragment, for `@` completion. */
  listPaths?(fragment: string): Promise<readonly string[]>;
  /** Opens the text in the user's editor; the terminal is free meanwhile. */
  editText?(text: string): Promise<{ readonly text: string } | { readonly error: string }>;
};
