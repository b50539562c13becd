import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInForeground } from './process-foreground.ts';
import { createThrowawayFolder } from './throwaway-folder.ts';

/** Opens a text in the user's editor (`code --wait` and the like) and resolves with what was saved, or why not. */
export async function editText(
  text: string,
  { editor, env }: { readonly editor: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly text: string } | { readonly error: string }> {
  const folder = createThrowawayFolder('tilldone-edit');
  const path = join(folder.path, 'prompt.md');
  try {
    await writeFile(path, text, { mode: 0o600 });
    // the user's own variable: a command line, so a shell reads it; the path is an argument and is not read by the shell
    const exit = await runInForeground({ file: '/bin/sh', args: ['-c', `${editor} "$1"`, 'sh', path], cwd: folder.path, env });
    if (exit.code !== 0) return { error: `The editor '${editor}' ended with ${exit.failure ?? exit.code ?? exit.signal}` };
    return { text: (await readFile(path, 'utf8')).replace(/\n$/u, '') };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    await folder.remove();
  }
}
