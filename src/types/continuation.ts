import * as z from 'zod';
import { lazy } from './lazy.ts';

/** Where the continuation of a prompt stands, for observers. `attemptCount` counts nudges since an item last closed. */
export const continuationStateSchema = lazy(() =>
  z.object({
    isActive: z.boolean(),
    taskDescription: z.string().optional(),
    attemptCount: z.number().int().nonnegative().default(0),
    lastPromptTime: z.date().optional(),
  }),
);
export type ContinuationState = Readonly<z.infer<ReturnType<typeof continuationStateSchema>>>;

/** A nudge as it is sent: `prompt` is the whole text, `taskDescription` the item it names. */
export const continuationPromptSchema = lazy(() =>
  z.object({
    taskDescription: z.string(),
    isYoloMode: z.boolean(),
    prompt: z.string(),
  }),
);
export type ContinuationPrompt = Readonly<z.infer<ReturnType<typeof continuationPromptSchema>>>;

/** gentle: the first nudge. escalated: from the second one without a closed item. skip: the item was named twice in vain. */
export const nudgeStrengths = ['gentle', 'escalated', 'skip'] as const;
export type NudgeStrength = (typeof nudgeStrengths)[number];
