import {
  probeSandbox,
  type RunProbe,
  type SandboxPlan,
  type SandboxState,
  type WrappedCommand,
  wrapInSandbox,
} from '../permissions/sandbox.ts';
import type { Processes } from '../tools/processes.ts';
import type { ProcessAccess } from '../tools/tool.ts';

/** Shell commands that run in the sandbox where one works; what is in force is known before the first command runs. */
export type SandboxedProcesses = Omit<Processes, 'start'> &
  ProcessAccess & {
    /** As far as it is known. */
    sandbox(): SandboxState | undefined;
    /** Finds out whether the sandbox works, by running it; no command does before. */
    ready(): Promise<SandboxState>;
  };

const switchedOff: SandboxState = { kind: 'off', label: 'NO SANDBOX', reason: "the setting 'sandbox' is off" };

/** What programs say when the sandbox is in their way. */
const hitsWall =
  /read-only file system|EROFS|permission denied|EACCES|operation not permitted|network is unreachable|ENETUNREACH|could not resolve|EAI_AGAIN|ENOTFOUND|name resolution|connection refused/iu;

export function createSandboxedProcesses(deps: {
  readonly wanted: () => { readonly sandbox: 'auto' | 'off'; readonly network: boolean };
  readonly plan: (network: boolean) => Promise<SandboxPlan>;
  readonly probe: RunProbe;
  readonly make: (wrapCommand: (request: { command: string; cwd: string }) => WrappedCommand) => Processes;
  readonly onState: (state: SandboxState) => void;
}): SandboxedProcesses {
  const probed = new Map<boolean, Promise<{ readonly plan: SandboxPlan; readonly state: SandboxState }>>();
  let inForce: { readonly plan: SandboxPlan | undefined; readonly state: SandboxState } | undefined;

  const find = async (network: boolean): Promise<{ readonly plan: SandboxPlan; readonly state: SandboxState }> => {
    const plan = await deps.plan(network);
    return { plan, state: await probeSandbox(plan, deps.probe) };
  };

  const ready = async (): Promise<SandboxState> => {
    const { sandbox, network } = deps.wanted();
    const before = inForce?.state;
    if (sandbox === 'off') inForce = { plan: undefined, state: switchedOff };
    else {
      const found = probed.get(network) ?? find(network);
      probed.set(network, found);
      inForce = await found;
    }
    if (inForce.state !== before) deps.onState(inForce.state);
    return inForce.state;
  };

  const processes = deps.make((request) => {
    if (inForce?.plan !== undefined && inForce.state.kind === 'on') return wrapInSandbox(inForce.plan, request);
    return { file: 'bash', args: ['--noprofile', '--norc', '-c', request.command] };
  });

  return {
    ...processes,
    sandbox: () => inForce?.state,
    ready,
    async run(command, options) {
      const { kind, label } = await ready();
      const run = await processes.run(command, options);
      if (kind === 'off' || run.exitCode === 0 || run.aborted || !hitsWall.test(run.output)) return run;
      // The model must be able to tell a fault of the command from a wall of the sandbox.
      const gap = run.output.endsWith('\n') ? '' : '\n';
      return { ...run, output: `${run.output}${gap}[${label}: only the working folder and /tmp are writable]` };
    },
    async start(command, options) {
      await ready();
      return processes.start(command, options);
    },
  };
}
