import { readdir, readFile } from 'node:fs/promises';
import { signalGroup } from '../lib/process.ts';

/**
 * Whether a process group has a member that still runs. A member that has ended but was not yet reaped (containers without an init process
 * keep them for ever) does not count, where the system tells them apart.
 */
export async function isGroupAlive(pid: number): Promise<boolean> {
  if (!signalGroup(pid, 0)) return false;
  const names = await readdir('/proc').catch(() => []);
  const entries = names.filter((name) => /^\d+$/u.test(name));
  if (entries.length === 0) return true;
  const states = await Promise.all(entries.map((name) => readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')));
  return states.some((stat) => {
    // "pid (name) state parent group ...": the name may hold anything, a closing parenthesis too (proc_pid_stat(5))
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === pid && state !== 'Z' && state !== 'X';
  });
}
