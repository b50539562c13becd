import { isAbsolute, normalize, resolve } from 'node:path';
import { isInside } from '../lib/paths.ts';
import type { CommandScan, ScannedCommand } from './command-scan.ts';
import { commandName } from './command-scan.ts';
import { downloaders, shells } from './shell-words.ts';

export type CatastrophicContext = {
  /** Real paths. */
  readonly workspace: string;
  readonly home: string;
  /** Folders that the command may be in when it gets there. */
  readonly folders: readonly string[];
};

/** `refuse`: never, whoever asks. `ask`: a person must say yes, in yolo mode too. */
export type Catastrophe = { readonly level: 'refuse' | 'ask'; readonly reason: string };

type Check = (args: readonly string[], found: ScannedCommand, context: CatastrophicContext) => Catastrophe | undefined;

const ask = (reason: string): Catastrophe => ({ level: 'ask', reason });

const checks: Readonly<Record<string, Check>> = {
  rm: checkRemove,
  find: (args, found, context) => {
    if (!args.some((arg) => arg === '-delete' || commandName(arg) === 'rm')) return undefined;
    return checkTargets(
      'find … -delete',
      args.filter((arg) => !arg.startsWith('-')),
      found,
      context,
      { refuses: false, inWorkspace: false },
    );
  },
  chmod: checkOwnership,
  chown: checkOwnership,
  chgrp: checkOwnership,
  shred: () => ask('shred destroys files for good'),
  dd: (args) => (args.some((arg) => arg.startsWith('of=') && isDevice(arg.slice(3))) ? ask('dd writes to a device') : undefined),
  tee: (args) => (args.some(isDevice) ? ask('tee writes to a device') : undefined),
  cp: (args) => (isDevice(args.at(-1) ?? '') ? ask('cp writes to a device') : undefined),
  wipefs: () => ask('wipefs erases a file system'),
  fdisk: () => ask('fdisk changes partitions'),
  sfdisk: () => ask('sfdisk changes partitions'),
  sgdisk: () => ask('sgdisk changes partitions'),
  parted: () => ask('parted changes partitions'),
  blkdiscard: () => ask('blkdiscard erases a device'),
  mke2fs: () => ask('mke2fs makes a file system over what is there'),
  mkswap: () => ask('mkswap writes over a device'),
  git: checkGit,
  shutdown: () => ask('shutdown stops the machine'),
  reboot: () => ask('reboot restarts the machine'),
  halt: () => ask('halt stops the machine'),
  poweroff: () => ask('poweroff stops the machine'),
  init: (args) => (/^[06]$/u.test(args[0] ?? '') ? ask('init stops the machine') : undefined),
  telinit: (args) => (/^[06]$/u.test(args[0] ?? '') ? ask('telinit stops the machine') : undefined),
  systemctl: (args) =>
    args.some((arg) => /^(?:reboot|poweroff|halt|kexec|suspend|hibernate)$/u.test(arg)) ? ask('systemctl stops the machine') : undefined,
  history: (args) => (args.some((arg) => /^-[a-z]*[cdw]/u.test(arg)) ? ask('it deletes or rewrites the shell history') : undefined),
  unlink: (args) => checkRecords(args),
  truncate: (args) => checkRecords(args),
  gpg: (args) => (args.some((arg) => arg.startsWith('--delete')) ? ask('it deletes keys') : undefined),
  'ssh-add': (args) => (args.includes('-D') ? ask('it deletes keys') : undefined),
  'secret-tool': (args) => (args[0] === 'clear' ? ask('it deletes credentials') : undefined),
  security: (args) => (args.some((arg) => arg.startsWith('delete-')) ? ask('it deletes credentials') : undefined),
  kdestroy: () => ask('it deletes credentials'),
  gh: (args) => (args.includes('auth') && args.includes('logout') ? ask('it deletes credentials') : undefined),
  npm: (args) => (args.includes('logout') ? ask('it deletes credentials') : undefined),
  docker: (args) => (args.includes('logout') ? ask('it deletes credentials') : undefined),
};

/** The worst that a command line could do, if it is of the catastrophic set. */
export function findCatastrophe(scan: CommandScan, text: string, context: CatastrophicContext): Catastrophe | undefined {
  let worst: Catastrophe | undefined;
  for (const found of scan.commands) {
    const check = Object.hasOwn(checks, found.name) ? checks[found.name] : found.name.startsWith('mkfs') ? checkMakeFileSystem : undefined;
    const catastrophe = found.unknown
      ? checkRemove(found.words.slice(found.at + 1), found, context)
      : check?.(found.words.slice(found.at + 1), found, context);
    if (catastrophe?.level === 'refuse') return catastrophe;
    worst ??= catastrophe;
  }
  return worst ?? checkRedirects(scan) ?? checkDownload(scan) ?? checkForkBomb(text);
}

function checkMakeFileSystem(): Catastrophe {
  return ask('mkfs makes a file system over what is there');
}

function checkRemove(args: readonly string[], found: ScannedCommand, context: CatastrophicContext): Catastrophe | undefined {
  const records = found.unknown ? undefined : checkRecords(args);
  if (!isRecursive(args, 'rR')) return records;
  return (
    checkTargets(`${found.unknown ? 'a removal' : 'rm -r'}`, operandsOf(args), found, context, {
      refuses: !found.unknown,
      inWorkspace: true,
    }) ?? records
  );
}

function checkOwnership(args: readonly string[], found: ScannedCommand, context: CatastrophicContext): Catastrophe | undefined {
  if (!isRecursive(args, 'R')) return undefined;
  const operands = operandsOf(args);
  // the first operand is the mode or the owner, unless that was given as a flag
  const targets = args.some((arg) => /^-[rwxXstugo]+$/u.test(arg) || arg.startsWith('--ref')) ? operands : operands.slice(1);
  return checkTargets(`${found.name} -R`, targets, found, context, { refuses: false, inWorkspace: false });
}

/** `-r`, `-fr`, `--recursive` and each abbreviation of it. */
function isRecursive(args: readonly string[], letters: string): boolean {
  return args.some((arg) =>
    arg.startsWith('--')
      ? arg.length > 3 && '--recursive'.startsWith(arg)
      : arg.startsWith('-') && [...letters].some((letter) => arg.includes(letter)),
  );
}

function operandsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

function checkTargets(
  what: string,
  targets: readonly string[],
  found: ScannedCommand,
  context: CatastrophicContext,
  options: { readonly refuses: boolean /** Whether the workspace itself counts. */; readonly inWorkspace: boolean },
): Catastrophe | undefined {
  let worst: Catastrophe | undefined;
  if (targets.length === 0 && found.fed) return ask(`${what} gets its targets at run time`);
  for (const target of targets) {
    const danger = targetDanger(target, context);
    if (!danger || (danger.isWorkspace && !options.inWorkspace)) continue;
    if (danger.always && options.refuses) return { level: 'refuse', reason: `${what} of ${danger.name} ('${target}') is never run` };
    worst ??= ask(`${what} of ${danger.name} ('${target}')`);
  }
  return worst;
}

/** What a recursive command must not touch: root, home, the workspace or above it, or a place that is only known at run time. */
function targetDanger(
  target: string,
  context: CatastrophicContext,
): { readonly name: string; readonly always: boolean; readonly isWorkspace?: boolean } | undefined {
  const expanded = target
    .replace(/^~(?=\/|$)/u, context.home)
    .replace(/^\$\{?HOME\}?(?=\/|$)/u, context.home)
    .replace(/^(?:\$\{?PWD\}?|~\+)(?=\/|$)/u, '.');
  if (/^~/u.test(expanded)) return { name: "a user's home folder", always: false };
  if (expanded.includes('$')) return { name: 'a place that is only known at run time', always: false };
  const whole = expanded.replace(/\/+(?:\*|\.\*|\{\*?,?\.?\*?\})$/u, '/');
  for (const folder of context.folders) {
    const literal = whole.split('/').findIndex((segment) => /[*?[\]{}]/u.test(segment));
    const fixed = literal < 0 ? whole : whole.split('/').slice(0, literal).join('/') || (isAbsolute(whole) ? '/' : '.');
    const path = normalize(resolve(folder, fixed)).replace(/(.)\/+$/u, '$1');
    const always = literal < 0;
    const isAll = whole !== expanded;
    if (path === '/') return { name: 'the root folder', always };
    if (path === context.home) return { name: 'the home folder', always };
    if (path === context.workspace && (literal < 0 || /^\.?\*$/u.test(whole)))
      return { name: 'the workspace', always: always && !isAll, isWorkspace: true };
    if (isInside(context.workspace, path) && path !== context.workspace) return { name: 'a folder above the workspace', always };
    if (isInside(context.home, path) && path !== context.workspace) return { name: 'a folder above the home folder', always };
    if (path.split('/').length === 2 && isAbsolute(expanded) && path !== '/tmp') return { name: 'a folder of the system', always: false };
    if (/^\/(?:home|Users)\/[^/]+$/u.test(path)) return { name: "a user's home folder", always: false };
    const climbs = !isAbsolute(expanded) && !isInside(path, context.workspace);
    if (climbs) return { name: 'a folder outside the workspace', always: false };
  }
  return undefined;
}

function isDevice(path: string): boolean {
  const normal = normalize(path);
  return normal.startsWith('/dev/') && !/^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|shm\/.*|fd\/\d+|pts\/\d+)$/u.test(normal);
}

const records =
  /(?:^|\/)(?:\.[a-z]*_?history|\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.netrc|\.git-credentials|\.docker\/config\.json|\.config\/(?:gh|gcloud)|\.password-store|\.pgpass|\.npmrc|\.pypirc)(?:\/|$)/u;

function checkRecords(args: readonly string[]): Catastrophe | undefined {
  return args.some((arg) => records.test(arg)) ? ask('it deletes the shell history or credentials') : undefined;
}

function checkRedirects(scan: CommandScan): Catastrophe | undefined {
  const written = scan.segments.flatMap((segment) => segment.redirects.filter(({ operator }) => operator.includes('>')));
  if (written.some(({ target }) => isDevice(target))) return ask('it writes to a device');
  return written.some(({ target }) => /(?:^|\/)\.[a-z]*_?history$/u.test(target)) ? ask('it overwrites the shell history') : undefined;
}

/** Whether some download runs into a shell: down a pipe, or out of a substitution. */
function checkDownload(scan: CommandScan): Catastrophe | undefined {
  let downloading = false;
  let inSubstitution = false;
  let hasShell = false;
  for (const segment of scan.segments) {
    if (segment.join !== 'pipe') downloading = false;
    const names = segment.words.map(commandName);
    const runs = names.some((name) => shells.has(name)) || /^(?:eval|source|\.)$/u.test(names[0] ?? '') || runsItsInput(names);
    if (downloading && runs) return ask('it pipes a download into a shell');
    if (names.some((name) => downloaders.has(name))) {
      downloading = true;
      inSubstitution ||= segment.join === 'substitution';
    }
    hasShell ||= runs;
  }
  return inSubstitution && hasShell ? ask('it runs a download in a shell') : undefined;
}

/** An interpreter that is given no program of its own runs what it reads. */
function runsItsInput(names: readonly string[]): boolean {
  const place = names.findIndex((name) => /^(?:python[\d.]*|node|perl|ruby|php|deno|bun|osascript|pwsh)$/u.test(name));
  return place >= 0 && names.slice(place + 1).every((name) => name === '-' || name === '');
}

function checkGit(args: readonly string[]): Catastrophe | undefined {
  const has = (subcommand: string): readonly string[] | undefined => {
    const place = args.indexOf(subcommand);
    return place < 0 ? undefined : args.slice(place + 1);
  };
  const abbreviates = (arg: string, flag: string, least: number): boolean =>
    arg.length >= least && flag.startsWith(arg.split('=')[0] ?? arg);
  const push = has('push');
  if (
    push?.some(
      (arg) =>
        /^-[a-zA-Z]*f/u.test(arg) ||
        arg.startsWith('+') ||
        abbreviates(arg, '--force', 4) ||
        arg.startsWith('--force-') ||
        abbreviates(arg, '--mirror', 4),
    )
  )
    return ask('git push --force rewrites what others have');
  if (has('reset')?.some((arg) => abbreviates(arg, '--hard', 4))) return ask('git reset --hard throws away changes');
  if (has('clean')?.some((arg) => /^-[a-zA-Z]*f/u.test(arg) || abbreviates(arg, '--force', 3)))
    return ask('git clean -f deletes files that git does not know');
  const isCredential = args.some((arg) => arg.startsWith('credential'));
  return isCredential && args.some((arg) => /^(?:reject|erase)$/u.test(arg)) ? ask('it deletes credentials') : undefined;
}

/** A function that pipes into itself in the background. */
function checkForkBomb(text: string): Catastrophe | undefined {
  const dense = text.replace(/\s+/gu, '').replace(/function([\w:.]+)\{/gu, '$1(){');
  for (const match of dense.matchAll(/([^\s(){};|&]{1,64})\(\)[{(]/gu)) {
    const name = match[1] ?? '';
    const body = dense.slice(match.index + match[0].length, match.index + match[0].length + 500);
    if (body.includes(`${name}|${name}`) || body.includes(`${name}&${name}`) || body.startsWith(`${name}&`))
      return ask('it is a fork bomb');
  }
  return undefined;
}
