import * as z from 'zod';
import { type ApprovalMode, approvalModes } from '../types/effects.ts';
import { lazy } from '../types/lazy.ts';

/**
 * file: may stand in a settings file. project: a project's file may set it too. session: `/set` may change it, for this session only.
 * `env` and `flag` name the other ways to set it.
 */
type Setting<Value> = {
  /** Made when a value is first read: a start without a settings file needs none of them. */
  readonly schema: () => z.ZodType<Value>;
  /** Texts that the schema surely takes as they are. A first start with nothing but an address and a model needs no schema then. */
  readonly quick?: RegExp;
  readonly default: Value;
  readonly help: string;
  readonly scopes: readonly ('file' | 'project' | 'session')[];
  readonly env?: string;
  readonly flag?: string;
};

function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return { ...definition, schema: lazy(definition.schema) };
}

const everywhere = ['file', 'project', 'session'] as const;
const personal = ['file', 'session'] as const;
const count = () => z.coerce.number().int().min(0);
const threshold = () => z.coerce.number().int().min(-1);
/** Absent, or a limit above zero. */
const cap = () => z.coerce.number().positive().nullable();
const boolean = () =>
  z.union([
    z.boolean(),
    z.enum(['true', 'on', 'yes', '1']).transform(() => true),
    z.enum(['false', 'off', 'no', '0']).transform(() => false),
  ]);

/** The one table of settings. Help, `/set`, completion, files, flags and `config` all read it. */
export const settings = {
  provider: setting<string | null>({
    schema: () => z.string().min(1).nullable(),
    quick: /./,
    default: null,
    help: 'provider preset: openai, gemini, openrouter, ollama, lmstudio, llamacpp, vllm, deepseek, groq, mistral, builtin',
    scopes: ['file'],
    flag: '--provider',
  }),
  model: setting<string | null>({
    schema: () => z.string().min(1).nullable(),
    quick: /./,
    default: null,
    help: 'model name, or provider/model',
    scopes: ['file'],
    env: 'OPENAI_MODEL',
    flag: '--model',
  }),
  'base-url': setting<string | null>({
    schema: () => z.url({ protocol: /^https?$/ }).nullable(),
    quick: /^https?:\/\/(?:127\.0\.0\.1|[a-z][a-z\d]*(?:[.-][a-z][a-z\d]*)*)(?::(?:[1-5]\d{4}|\d{1,4}))?(?:\/[\w./-]*)?$/,
    default: null,
    help: 'address of an OpenAI-compatible endpoint',
    scopes: ['file'],
    env: 'OPENAI_BASE_URL',
    flag: '--base-url',
  }),
  'approval-mode': setting<ApprovalMode>({
    schema: () => z.enum(approvalModes),
    default: 'default',
    help: 'when to ask: plan, default, auto-edit, yolo',
    scopes: ['file'],
    flag: '--approval-mode',
  }),
  sandbox: setting<'auto' | 'off'>({
    schema: () => z.enum(['auto', 'off']),
    default: 'auto',
    help: 'run shell commands in a bubblewrap sandbox where it works: only the workspace is writable, secrets are hidden',
    scopes: personal,
  }),
  'sandbox-network': setting({
    schema: boolean,
    default: false,
    help: 'let sandboxed commands reach the network',
    scopes: personal,
  }),
  'todo-continuation': setting({
    schema: boolean,
    default: true,
    help: 'go on by itself while the list is unfinished',
    scopes: everywhere,
    env: 'TILLDONE_AUTO_COMPLETE_TODOS',
    flag: '--auto-complete-todos',
  }),
  'max-todo-continuations': setting({
    schema: count,
    default: 10,
    help: 'nudges since the last newly closed item',
    scopes: everywhere,
    env: 'TILLDONE_MAX_TODO_CONTINUATIONS',
    flag: '--max-todo-continuations',
  }),
  'max-no-progress': setting({ schema: count, default: 3, help: 'nudges in a row without progress', scopes: everywhere }),
  'max-idle-turns': setting({
    schema: () => count().min(1),
    default: 12,
    help: 'turns in a row without progress before the model is corrected',
    scopes: everywhere,
  }),
  'continuation-countdown': setting({
    schema: () => z.coerce.number().min(0).max(3600),
    default: 2,
    help: 'seconds before a continuation is sent (0 in one-shot)',
    scopes: everywhere,
  }),
  'continuation-grace': setting({
    schema: () => z.coerce.number().min(0).max(60_000),
    default: 500,
    help: 'ms after the countdown began in which an echoed message does not end it',
    scopes: everywhere,
  }),
  'todo-check-interval': setting({
    schema: () => z.coerce.number().min(0).max(3_600_000),
    default: 1000,
    help: 'least ms between two continuations (0 in one-shot)',
    scopes: everywhere,
  }),
  'max-attempts': setting({
    schema: () => z.coerce.number().int().min(1).max(10),
    default: 2,
    help: 'attempts at a turn when the model stops with open todos',
    scopes: everywhere,
  }),
  'max-turns': setting({
    schema: () => count().min(1),
    default: 500,
    help: 'requests per prompt',
    scopes: everywhere,
    flag: '--max-turns',
  }),
  'max-total-tokens': setting<number | null>({
    schema: cap,
    default: null,
    help: 'tokens per prompt, in and out',
    scopes: everywhere,
    flag: '--max-total-tokens',
  }),
  'max-budget-usd': setting<number | null>({
    schema: cap,
    default: null,
    help: 'US dollars per prompt',
    scopes: everywhere,
    flag: '--max-budget-usd',
  }),
  timeout: setting<number | null>({
    schema: cap,
    default: null,
    help: 'seconds per prompt, time waiting for a person not counted',
    scopes: everywhere,
    flag: '--timeout',
  }),
  'compact-at': setting({
    schema: () => z.coerce.number().min(0.1).max(1),
    default: 0.8,
    help: 'share of the context window at which history is compacted',
    scopes: everywhere,
  }),
  'stop-at': setting({
    schema: () => z.coerce.number().min(0.1).max(1),
    default: 0.9,
    help: 'share of the context window at which work stops',
    scopes: everywhere,
  }),
  'background-wait': setting({
    schema: () => z.coerce.number().min(0),
    default: 120,
    help: 'seconds to wait for background commands before going on',
    scopes: everywhere,
    flag: '--background-wait',
  }),
  'smart-todo-completion': setting<'off' | 'remind' | 'auto'>({
    schema: () => z.enum(['off', 'remind', 'auto']),
    default: 'remind',
    help: 'after tool results: do nothing, remind the model to update its list, or close a matching item',
    scopes: everywhere,
  }),
  'loop-identical-calls': setting({
    schema: threshold,
    default: 5,
    help: 'identical calls in a row that make a loop, -1 for never',
    scopes: everywhere,
  }),
  'loop-failing-calls': setting({
    schema: threshold,
    default: 3,
    help: 'identical failing calls in a row that make a loop, -1 for never',
    scopes: everywhere,
  }),
  'loop-cycles': setting({
    schema: threshold,
    default: 3,
    help: 'repeats of a cycle of 2 to 5 calls that make a loop, -1 for never',
    scopes: everywhere,
  }),
  'loop-text': setting({
    schema: threshold,
    default: 10,
    help: 'repeats of a text chunk that make a loop, -1 for never',
    scopes: everywhere,
  }),
  theme: setting({
    schema: () => z.enum(['auto', 'dark', 'light', 'ansi']),
    default: 'auto',
    help: 'colours of the screen',
    scopes: personal,
  }),
} as const;

export type SettingKey = keyof typeof settings;
export type Settings = { readonly [Key in SettingKey]: (typeof settings)[Key]['default'] };
