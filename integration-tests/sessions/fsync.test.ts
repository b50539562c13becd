import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binPath, childEnv, createSandbox } from '../helpers/home.ts';

const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

/** What the kernel saw, in order: entries that were written, syncs that were finished, the command that ran. */
function outline(trace: string): readonly string[] {
  return trace.split('\n').flatMap((line) => {
    const type = /write\(\d+, "\{\\"v\\":1,.*?\\"event\\":\{\\"type\\":\\"([a-z-]+)\\"/u.exec(line)?.[1];
    if (type !== undefined) return [type];
    if (/fdatasync(?:\(\d+\)| resumed>\))\s+= 0/u.test(line)) return ['SYNC'];
    // the result may come on a line of its own, when another thread was seen meanwhile
    return /execve\([^[]*\["bash".*"touch marker"\]/u.test(line) ? ['COMMAND'] : [];
  });
}

describe.skipIf(!works)('the four points at which the log is on disk before work goes on (needs strace)', () => {
  it('prompt accepted, intent before a side effect, its result, end of the last turn', () => {
    const sandbox = createSandbox();
    const trace = join(sandbox.root, 'trace');
    const { status } = spawnSync(
      'strace',
      [
        '-f',
        '-qq',
        '-s',
        '200',
        '-e',
        'trace=write,fdatasync,execve',
        '-o',
        trace,
        process.execPath,
        binPath,
        '-p',
        'Do:\n- run `touch marker`',
        '--yolo',
      ],
      { cwd: sandbox.cwd, env: childEnv(sandbox.home), stdio: 'ignore' },
    );
    const seen = outline(readFileSync(trace, 'utf8'));
    sandbox.remove();
    expect(status).toBe(0);
    const command = seen.indexOf('COMMAND');
    const intent = seen.lastIndexOf('tool-start', command);
    const result = seen.indexOf('tool-result', command);
    const end = seen.lastIndexOf('turn-end');
    const between = (from: number, to: number): readonly string[] => seen.slice(from, to + 1);
    expect(between(seen.indexOf('user-message'), seen.indexOf('run-start'))).toEqual(['user-message', 'SYNC', 'run-start']);
    expect(between(intent, command)).toEqual(['tool-start', 'SYNC', 'COMMAND']);
    expect(between(result, seen.indexOf('turn-start', result))).toEqual(['tool-result', 'SYNC', 'turn-start']);
    expect(seen.slice(end)).toEqual(['turn-end', 'run-end', 'SYNC', 'prompt-end', 'SYNC']);
  });
});
