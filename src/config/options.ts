import type { SettingKey, Settings } from './settings.ts';

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];
export const inputFormats = ['text', 'stream-json'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** Which conversation the call is about. `id` may be a prefix or `latest`; `pick` opens a picker and needs a terminal. */
export type SessionChoice =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly id: string }
  | { readonly kind: 'fork'; readonly id: string }
  | { readonly kind: 'pick'; readonly fork: boolean };

/** Everything that was said on the command line, checked but not yet acted on. */
export type Options = {
  /** Words of the prompt: the value of -p or -i, then the positional words. Piped input is not part of it. */
  readonly prompt: string | undefined;
  /** One-shot was asked for, by -p or by an option that only makes sense there. */
  readonly print: boolean;
  /** -i: a first prompt, then the chat. */
  readonly promptInteractive: boolean;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  readonly includePartialMessages: boolean;
  /** File that receives the final answer. */
  readonly outputLastMessage: string | undefined;
  /** JSON Schema of the final answer, as JSON text or `@file`. */
  readonly jsonSchema: string | undefined;
  /** Exit codes 60 to 64 become 0. */
  readonly exitZeroUnfinished: boolean;
  readonly session: SessionChoice;
  /** False: nothing is written to the session log. */
  readonly saveSession: boolean;
  readonly name: string | undefined;
  readonly profile: string | undefined;
  /** The settings that flags gave, already parsed. */
  readonly flags: Partial<Settings>;
  /** The flag that gave each of them, as it was written. */
  readonly flagNames: Partial<Record<SettingKey, string>>;
  /** Trust this folder's project files, for this call. */
  readonly trust: boolean;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** Text or `@file`. */
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  /** Folder to work in, as written; undefined for the current one. */
  readonly cd: string | undefined;
  readonly addDirs: readonly string[];
  readonly noColor: boolean;
  readonly screenReader: boolean;
  readonly debug: boolean;
};

/** The options of a call without arguments. */
export const defaultOptions: Options = {
  prompt: undefined,
  print: false,
  promptInteractive: false,
  outputFormat: 'text',
  inputFormat: 'text',
  includePartialMessages: false,
  outputLastMessage: undefined,
  jsonSchema: undefined,
  exitZeroUnfinished: false,
  session: { kind: 'new' },
  saveSession: true,
  name: undefined,
  profile: undefined,
  flags: {},
  flagNames: {},
  trust: false,
  allowedTools: [],
  disallowedTools: [],
  systemPrompt: undefined,
  appendSystemPrompt: undefined,
  cd: undefined,
  addDirs: [],
  noColor: false,
  screenReader: false,
  debug: false,
};
