import { systemClock } from '../lib/clock.ts';

/** From a signal or a crash to the end of the process, whatever still runs, in ms. */
export const deadlineMs = 4500;

/** Writes to stdout; resolves when drained, rejects when stdout is closed (EPIPE). */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** One line on stderr. A closed stderr is no reason to stop. */
export function writeError(text: string): void {
  if (process.stderr.writable) process.stderr.write(`${text}\n`);
}

/** Ends the process when everything that was written has left, or after a second when nobody reads. */
export async function exitWith(code: number): Promise<void> {
  const flush = (stream: NodeJS.WriteStream): Promise<void> =>
    new Promise((resolve) => {
      if (!stream.writable) resolve();
      else stream.write('', () => resolve());
    });
  await Promise.race([Promise.all([flush(process.stdout), flush(process.stderr)]), systemClock.sleep(1000)]);
  process.exit(code);
}

/** Without a listener, a closed pipe would crash the process; whoever writes learns of it from its own callback. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
