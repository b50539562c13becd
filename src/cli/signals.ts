import { systemClock } from '../lib/clock.ts';
import { deadlineMs, exitWith } from './exit.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Caught = keyof typeof exitCodes;

/** `stop` is called with the exit code at the first signal; a second one, or the deadline, ends the process at once. */
export function catchSignals(stop: (exitCode: number) => void): () => void {
  let stopped = false;
  const onSignal = (signal: Caught): void => {
    const code = exitCodes[signal];
    if (stopped) {
      void exitWith(code);
      return;
    }
    stopped = true;
    stop(code);
    void systemClock.sleep(deadlineMs).then(() => exitWith(code));
  };
  const signals = Object.keys(exitCodes) as Caught[]; // the table's own keys
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
