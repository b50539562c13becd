/** Time, chance and names, passed in so that tests own them. */
export type Clock = {
  /** Ms since the epoch. */
  now(): number;
  /** Calls `act` once `delayMs` have passed, unless the function that it returns was called before. */
  after(delayMs: number, act: () => void): () => void;
  /** Resolves after `delayMs`, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Unique, sortable by time of creation, safe as a file name. */
  newId(): string;
};

const after: Clock['after'] = (delayMs, act) => {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
};

/** The sleep of a clock, by its timer. */
export function sleepBy(timer: Clock['after']): Clock['sleep'] {
  return (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = timer(delayMs, done);
      signal?.addEventListener('abort', done, { once: true });
    });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after,
  sleep: sleepBy(after),
  random: () => Math.random(),
  // unique, not secret: for that alone node:crypto would cost every start 3 ms
  newId: () =>
    `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 40)
      .toString(16)
      .padStart(10, '0')}`,
};
