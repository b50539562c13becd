import { exitWith } from './exit.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Caught = keyof typeof exitCodes;

/** From the first signal to the end of the process, whatever still runs, in ms. */
const deadlineMs = 4500;

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
    setTimeout(() => void exitWith(code), deadlineMs).unref();
  };
  const signals = Object.keys(exitCodes) as Caught[]; // the table's own keys
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
