import type { ProviderEvent } from './provider.ts';

export type Batches = {
  /** True for the first event of a batch. */
  push(event: ProviderEvent): boolean;
  end(): void;
  /** What was pushed, in order, until the end; for one reader. */
  events(): AsyncGenerator<ProviderEvent>;
};

/**
 * Hands events on once per turn of the event loop, neighbouring pieces of text as one: a network read brings dozens, and whoever follows has its
 * work once for all of them.
 */
export function createBatches(): Batches {
  let batch: ProviderEvent[] = [];
  let isPlanned = false;
  let isOver = false;
  let wake = (): void => undefined;
  return {
    push(event) {
      const last = batch.at(-1);
      const joined = last === undefined ? undefined : joinDeltas(last, event);
      if (joined === undefined) batch.push(event);
      else batch[batch.length - 1] = joined;
      if (isPlanned) return false;
      isPlanned = true;
      setImmediate(() => {
        isPlanned = false;
        wake();
      });
      return true;
    },
    end() {
      isOver = true;
      wake();
    },
    async *events() {
      while (!isOver || batch.length > 0) {
        // what was planned is still growing
        if (!isOver && (isPlanned || batch.length === 0)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const events = batch;
        batch = [];
        yield* events;
      }
    },
  };
}

/** Two neighbours as one piece of text, where they are one. A signature belongs to the piece that it came with. */
export function joinDeltas(last: ProviderEvent, next: ProviderEvent): ProviderEvent | undefined {
  if (last.type !== next.type || (next.type !== 'text-delta' && next.type !== 'reasoning-delta')) return undefined;
  if (last.type !== 'text-delta' && last.type !== 'reasoning-delta') return undefined;
  if (last.signature !== undefined || next.signature !== undefined) return undefined;
  return { type: next.type, text: last.text + next.text };
}
