import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Lines that a person typed, oldest first, kept from call to call. A file that cannot be read or written costs the history, nothing else. */
export type HistoryFile = { load(): Promise<readonly string[]>; append(line: string): void };

const maxLines = 1000;

/** One JSON string a line, so that a prompt of several lines stays one; mode 0600. */
export function createHistoryFile(path: string): HistoryFile {
  let writes: Promise<unknown> = Promise.resolve();
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text
        .split('\n')
        .slice(-maxLines - 1)
        .flatMap(readLine);
    },
    append(line) {
      writes = writes
        .then(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }))
        .then(() => appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 }))
        .catch(() => {});
    },
  };
}

function readLine(line: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'string' ? [parsed] : [];
  } catch {
    return [];
  }
}
