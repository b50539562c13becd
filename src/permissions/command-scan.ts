import { type LooseSegment, readLoosely } from './loose-shell.ts';
import { dataCommands, interpreters, wrappers } from './shell-words.ts';

/** A word that may be run as a command, wherever it stands, with the words after it. */
export type ScannedCommand = {
  /** Last part of the path, in lower case. */
  readonly name: string;
  readonly words: readonly string[];
  /** Where the command word stands in `words`. */
  readonly at: number;
  /** The word is made at run time (`$x`, a pattern), so it may be any command. */
  readonly unknown: boolean;
  /** Its arguments may come from elsewhere (`xargs`). */
  readonly fed: boolean;
};

export type CommandScan = {
  readonly commands: readonly ScannedCommand[];
  readonly segments: readonly LooseSegment[];
  /** Some command word is made at run time. */
  readonly hasUnknown: boolean;
};

const messageCommands = new Set(['commit', 'tag', 'merge', 'notes', 'stash']);

/**
 * Every word of a command line that could be run as a command: behind wrappers, inside substitutions, and in quoted text that some
 * program might run. Over-approximating: it finds too many rather than too few. No size limit; near-linear.
 */
export function scanCommand(command: string): CommandScan {
  const commands: ScannedCommand[] = [];
  const segments: LooseSegment[] = [];
  const seen = new Set<string>();
  // an empty $IFS-separated word list is a way to write spaces
  let pending = [command.replace(/\$(?:IFS\b|\{IFS\b[^}\s]{0,20}\})/gu, ' ')];
  let feeds = false;
  while (pending.length > 0) {
    const found = pending.flatMap((text) => readLoosely(text));
    feeds ||= found.some(runsText);
    const inner: string[] = [];
    for (const segment of found) {
      segments.push(segment);
      const { heads, texts } = candidates(segment, feeds);
      commands.push(...heads);
      for (const text of texts) {
        if (seen.has(text)) continue;
        seen.add(text);
        inner.push(text);
      }
    }
    pending = inner;
  }
  return { commands, segments, hasUnknown: commands.some((found) => found.unknown) };
}

/** Name that a command word runs under: last part of its path, in lower case. */
export function commandName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}

/** Whether a segment hands text to something that runs it. */
function runsText(segment: LooseSegment): boolean {
  const [head = '', ...rest] = segment.words;
  if (interpreters.has(commandName(head))) return true;
  if (dataCommands.has(commandName(head))) return false;
  return rest.some((word) => interpreters.has(commandName(word)));
}

function candidates(segment: LooseSegment, feeds: boolean): { heads: ScannedCommand[]; texts: string[] } {
  const { words } = segment;
  const head = commandName(words[0] ?? '');
  const isData = dataCommands.has(head) && !feeds;
  const skipped = head === 'git' && !feeds ? messageWords(words) : new Set<number>();
  const heads: ScannedCommand[] = [];
  const texts: string[] = [];
  const names = new Set<string>();
  const limit = isData ? 1 : words.length;
  let fed = false;
  for (let at = 0; at < limit; at += 1) {
    const word = words[at] ?? '';
    if (skipped.has(at)) continue;
    if (/[\s;&|<>()`$"'\\]/u.test(word) && at > 0) texts.push(word);
    const value = at > 0 ? /^[^=\s]{1,64}=(.*[\s;&|<>()`$].*)$/su.exec(word)?.[1] : undefined;
    if (value !== undefined) texts.push(value);
    const name = commandName(word);
    const unknown = (at === 0 || wrappers.has(commandName(words[at - 1] ?? ''))) && /[$*?[]/u.test(word);
    // a name that was seen further left has more words behind it, so whatever holds here held there
    if (names.has(name) && !unknown) continue;
    names.add(name);
    heads.push({ name, words, at, unknown, fed });
    if (name === 'xargs' || name === 'parallel') fed = true;
  }
  return { heads, texts };
}

/** Places of words that are a message to git, such as the one of `git commit -m`. */
function messageWords(words: readonly string[]): Set<number> {
  const places = new Set<number>();
  if (!words.slice(1).some((word) => messageCommands.has(word))) return places;
  words.forEach((word, at) => {
    if (/^--message=/u.test(word)) places.add(at);
    if (/^-[a-z]*m$/u.test(word) || word === '--message') places.add(at + 1);
  });
  return places;
}
