import { writeFile } from 'node:fs/promises';

/** Writes a file that the user named on the command line, as a shell's `>` would: links and devices are kept. Throws when it cannot. */
export async function writeOutputFile(path: string, text: string): Promise<void> {
  await writeFile(path, text);
}
