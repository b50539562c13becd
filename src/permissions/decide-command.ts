import { resolve } from 'node:path';
import { isProtectedPath } from '../lib/paths.ts';
import { findCatastrophe } from './catastrophic.ts';
import { type CommandScan, scanCommand } from './command-scan.ts';
import type { JudgeContext, Judgement } from './decide.ts';
import { judgeSegments, moveTo, type SegmentJudgement, textsOf } from './decide-segment.ts';
import { findTighteningPathRule, findTighteningShellRule } from './match-rules.ts';
import { readOnlyPaths } from './read-only.ts';
import type { Rule } from './rules.ts';
import { type ParsedCommand, parseCommand } from './shell-grammar.ts';
import { fileCommands } from './shell-words.ts';

/** A judgement with what it was made from. */
export type CommandJudgement = Judgement & {
  /** Empty when the grammar does not understand the command. */
  readonly segments: readonly SegmentJudgement[];
  readonly unclear?: string;
  /** Command words that the over-approximating scan found. */
  readonly commands: readonly string[];
};

/** Judges one command line: catastrophic set, deny rules, ask rules, then the grammar with the read-only set and the allow rules, then the mode. */
export function decideCommand(command: string, cwd: string, context: JudgeContext): CommandJudgement {
  const scan = scanCommand(command);
  const parsed = parseCommand(command);
  const segments = parsed.kind === 'understood' ? judgeSegments(parsed, cwd, context) : [];
  const base = {
    segments,
    ...(parsed.kind === 'unclear' ? { unclear: parsed.reason } : {}),
    commands: [...new Set(scan.commands.filter((found) => found.at === 0).map((found) => found.name))],
  };
  return { ...base, ...decide(command, scan, parsed, segments, cwd, context) };
}

/** Whether the whole command is understood and of the built-in read-only set. */
export function isReadOnlyCommand(command: string): boolean {
  const parsed = parseCommand(command);
  return parsed.kind === 'understood' && parsed.segments.every((segment) => readOnlyPaths(textsOf(segment)) !== undefined);
}

/** Absolute paths that a command of the read-only set will read, as far as it is one: links in them matter. */
export function pathsToResolve(command: string, cwd: string): readonly string[] {
  const parsed = parseCommand(command);
  if (parsed.kind !== 'understood') return [];
  const folders = new Set([cwd]);
  return parsed.segments.flatMap((segment) => {
    const words = textsOf(segment);
    const paths = [...folders].flatMap((folder) =>
      (readOnlyPaths(words) ?? (fileCommands.has(words[0] ?? '') ? words.slice(1) : [])).map((path) => resolve(folder, path)),
    );
    moveTo(words, folders);
    return paths;
  });
}

function decide(
  command: string,
  scan: CommandScan,
  parsed: ParsedCommand,
  segments: readonly SegmentJudgement[],
  cwd: string,
  context: JudgeContext,
): Judgement {
  const { mode, rules } = context;
  const isReadOnly = parsed.kind === 'understood' && segments.every((segment) => segment.allowedBy === 'read-only');
  const folders = possibleFolders(scan, cwd, context.home);
  const planRefusal: Judgement = { verdict: 'deny', by: 'mode', reason: 'Plan mode runs only commands of the read-only set.', offer: [] };

  const catastrophe = findCatastrophe(scan, command, { workspace: context.workspace, home: context.home, folders });
  if (catastrophe?.level === 'refuse')
    return { verdict: 'deny', by: 'safety', reason: `Refused in every mode: ${catastrophe.reason}.`, offer: [] };
  const denied = findTightening(rules.deny, scan, folders, context);
  if (denied) return { verdict: 'deny', by: 'rule', reason: `Denied by the rule ${denied.text} (${denied.source}).`, offer: [] };
  if (catastrophe)
    return mode === 'plan'
      ? planRefusal
      : { verdict: 'ask', by: 'safety', reason: `Asked in every mode: ${catastrophe.reason}.`, offer: [] };
  const asked = findTightening(rules.ask, scan, folders, context);
  if (asked)
    return mode === 'plan' && !isReadOnly
      ? planRefusal
      : { verdict: 'ask', by: 'rule', reason: `Asked by the rule ${asked.text} (${asked.source}).`, offer: [] };

  if (mode === 'plan' && !isReadOnly) {
    return parsed.kind === 'unclear' ? { ...planRefusal, reason: `${planRefusal.reason} Here ${parsed.reason}.` } : planRefusal;
  }
  if (parsed.kind === 'understood' && segments.every((segment) => segment.allowedBy !== undefined)) {
    if (isReadOnly) return { verdict: 'allow', by: 'mode', reason: 'Every part is of the read-only set.', offer: [] };
    const names = [...new Set(segments.map((segment) => segment.allowedBy))].join(', ');
    return {
      verdict: 'allow',
      by: segments.some((segment) => segment.bySession) ? 'session' : 'rule',
      reason: `Allowed by ${names}.`,
      offer: [],
    };
  }
  if (mode === 'yolo') return decideYolo(scan, folders, context);
  const noSandbox = context.sandboxed ? '' : ' There is no sandbox.';
  if (parsed.kind === 'unclear')
    return { verdict: 'ask', by: 'mode', reason: `The shell grammar does not cover it: ${parsed.reason}.${noSandbox}`, offer: [] };
  const open = segments.filter((segment) => segment.allowedBy === undefined);
  const offer = open.every((segment) => segment.offer.length > 0) ? [...new Set(open.flatMap((segment) => segment.offer))] : [];
  return { verdict: 'ask', by: 'mode', reason: `${[...new Set(open.map((segment) => segment.why))].join('; ')}.${noSandbox}`, offer };
}

function decideYolo(scan: CommandScan, folders: readonly string[], context: JudgeContext): Judgement {
  const written = writtenPaths(scan, folders).find((path) => isProtectedPath(path, context.workspace));
  if (written !== undefined) return { verdict: 'ask', by: 'safety', reason: `It may write the protected path ${written}.`, offer: [] };
  const tightening = [...context.rules.deny, ...context.rules.ask].find((rule) => rule.match.kind === 'shell');
  if (scan.hasUnknown && tightening) {
    return {
      verdict: 'ask',
      by: 'rule',
      reason: `Which command runs is only known at run time, and the rule ${tightening.text} forbids some.`,
      offer: [],
    };
  }
  return {
    verdict: 'allow',
    by: 'mode',
    reason: `Mode yolo runs commands without asking${context.sandboxed ? '' : ', and there is no sandbox'}.`,
    offer: [],
  };
}

function possibleFolders(scan: CommandScan, cwd: string, home: string): readonly string[] {
  const folders = new Set([cwd]);
  for (const { words } of scan.segments) {
    if (words[0] !== 'cd' && words[0] !== 'pushd') continue;
    const target = words.slice(1).find((word) => !word.startsWith('-')) ?? '~';
    moveTo(['cd', target.replace(/^(?:~|\$HOME)(?=\/|$)/u, home)], folders);
  }
  return [...folders];
}

function findTightening(rules: readonly Rule[], scan: CommandScan, folders: readonly string[], context: JudgeContext): Rule | undefined {
  const shell = findTighteningShellRule(rules, scan);
  if (shell) return shell;
  if (!rules.some(({ match }) => match.kind === 'read' || match.kind === 'edit')) return undefined;
  const named = scan.segments.flatMap((segment) => [...segment.words.slice(1), ...segment.redirects.map(({ target }) => target)]);
  const find = (kind: 'read' | 'edit', paths: readonly string[]): Rule | undefined => {
    for (const path of paths) {
      const rule = findTighteningPathRule(rules, kind, context.realPaths?.get(path) ?? path, context);
      if (rule) return rule;
    }
    return undefined;
  };
  return find('read', absolutePaths(named, folders)) ?? find('edit', writtenPaths(scan, folders));
}

/** Paths that file commands, `tee` and redirections may write. */
function writtenPaths(scan: CommandScan, folders: readonly string[]): readonly string[] {
  const named = scan.commands.flatMap((found) =>
    fileCommands.has(found.name) || found.name === 'tee' ? found.words.slice(found.at + 1) : [],
  );
  const redirected = scan.segments.flatMap((segment) =>
    segment.redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target),
  );
  return absolutePaths([...named, ...redirected], folders);
}

function absolutePaths(words: readonly string[], folders: readonly string[]): readonly string[] {
  return words.filter((word) => word !== '' && !word.startsWith('-')).flatMap((word) => folders.map((folder) => resolve(folder, word)));
}
