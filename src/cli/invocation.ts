import type { Options } from '../config/options.ts';
import type { ApprovalMode } from '../types/effects.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What a command line asks for. */
export type Invocation =
  | { readonly kind: 'chat'; readonly options: Options }
  /** Help or version: print and leave. */
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'demo'; readonly keep: boolean; readonly options: Options }
  | { readonly kind: 'sessions'; readonly json: boolean; readonly options: Options }
  | { readonly kind: 'doctor'; readonly options: Options }
  | { readonly kind: 'config'; readonly json: boolean; readonly key: string | undefined; readonly options: Options }
  | { readonly kind: 'trust'; readonly dir: string | undefined }
  | {
      readonly kind: 'permissions-explain';
      readonly command: string;
      readonly allow: readonly string[];
      readonly mode: ApprovalMode | undefined;
      readonly json: boolean;
      readonly options: Options;
    }
  | { readonly kind: 'completion'; readonly shell: Shell };
