import { homedir } from 'node:os';
import { join } from 'node:path';
import { appFolders } from '../config/folders.ts';
import { writeFileAtomically } from '../lib/atomic-file.ts';
import { systemClock } from '../lib/clock.ts';
import { restoreTerminal } from '../lib/terminal.ts';
import { version } from '../lib/version.ts';
import { messageOf } from '../types/errors.ts';
import { deadlineMs, exitWith, writeError } from './exit.ts';

/** Gives the terminal back, keeps what is known about the fault in a file, and says so. Resolves with the exit code, 70. */
export async function reportCrash(error: unknown): Promise<70> {
  restoreTerminal();
  const path = await writeCrashFile(error).catch(() => undefined);
  const where = path === undefined ? '' : ` Details: ${path}`;
  writeError(`tilldone: internal error: ${messageOf(error).split('\n')[0]}.${where}`);
  return 70;
}

async function writeCrashFile(error: unknown): Promise<string> {
  const { state } = appFolders({ env: process.env, home: homedir(), platform: process.platform });
  const id = systemClock.newId();
  const path = join(state, 'crashes', `${id}.txt`);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const place = `tilldone ${version}, node ${process.version}, ${process.platform} ${process.arch}`;
  await writeFileAtomically(path, `${place}\n${new Date(systemClock.now()).toISOString()}\n\n${stack}\n`, {
    tempName: `.${id}.tmp`,
    mode: 0o600,
  });
  return path;
}

/** What nobody caught ends the process with 70: by `onCrash` when that is set, else at once. */
export function guardAgainstCrashes(): { onCrash: ((error: unknown) => void) | undefined } {
  const guard: { onCrash: ((error: unknown) => void) | undefined } = { onCrash: undefined };
  let crashed = false;
  const crash = (error: unknown): void => {
    if (crashed) return;
    crashed = true;
    void reportCrash(error).then(async (code) => {
      if (guard.onCrash === undefined) await exitWith(code);
      else {
        guard.onCrash(error);
        await systemClock.sleep(deadlineMs);
        await exitWith(code);
      }
    });
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return guard;
}
