import { join } from 'node:path';
import { type Composition, compose, openPlace, type Place, type SessionRequest } from '../compose.ts';
import type { Options } from '../config/options.ts';
import type { EarlyLine } from '../early-line.ts';
import { editText } from '../lib/edit-text.ts';
import { createHistoryFile } from '../lib/history-file.ts';
import { listPaths } from '../lib/list-paths.ts';
import { version } from '../lib/version.ts';
import { workspaceKey } from '../session/location.ts';
import { UsageError } from '../types/errors.ts';
import { writeError } from './exit.ts';

/** The chat on a terminal. Resolves with the exit code once the user has quit. What the early line caught goes to the editor, and nowhere else. */
export async function chat(options: Options, early: EarlyLine | undefined): Promise<number> {
  let line = early;
  /** Keys typed early answer no question. */
  const dropLine = (): void => {
    line?.drop();
    line = undefined;
  };
  // the screen loads while the settings are read
  const screen = import('../ui/start.tsx');
  const place = await decideTrust(await openPlace(options), dropLine);
  if (place === undefined) return 0;
  const composed = await compose({ options, interactive: true, place });
  const composition = (await connected(composed, { place, dropLine })) ? await compose({ options, interactive: true, place }) : composed;
  const { cwd } = composition;
  const session = await composition.openSession(requestOf(options));
  const { startUi } = await screen;
  const editor = process.env.VISUAL ?? process.env.EDITOR ?? 'vi';
  return startUi({
    session,
    openSession(from) {
      if (from === 'empty') return composition.openSession({ kind: 'new' });
      return composition.openSession('resume' in from ? { kind: 'resume', id: from.resume } : { kind: 'fork', id: from.fork });
    },
    listSessions: async () => (await composition.listSessions()).map(({ name, ...summary }) => ({ ...summary, name })),
    firstPrompt: options.session.kind === 'pick' ? '/resume' : options.prompt,
    banner: composition.banner,
    history: createHistoryFile(join(place.folders.state, 'history', `${workspaceKey(cwd)}.jsonl`)),
    earlyKeys: line?.take() ?? '',
    version,
    screenReader: options.screenReader,
    theme: composition.config.settings.theme,
    listPaths: (fragment) => listPaths(cwd, fragment),
    editText: (text) => editText(text, { editor, env: process.env }),
  });
}

/** Asks before anything of an unknown folder is read or run; undefined when the user would rather leave. */
async function decideTrust(place: Place, dropLine: () => void): Promise<Place | undefined> {
  if (place.trusted) return place;
  dropLine();
  const { askChoice } = await import('../ui/choice-prompt.ts');
  const choice = await askChoice(await place.question());
  if (choice === 'quit') return undefined;
  if (choice === 'restricted') return place;
  const problem = await place.remember();
  if (problem !== undefined) writeError(problem);
  return { ...place, trusted: true };
}

/** At the first start without a model: whether one was connected. */
async function connected({ config, provider }: Composition, { place, dropLine }: { place: Place; dropLine: () => void }): Promise<boolean> {
  if (provider.kind !== 'builtin' || config.settings.provider !== null || config.settings.model !== null) return false;
  const { offerConnection } = await import('./first-start.ts');
  return offerConnection(place.folders, dropLine);
}

function requestOf({ session }: Options): SessionRequest {
  if (session.kind !== 'pick') return session;
  if (session.fork) throw new UsageError('--fork needs a session: -r ID --fork. tilldone sessions lists them.');
  return { kind: 'new' };
}
