/** Stdout as a queue: texts leave in order, each when the one before has drained. */
export type Output = {
  put(text: string): void;
  /** Resolves when everything has left, or stdout is closed. */
  drained(): Promise<void>;
};

/** `onClosed` is called once, when a write fails; after that nothing is written any more. */
export function createOutput(write: (text: string) => Promise<void>, onClosed: () => void): Output {
  let closed = false;
  let chain = Promise.resolve();
  return {
    put(text) {
      chain = chain.then(async () => {
        if (closed) return;
        try {
          await write(text);
        } catch {
          closed = true;
          onClosed();
        }
      });
    },
    drained: () => chain,
  };
}
