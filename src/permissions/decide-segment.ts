import { resolve } from 'node:path';
import { isInside, isProtectedPath, isSecretLike } from '../lib/paths.ts';
import type { JudgeContext } from './decide.ts';
import { matchingAllowRules } from './match-rules.ts';
import { readOnlyPaths } from './read-only.ts';
import { frees, parseRule, whyNot } from './rules.ts';
import type { ParsedCommand, ShellSegment } from './shell-grammar.ts';
import { destructiveCommands, fileCommands, launchers, unruledBuiltins, wrappers } from './shell-words.ts';

export type SegmentJudgement = {
  readonly join: ShellSegment['join'];
  readonly words: readonly string[];
  readonly redirects: readonly string[];
  /** What makes it automatic: `read-only` or the text of a rule; absent when it is not. */
  readonly allowedBy?: string;
  readonly why: string;
  readonly offer: readonly string[];
  readonly bySession: boolean;
};

/** Judges each simple command of an understood line by the read-only set and the allow rules. */
export function judgeSegments(
  parsed: Extract<ParsedCommand, { kind: 'understood' }>,
  cwd: string,
  context: JudgeContext,
): SegmentJudgement[] {
  const folders = new Set([cwd]);
  return parsed.segments.map((segment) => {
    const words = textsOf(segment);
    const judged = judgeSegment(words, [...folders], context);
    moveTo(words, folders);
    return { join: segment.join, words, redirects: segment.redirects, ...judged };
  });
}

type Judged = Pick<SegmentJudgement, 'allowedBy' | 'why' | 'offer' | 'bySession'>;

function judgeSegment(words: readonly string[], folders: readonly string[], context: JudgeContext): Judged {
  const [head = ''] = words;
  const refused = (why: string, offer: readonly string[]): Judged => ({ why, offer, bySession: false });
  const reads = readOnlyPaths(words);
  const readProblem = reads && everyPath(reads, folders, (path) => readProblemOf(path, context));
  if (reads && readProblem === undefined) return { allowedBy: 'read-only', why: 'it is of the read-only set', offer: [], bySession: false };

  let nearly: string | undefined;
  for (const { rule, frees: isFree, literal } of matchingAllowRules(context.rules.allow, words)) {
    const problem = isFree ? argumentProblem(words, literal, folders, context) : whyNot(head);
    if (problem === undefined)
      return { allowedBy: rule.text, why: `the rule ${rule.text} allows it`, offer: [], bySession: rule.source === 'session' };
    nearly ??= problem;
  }
  if (unruledBuiltins.has(head)) return refused(whyNot(head), []);
  const exact = offerExactly(words);
  if (readProblem !== undefined) return refused(readProblem, exact);
  if (nearly !== undefined) return refused(nearly, exact);
  return refused(`no rule allows '${shorten(words.join(' '))}'`, offerFor(words, folders, context) ?? exact);
}

function readProblemOf(path: string, context: JudgeContext): string | undefined {
  const real = context.realPaths?.get(path) ?? path;
  if (isSecretLike(real, context.workspace) || isSecretLike(path, context.workspace)) return `it reads ${path}, which may hold secrets`;
  return isInWorkspace(real, context) ? undefined : `it reads ${path}, which is outside the workspace`;
}

const riskyFlags: Readonly<Record<string, readonly string[]>> = {
  git: ['--output', '--upload-pack', '--receive-pack', '--exec', '--open-files-in-pager', '--ext-diff', '--config-env', '-O'],
  tar: [
    '--to-command',
    '--use-compress-program',
    '--checkpoint-action',
    '--rsh-command',
    '--info-script',
    '--new-volume-script',
    '-I',
    '-F',
  ],
  sort: ['--output', '--compress-program', '-o'],
  find: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fls', '-fprint', '-fprint0', '-fprintf'],
  tree: ['-o', '--output'],
  date: ['-s', '--set'],
  lsof: ['-D'],
  rg: ['--pre', '--hostname-bin'],
  fd: ['--exec', '--exec-batch', '-x', '-X'],
};

/** What in the words of a command asks in spite of an allow rule, unless the rule spells that very word. */
function argumentProblem(
  words: readonly string[],
  literal: ReadonlySet<string>,
  folders: readonly string[],
  context: JudgeContext,
): string | undefined {
  const [head = '', ...rest] = words;
  if (
    (head === 'printf' && rest.some((word) => word.startsWith('-v'))) ||
    (head === 'test' && rest.some((word) => word === '-v' || word === '-R'))
  ) {
    return `'${head} -v' evaluates its argument`;
  }
  if (head === 'cd') {
    const [target, ...more] = rest;
    if (target === undefined || target.startsWith('-') || more.length > 0) return `where '${shorten(words.join(' '))}' leads is not known`;
    return everyPath([target], folders, (path) =>
      isInWorkspace(context.realPaths?.get(path) ?? path, context) ? undefined : `it leaves the workspace for ${path}`,
    );
  }
  const risky = rest.find((word) => !literal.has(word) && (riskyFlags[head] ?? []).some((flag) => isFlag(word, flag)));
  if (risky !== undefined) return `'${head} ${shorten(risky)}' can run a program or write a file`;
  const pieces = rest.filter((word) => !literal.has(word)).flatMap((word) => [word, ...word.split(/[=,:@]/u)]);
  return everyPath(pieces, folders, (path) => {
    if (isProtectedPath(path, context.workspace)) return `it names the protected path ${path}`;
    if (isSecretLike(path, context.workspace)) return `it names ${path}, which may hold secrets`;
    if (!fileCommands.has(head)) return undefined;
    const real = context.realPaths?.get(path) ?? path;
    if (isProtectedPath(real, context.workspace)) return `it names the protected path ${real}`;
    return isInWorkspace(real, context) ? undefined : `it names ${path}, which is outside the workspace`;
  });
}

/** Whether a word is a flag, with its value attached or abbreviated as far as programs take it. */
function isFlag(word: string, flag: string): boolean {
  if (word === flag) return true;
  if (!flag.startsWith('--')) return flag.length === 2 && word.startsWith(flag);
  const name = word.split('=')[0] ?? word;
  return name.length >= 4 && flag.startsWith(name);
}

function everyPath(
  paths: readonly string[],
  folders: readonly string[],
  problemOf: (path: string) => string | undefined,
): string | undefined {
  for (const path of paths) {
    if (path === '' || path === '/dev/null') continue;
    for (const folder of folders) {
      const problem = problemOf(resolve(folder, path));
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function isInWorkspace(path: string, context: JudgeContext): boolean {
  return [context.workspace, ...context.extraDirs].some((folder) => isInside(path, folder));
}

const maxFolders = 16;

/** Adds where a `cd` may lead to the folders that later words may start from; whether it runs is not known. */
export function moveTo(words: readonly string[], folders: Set<string>): void {
  const target = words[0] === 'cd' ? words[1] : undefined;
  if (target === undefined) return;
  for (const folder of [...folders]) if (folders.size < maxFolders) folders.add(resolve(folder, target));
}

function offerFor(words: readonly string[], folders: readonly string[], context: JudgeContext): readonly string[] | undefined {
  const [head = '', first] = words;
  if (wrappers.has(head) || destructiveCommands.has(head)) return undefined;
  const plain = first !== undefined && /^[A-Za-z0-9][\w./:@-]*$/u.test(first);
  const text = launchers.has(head) ? (plain ? `shell(${head} ${first} *)` : undefined) : `shell(${head} *)`;
  if (text === undefined) return undefined;
  const parsed = parseRule(text, 'allow', 'session');
  if ('error' in parsed || parsed.rule.match.kind !== 'shell' || !frees(parsed.rule.match)) return undefined;
  return argumentProblem(words, new Set(parsed.rule.match.words), folders, context) === undefined ? [text] : undefined;
}

function offerExactly(words: readonly string[]): readonly string[] {
  if (words.some((word) => /[*?]/u.test(word) || (word.includes("'") && word.includes('"')))) return [];
  const text = words.map((word) => (/^[^\s'"]+$/u.test(word) ? word : word.includes("'") ? `"${word}"` : `'${word}'`)).join(' ');
  return text.length > 200 ? [] : [`shell(${text})`];
}

/** The words of a segment, quotes removed. */
export function textsOf(segment: ShellSegment): readonly string[] {
  return segment.words.map((word) => word.text);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
