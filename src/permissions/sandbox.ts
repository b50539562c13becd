import { join } from 'node:path';
import { scanCommand } from './command-scan.ts';

/** What a sandboxed command may touch. All paths real. */
export type SandboxPlan = {
  readonly workspace: string;
  readonly extraDirs: readonly string[];
  /** Existing folders and files whose content must not be seen. */
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  /** Bound to /tmp, so that commands share it; without it each has its own. */
  readonly tempDir?: string | undefined;
  readonly network: boolean;
};

export type WrappedCommand = { readonly file: string; readonly args: readonly string[] };

/** Read-only in each writable folder, where they exist: what could run code later. */
const protectedNames = [
  '.tilldone',
  '.vscode',
  '.mcp.json',
  '.envrc',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zshenv',
];

/**
 * The bubblewrap call that runs a command: root read-only, workspace writable, own process and network space, secrets hidden, protected paths
 * read-only. git itself may write its data, but neither its hooks nor its configuration.
 */
export function wrapInSandbox(plan: SandboxPlan, request: { readonly command: string; readonly cwd: string }): WrappedCommand {
  return { file: 'bwrap', args: [...sandboxArgs(plan, usesGit(request.command)), '--chdir', request.cwd, '--', ...bash(request.command)] };
}

function bash(command: string): readonly string[] {
  return ['bash', '--noprofile', '--norc', '-c', command];
}

function usesGit(command: string): boolean {
  return scanCommand(command).commands.some(({ name }) => name === 'git');
}

function sandboxArgs(plan: SandboxPlan, gitMayWrite: boolean): readonly string[] {
  const writable = [plan.workspace, ...plan.extraDirs];
  return [
    '--die-with-parent',
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(plan.network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    // sockets of other programs live there: a container engine's would be a way out
    ...['--tmpfs', '/run'],
    ...(plan.network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
    // caches in the home folder are read-only: what is new goes where it may be written
    ...['--setenv', 'XDG_CACHE_HOME', '/tmp/.cache'],
    ...['--setenv', 'npm_config_cache', '/tmp/.npm'],
    ...(plan.tempDir === undefined ? ['--tmpfs', '/tmp'] : ['--bind', plan.tempDir, '/tmp']),
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...writable.flatMap((folder) => [
      ...(gitMayWrite ? ['.git/hooks', '.git/config'] : ['.git']).flatMap((name) => readOnly(folder, name)),
      ...protectedNames.flatMap((name) => readOnly(folder, name)),
    ]),
    ...plan.hiddenFolders.flatMap((folder) => ['--tmpfs', folder]),
    ...plan.hiddenFiles.flatMap((file) => ['--ro-bind', '/dev/null', file]),
  ];
}

function readOnly(folder: string, name: string): readonly string[] {
  const path = join(folder, name);
  return ['--ro-bind-try', path, path];
}

/** Where secrets lie in a home folder, beside our own folders. */
const secretFolders = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.password-store',
  '.config/gh',
  '.config/gcloud',
  '.config/op',
  '.docker',
  '.local/share/keyrings',
];
const secretFiles = [
  '.netrc',
  '.git-credentials',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.vault-token',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bash_history',
  '.zsh_history',
];

/** Makes a plan from what is there. `ownFolders`: our settings and state, which hold keys and sessions. */
export async function planSandbox(
  place: Pick<SandboxPlan, 'workspace' | 'extraDirs' | 'network' | 'tempDir'> & {
    readonly home: string;
    readonly ownFolders: readonly string[];
  },
  exists: (path: string) => Promise<boolean>,
): Promise<SandboxPlan> {
  const { home, ownFolders, ...rest } = place;
  const there = async (paths: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(paths.map(exists));
    // a folder that holds the workspace cannot be hidden
    return paths.filter((path, index) => found[index] && !`${place.workspace}/`.startsWith(`${path}/`));
  };
  return {
    ...rest,
    hiddenFolders: await there([...secretFolders.map((name) => join(home, name)), ...ownFolders]),
    hiddenFiles: await there(secretFiles.map((name) => join(home, name))),
  };
}

export type SandboxState =
  | { readonly kind: 'on'; readonly label: string }
  /** Commands run unsandboxed, and the screen says so. */
  | { readonly kind: 'off'; readonly label: string; readonly reason: string };

/** Runs a program to its end; `code` is null when it could not be started. */
export type RunProbe = (file: string, args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>;

/** In the sandbox: the root must refuse a write, the workspace must take one, and without network there is only the loopback. */
const probeScript = (network: boolean): string =>
  [
    'if (: > /.tilldone-probe) 2>/dev/null; then echo "the root is writable"; exit 3; fi',
    'probe="$PWD/.tilldone-probe-$$"',
    'if ! (: > "$probe") 2>/dev/null; then echo "the workspace is not writable"; exit 4; fi',
    'rm -f -- "$probe"',
    ...(network ? [] : ['if grep -qvE "^ *(lo:|Inter-|face )" /proc/net/dev; then echo "the network is reachable"; exit 5; fi']),
  ].join('\n');

/** Whether the sandbox really works here, found out by running it. */
export async function probeSandbox(plan: SandboxPlan, run: RunProbe): Promise<SandboxState> {
  const args = [...sandboxArgs(plan, false), '--chdir', plan.workspace, '--', ...bash(probeScript(plan.network))];
  const { code, output } = await run('bwrap', args);
  if (code === 0) return { kind: 'on', label: plan.network ? 'sandbox' : 'sandbox, no network' };
  const detail = output.trim().split('\n')[0]?.slice(0, 200) ?? '';
  const reason =
    code === null ? 'bubblewrap (bwrap) is not installed' : `bubblewrap does not work here${detail === '' ? '' : `: ${detail}`}`;
  return { kind: 'off', label: 'NO SANDBOX', reason };
}
