import * as z from 'zod';

/** Who holds a lock. `since` tells a process from a later one with the same number, where the system knows it. */
export const lockOwnerSchema = z.object({ pid: z.number().int(), since: z.string().optional(), host: z.string() });
export type LockOwner = Readonly<z.infer<typeof lockOwnerSchema>>;

/** This process, and whether another one runs; passed in, because only `lib/process` may ask the system. */
export type ProcessTable = {
  readonly pid: number;
  isRunning(pid: number): boolean;
};

/** Reads a lock file's text; undefined when it is damaged or was not finished. */
export function parseLockOwner(text: string): LockOwner | undefined {
  try {
    return lockOwnerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
