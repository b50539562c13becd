import { join } from 'node:path';
import { type Composition, compose, openPlace, type Place } from '../compose.ts';
import type { Options } from '../config/options.ts';
import type { Session } from '../continuation/session.ts';
import type { HistoryFile } from '../lib/history-file.ts';
import { listPaths } from '../lib/list-paths.ts';
import { version } from '../lib/version.ts';
import type { SessionRequest } from '../open-session.ts';
import { UsageError } from '../types/errors.ts';
import { writeError } from './exit.ts';
import type { Start } from './main.ts';

/** The chat on a terminal. Resolves with the exit code once the user has quit. What the early line caught goes to the editor, and nowhere else. */
export async function chat(options: Options, { early, onShown }: Start): Promise<number> {
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
  const { cwd, provider } = composition;
  const request = requestOf(options);
  const open = (): Promise<Session> => composition.openSession(request);
  // a session that goes on may have a model of its own
  const resumed = request.kind === 'new' ? undefined : await open();
  const { id, model, offline } = resumed === undefined ? provider : modelOf(resumed);
  const { startUi } = await screen;
  const editor = process.env.VISUAL ?? process.env.EDITOR ?? 'vi';
  return startUi({
    cwd,
    model: offline ? `${model} (offline)` : `${id}/${model}`,
    offline,
    onShown,
    open: resumed === undefined ? open : async () => resumed,
    openSession(from) {
      if (from === 'empty') return composition.openSession({ kind: 'new' });
      return composition.openSession('resume' in from ? { kind: 'resume', id: from.resume } : { kind: 'fork', id: from.fork });
    },
    listSessions: async () => (await composition.listSessions()).map(({ name, ...summary }) => ({ ...summary, name })),
    firstPrompt: options.session.kind === 'pick' ? '/resume' : options.prompt,
    banner: composition.banner,
    openHistory: () => openHistory(place),
    earlyKeys: line?.take() ?? '',
    version,
    screenReader: options.screenReader,
    theme: composition.config.settings.theme,
    listPaths: (fragment) => listPaths(cwd, fragment),
    editText: async (text) => (await import('../lib/edit-text.ts')).editText(text, { editor, env: process.env }),
  });
}

async function openHistory({ folders, cwd }: Place): Promise<HistoryFile> {
  const [{ createHistoryFile }, { workspaceKey }] = await Promise.all([import('../lib/history-file.ts'), import('../session/location.ts')]);
  return createHistoryFile(join(folders.state, 'history', `${workspaceKey(cwd)}.jsonl`));
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

function modelOf(session: Session): { readonly id: string; readonly model: string; readonly offline: boolean } {
  const { provider: id, model, offline } = session.model.current();
  return { id, model, offline };
}

function requestOf({ session }: Options): SessionRequest {
  if (session.kind !== 'pick') return session;
  if (session.fork) throw new UsageError('--fork needs a session: -r ID --fork. tilldone sessions lists them.');
  return { kind: 'new' };
}
