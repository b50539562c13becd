import * as z from 'zod';
import { lazy } from './lazy.ts';

/** What went wrong between us and a model endpoint; each kind has one recovery (docs: safety, Faults). */
export const errorKinds = [
  'auth',
  'not-found',
  'rate-limit',
  'context-length',
  'bad-request',
  'server',
  'network',
  'timeout',
  'protocol',
  'internal',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

export const errorInfoSchema = lazy(() =>
  z.object({
    kind: z.enum(errorKinds),
    /** A sentence for the user: what failed, the value, what to change. Never a key. */
    message: z.string(),
    status: z.number().optional(),
    /** Whether the same request may succeed later. */
    retryable: z.boolean(),
    /** As the server asked, in ms. */
    retryAfterMs: z.number().optional(),
  }),
);
export type ErrorInfo = Readonly<z.infer<ReturnType<typeof errorInfoSchema>>>;

/** A mistake in how the program was called or set up; `cli` prints the message and exits with the code. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: 2 | 41 | 42 | 52;
  constructor(message: string, exitCode: 2 | 41 | 42 | 52 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
