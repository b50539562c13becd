/** Time, chance and names, passed in so that tests own them. */
export type Clock = {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves after `delayMs`, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Unique, sortable by time of creation, safe as a file name. */
  newId(): string;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener('abort', done, { once: true });
    }),
  random: () => Math.random(),
  // asked for by name, so that a first frame does not wait for it
  newId: () => `${Date.now().toString(36)}-${process.getBuiltinModule('node:crypto').randomBytes(5).toString('hex')}`,
};
