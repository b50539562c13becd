import { isatty } from 'node:tty';
import { systemClock } from '../lib/clock.ts';
import { readPlainInput } from '../lib/plain-input.ts';
import { UsageError } from '../types/errors.ts';

/** More than this on stdin is no prompt, in characters. */
const maxChars = 10 * 1024 * 1024;
/** How long a call that has its prompt already waits for the first byte of a pipe, in ms. */
const patienceMs = 3000;

/**
 * Everything piped in; empty for a terminal. With `optional`, a pipe on which nothing arrives at all is left after three seconds, for many
 * starters hand their children a pipe that never ends.
 */
export async function readStdin(options: { optional: boolean; warn(text: string): void }): Promise<string> {
  const plain = readPlainInput(4 * maxChars);
  if (plain === 'too-large') throw tooLarge();
  if (plain !== undefined) return checked(plain.text);
  if (isatty(0)) return '';
  const { stdin } = process;
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let text = '';
    const arrived = new AbortController();
    const settle = (end: () => void): void => {
      arrived.abort();
      stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
      stdin.pause();
      end();
    };
    const onData = (chunk: string): void => {
      arrived.abort();
      text += chunk;
      if (text.length > maxChars) settle(() => reject(tooLarge()));
    };
    const onEnd = (): void => settle(() => resolve(checked(text)));
    if (options.optional) {
      void systemClock.sleep(patienceMs, arrived.signal).then(() => {
        if (arrived.signal.aborted) return;
        options.warn('Nothing came on stdin for 3 s, going on without it. (< /dev/null avoids the wait.)');
        settle(() => resolve(''));
      });
    }
    stdin.on('data', onData).on('end', onEnd).on('error', onEnd);
  });
}

function checked(text: string): string {
  if (text.length > maxChars) throw tooLarge();
  return text.replace(/^\uFEFF/u, '');
}

function tooLarge(): UsageError {
  return new UsageError('stdin is larger than 10 MiB; give a file with @path instead.', 42);
}

/** The prompt of a one-shot call: what was typed, with what was piped in as a labelled block below it. */
export function joinPrompt(typed: string | undefined, piped: string): string {
  if (piped.trim() === '') return typed ?? '';
  if (typed === undefined) return piped;
  return `${typed}\n\n<stdin>\n${piped.trimEnd()}\n</stdin>`;
}
