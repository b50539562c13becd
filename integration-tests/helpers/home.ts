import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command under test; the install test points it elsewhere. */
export const binPath = fileURLToPath(new URL('../../bin/tilldone.js', import.meta.url));

/** Compiled code that every sandbox shares, as the starts of one user do. */
const codeFolder = fileURLToPath(new URL('../../node_modules/.cache/tilldone-code', import.meta.url));

/** A throwaway place: a folder to work in, and a home that nothing else shares. */
export type Sandbox = { readonly root: string; readonly cwd: string; readonly home: string; remove(): void };

/** With `firstStart` the home is as on a fresh machine: empty, so that the chat asks how to connect a model. */
export function createSandbox({ firstStart = false }: { readonly firstStart?: boolean } = {}): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tilldone-test-')));
  const cwd = join(root, 'work');
  const home = join(root, 'home');
  mkdirSync(cwd);
  mkdirSync(home);
  if (!firstStart) {
    const state = join(home, '.tilldone', 'state');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
    symlinkSync(codeFolder, join(state, 'code'));
    writeFileSync(join(state, 'first-start.json'), '{"version":1,"asked":true}\n');
  }
  return { root, cwd, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The environment of a child: nothing of ours but PATH and the like, so that no key and no setting of this machine leaks in. */
export function childEnv(home: string, extra: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const base: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    TILLDONE_HOME: `${home}/.tilldone`,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...extra,
  };
  return Object.fromEntries(Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
