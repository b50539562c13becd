import * as z from 'zod';
import { lazy } from './lazy.ts';

/**
 * What a prepared call will do, judged before it runs. Paths are real paths: links resolved as far as they exist.
 * `wanted` is the path as the model wrote it.
 */
export const effectSchema = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('read'), path: z.string(), wanted: z.string().optional() }),
    z.object({ kind: z.literal('write'), path: z.string(), wanted: z.string().optional() }),
    z.object({ kind: z.literal('command'), command: z.string(), cwd: z.string(), background: z.boolean().optional() }),
    z.object({ kind: z.literal('host'), url: z.string(), host: z.string() }),
  ]),
);
export type Effect = Readonly<z.infer<ReturnType<typeof effectSchema>>>;

/** What the user sees before saying yes: the whole command, or the change of a file as unified diff. */
export const previewSchema = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('command'), command: z.string(), cwd: z.string() }),
    z.object({ kind: z.literal('diff'), path: z.string(), diff: z.string(), isNew: z.boolean() }),
    z.object({ kind: z.literal('text'), text: z.string() }),
  ]),
);
export type Preview = Readonly<z.infer<ReturnType<typeof previewSchema>>>;

export const approvalModes = ['plan', 'default', 'auto-edit', 'yolo'] as const;
export type ApprovalMode = (typeof approvalModes)[number];
