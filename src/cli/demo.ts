import { join } from 'node:path';
import { compose } from '../compose.ts';
import { defaultOptions, type Options } from '../config/options.ts';
import { settingKeys } from '../config/setting-value.ts';
import { type Settings, settings } from '../config/settings.ts';
import { runOneShot } from '../headless/run.ts';
import { writeFileAtomically } from '../lib/atomic-file.ts';
import { systemClock } from '../lib/clock.ts';
import { createThrowawayFolder } from '../lib/throwaway-folder.ts';
import { demoFiles, runDemo } from '../subcommands/demo.ts';
import { writeError, writeOut } from './exit.ts';

/** The user's own settings do not count here: every key is given as a flag, at its default but for the three that make the demo. */
function demoOptions(folder: string, debug: boolean): Options {
  const defaults = Object.fromEntries(settingKeys.map((key) => [key, settings[key].default])) as unknown as Settings; // one value for every key
  const flags = { ...defaults, provider: 'builtin', model: 'checklist-lazy', 'approval-mode': 'yolo' } as const;
  const flagNames = Object.fromEntries(settingKeys.map((key) => [key, 'demo']));
  return { ...defaultOptions, flags, flagNames, print: true, saveSession: false, cd: folder, debug };
}

/** `tilldone demo`. Resolves with the exit code; the folder is gone by then, unless it was to be kept. */
export async function demo(call: {
  keep: boolean;
  options: Options;
  started: number;
  signal: AbortSignal;
  hurry: AbortSignal;
}): Promise<number> {
  const folder = createThrowawayFolder('tilldone-demo');
  try {
    for (const [name, text] of Object.entries(demoFiles)) {
      await writeFileAtomically(join(folder.path, name), text, { tempName: `.${name}.tmp` });
    }
    const composition = await compose({ options: demoOptions(folder.path, call.options.debug), interactive: false });
    for (const line of composition.banner) writeError(line);
    const session = await composition.openSession({ kind: 'new' });
    try {
      return await runDemo({
        session,
        folder: folder.path,
        keep: call.keep,
        write: writeOut,
        run: (prompt) =>
          runOneShot({
            session,
            prompt,
            format: 'text',
            includePartial: false,
            exitZeroUnfinished: false,
            // the demo shows the same events in its own words
            write: async () => {},
            warn: () => {},
            started: call.started,
            clock: systemClock,
            signal: call.signal,
            hurry: call.hurry,
          }),
      });
    } finally {
      await session.close();
    }
  } finally {
    if (!call.keep) await folder.remove();
  }
}
