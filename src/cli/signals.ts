import { systemClock } from '../lib/clock.ts';
import { deadlineMs, exitWith } from './exit.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Caught = keyof typeof exitCodes;

/** From the second signal to the end of the process, whatever still runs, in ms: time for the one result, and for nothing else. */
const lastWordsMs = 500;

export type Catchers = {
  /** At the first signal, with its exit code: work is to stop in good order, within the deadline. */
  stop(exitCode: number): void;
  /** At the second one: what is to be said is to be said now. */
  hurry(): void;
};

/** A third signal ends the process at once. Returns what gives the signals back. */
export function catchSignals({ stop, hurry }: Catchers): () => void {
  let caught = 0;
  let code = 0;
  const onSignal = (signal: Caught): void => {
    caught += 1;
    if (caught === 1) {
      code = exitCodes[signal];
      stop(code);
      void systemClock.sleep(deadlineMs).then(() => exitWith(code));
    } else if (caught === 2) {
      hurry();
      void systemClock.sleep(lastWordsMs).then(() => exitWith(code));
    } else void exitWith(code);
  };
  const signals = Object.keys(exitCodes) as Caught[]; // the table's own keys
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
