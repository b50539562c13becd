import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binPath, childEnv, createSandbox, type Sandbox } from './helpers/home.ts';
import { type RunOptions, run } from './helpers/run.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

function call(args: readonly string[], options: RunOptions = {}) {
  return run(args, { cwd: sandbox.cwd, home: sandbox.home, ...options });
}

const sixItems = [
  '1. create `notes.txt`',
  '```',
  'one',
  '```',
  '2. create `sum.mjs`',
  '```',
  'console.log(1 + 2)',
  '```',
  '3. replace `one` with `two` in `notes.txt`',
  '4. run `node sum.mjs`',
  '5. run `cat notes.txt`',
  '6. read `sum.mjs`',
].join('\n');

describe('the main job, one-shot', () => {
  it('does a list of six real items from stdin', async () => {
    const { code, stdout, stderr } = await call(['-p', '--yolo'], { stdin: sixItems });
    expect(stderr).toContain('All 6 todos done');
    expect(stdout).toContain('exit code 0: 3');
    expect(readFileSync(join(sandbox.cwd, 'notes.txt'), 'utf8')).toBe('two\n');
    expect(code).toBe(0);
  });

  it('stops at a failing command, says which item and why, and leaves the later items', async () => {
    const list = '1. create `a.txt` with the content `a`\n2. run `node -e "process.exit(7)"`\n3. create `b.txt` with the content `b`';
    const { code, stderr, stdout } = await call(['-p', list, '-y']);
    expect(code).toBe(61);
    expect(stdout + stderr).toContain('exit code 7');
    expect(stderr).toMatch(/2 of 3 open/u);
    expect(readdirSync(sandbox.cwd)).toEqual(['a.txt']);
    const forgiven = await call(['-p', list, '-y', '--exit-zero-unfinished']);
    expect(forgiven.code).toBe(0);
  });

  it('refuses without a person what it may not do, and exits 64', async () => {
    const { code } = await call(['-p', '1. create `a.txt` with the content `a`']);
    expect(code).toBe(64);
    expect(readdirSync(sandbox.cwd)).toEqual([]);
  });

  it('the same engine in the caller’s other folder', async () => {
    const { code } = await call(['-C', sandbox.cwd, '-y', '-p', '1. create `a.txt` with the content `a`'], { cwd: sandbox.root });
    expect(code).toBe(0);
    expect(readdirSync(sandbox.cwd)).toEqual(['a.txt']);
  });

  it('-c -p goes on with the list', async () => {
    const first = await call(['-p', '1. run `cat go`\n2. run `echo second`', '-y']);
    expect(first.code).toBe(61);
    writeFileSync(join(sandbox.cwd, 'go'), 'now\n');
    const second = await call(['-c', '-p', '-y']);
    expect(second.stderr).toContain('All 2 todos done');
    expect(second.code).toBe(0);
  });
});

describe('demo', () => {
  it('finishes its list, shows the nudges and leaves nothing behind', async () => {
    const { code, stdout } = await call(['demo']);
    expect(stdout).toContain('It stopped with 4 of 5 open');
    expect(stdout).toMatch(/All 5 todos done\s*$/u);
    expect(code).toBe(0);
    const folder = /offline, in (\S+),/u.exec(stdout)?.[1] ?? '';
    expect(folder).not.toBe('');
    expect(existsSync(folder)).toBe(false);
  });

  it('works whatever the user has set', async () => {
    writeFileSync(join(sandbox.home, 'settings.json'), '{"todo-continuation": false, "max-turns": 1, "model": "gone"}');
    const { code } = await call(['demo'], { env: { TILLDONE_HOME: sandbox.home, TILLDONE_AUTO_COMPLETE_TODOS: 'false' } });
    expect(code).toBe(0);
  });
});

describe('mistakes cost one line', () => {
  it.each<[string, string[], number, string]>([
    ['an unknown flag', ['--yolp'], 2, "Unknown option '--yolp'. Did you mean --yolo?"],
    ['no prompt', ['-p'], 42, 'No prompt: give one after -p, or pipe it in.'],
    ['-i without a terminal', ['-i', 'x'], 2, '-i needs a terminal; use -p for one answer.'],
    ['a folder that is not there', ['-C', 'gone', '-p', 'x'], 2, ''],
    ['a profile that is not there', ['--profile', 'x', '-p', 'hi'], 2, "Unknown profile 'x'. settings.json has no 'profiles'."],
    ['a provider that is not there', ['--provider', 'opnai', '-p', 'hi'], 52, ''],
    ['a key that is not set', ['--provider', 'openai', '-p', 'hi'], 41, "Provider 'openai' needs a key: set OPENAI_API_KEY."],
    ['a session that is not there', ['-r', 'zzz', '-p', 'hi'], 2, ''],
    [
      'picking without a terminal',
      ['-r', '-p', 'hi'],
      2,
      '-r needs a session here: its id, the beginning of it, or latest. tilldone sessions lists them.',
    ],
  ])('%s', async (_name, args, code, line) => {
    const result = await call(args);
    expect(result.stdout).toBe('');
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    if (line !== '') expect(result.stderr).toBe(`${line}\n`);
    expect(result.code).toBe(code);
  });

  it.each(['json', 'stream-json'])('with %s the one result says it too', async (format) => {
    const { stdout, code } = await call(['-p', 'x', '-o', format, '--yolp']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'result', is_error: true, exit_code: 2 });
    expect(code).toBe(2);
  });
});

describe('settings reach the engine', () => {
  const list = '1. run `echo a`\n2. run `echo b`';
  it.each<[string, Parameters<typeof call>, number]>([
    ['as they are: the lazy model is sent on', [['-p', list, '-y', '-m', 'checklist-lazy']], 0],
    ['the flag holds it', [['-p', list, '-y', '-m', 'checklist-lazy', '--no-auto-complete-todos']], 61],
    ['the environment holds it', [['-p', list, '-y', '-m', 'checklist-lazy'], { env: { TILLDONE_AUTO_COMPLETE_TODOS: 'off' } }], 61],
    [
      'the flag outranks the environment',
      [['-p', list, '-y', '-m', 'checklist-lazy', '--auto-complete-todos'], { env: { TILLDONE_AUTO_COMPLETE_TODOS: 'off' } }],
      0,
    ],
    ['a cap', [['-p', list, '-y', '--max-turns', '1']], 53],
  ])('%s', async (_name, [args, options], code) => {
    expect((await call(args, options ?? {})).code).toBe(code);
  });

  it('config tells what set a value, a mistyped key and a broken file', async () => {
    const env = { TILLDONE_HOME: sandbox.home };
    const path = join(sandbox.home, 'settings.json');
    writeFileSync(path, '{\n  // mine\n  "max-turns": 7,\n  "todo-continuatoin": false,\n}');
    const { stdout } = await call(['config'], { env });
    expect(stdout).toMatch(new RegExp(`max-turns\\s+7\\s+${path}:3`, 'u'));
    expect(stdout).toContain(`${path}:4: Unknown setting 'todo-continuatoin'. Did you mean 'todo-continuation'?`);
    writeFileSync(path, '{"approval-mode": "yolo"');
    const broken = await call(['-p', '1. create `a.txt` with the content `a`', '-y'], { env });
    expect(broken.stderr).toContain('permissions are at their strictest');
    expect(broken.code).toBe(64);
    expect(readFileSync(path, 'utf8')).toBe('{"approval-mode": "yolo"');
  });
});

describe('pipes and signals', () => {
  it('piped text joins the prompt as a labelled block', async () => {
    const { stdout } = await call(['-p', 'hello', '--json'], { stdin: 'from the pipe' });
    const { session_id: id } = JSON.parse(stdout.split('\n')[0] ?? '');
    const { stdout: listed } = await call(['sessions', '--json']);
    expect(JSON.parse(listed.split('\n')[0] ?? '')).toMatchObject({ id, firstPrompt: expect.stringContaining('from the pipe') });
  });

  it.each([
    ['a file', 'cat > list.txt <<< "\ufeff1. create \\`a.txt\\` with the content \\`a\\`"; tilldone -p -y < list.txt', 0, 'done'],
    ['a file that was read in part', 'printf "x\\n1. read \\`a.txt\\`" > list.txt; { read -r; tilldone -p -y; } < list.txt', 61, 'a.txt'],
    ['nothing, from the null device', 'tilldone -p < /dev/null', 42, 'No prompt'],
    ['too much, in a file', 'truncate -s 11M list.txt; tilldone -p hi < list.txt', 42, 'larger than 10 MiB'],
    ['too much, in a large file', 'truncate -s 50M list.txt; tilldone -p hi < list.txt', 42, 'larger than 10 MiB'],
    ['a stdin that is closed', 'tilldone -p hello <&-', 0, 'checklist'],
  ])('stdin is %s', (_name, script, code, said) => {
    const command = `tilldone() { '${process.execPath}' '${binPath}' "$@"; }; ${script}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: sandbox.cwd, env: childEnv(sandbox.home) });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: code, said: expect.stringContaining(said) });
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s ends it within 5 s, children and all, with its one result', async (signal, code) => {
    const marker = join(sandbox.cwd, 'started');
    const child = spawn(process.execPath, [binPath, '-y', '--json', '-p', `1. run \`touch started; sleep 300; touch late\``], {
      cwd: sandbox.cwd,
      env: childEnv(sandbox.home),
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stdin.end();
    await expect.poll(() => existsSync(marker), { timeout: 45_000 }).toBe(true);
    const sentMs = performance.now();
    child.kill(signal);
    const ended = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect(performance.now() - sentMs).toBeLessThan(5000);
    expect(ended).toBe(code);
    const results = stdout
      .trimEnd()
      .split('\n')
      .filter((line) => JSON.parse(line).type === 'result');
    expect(results).toHaveLength(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ exit_code: code });
  });

  /** The one result of a call that had `--json`, once it has ended, and its exit code. */
  async function ended(child: ChildProcessWithoutNullStreams): Promise<{ code: number | null; results: readonly unknown[] }> {
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const records = stdout.split('\n').filter((line) => line !== '');
    return { code, results: records.map((line) => JSON.parse(line)).filter(({ type }) => type === 'result') };
  }

  /** Processes that work in a folder; inside a sandbox they have numbers of their own. */
  function processesIn(folder: string): readonly string[] {
    return readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/u.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false; // it is gone, or not ours
      }
    });
  }

  it('a second signal waits for nothing, and still has the one result', async () => {
    const command = `trap '' TERM; touch started; sleep 300; touch late`;
    const child = spawn(process.execPath, [binPath, '-y', '--json', '-p', `1. run \`${command}\``], {
      cwd: sandbox.cwd,
      env: childEnv(sandbox.home),
    });
    const end = ended(child);
    child.stdin.end();
    await expect.poll(() => existsSync(join(sandbox.cwd, 'started')), { timeout: 45_000 }).toBe(true);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    // the system does not say which of the two arrives first; the first one names the code
    const { code, results } = await end;
    expect([130, 143]).toContain(code);
    expect(results).toMatchObject([{ exit_code: code, exit_reason: 'aborted' }]);
    if (process.platform === 'linux') await expect.poll(() => processesIn(sandbox.cwd), { timeout: 10_000 }).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('a signal while stdin is silent has its one result, too', async () => {
    const child = spawn(process.execPath, [binPath, '--json', '-p'], { cwd: sandbox.cwd, env: childEnv(sandbox.home) });
    const end = ended(child);
    const catches = (): boolean => {
      const mask = /^SigCgt:\s*([0-9a-f]+)$/mu.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? '0';
      return BigInt(`0x${mask}`) % 2n === 1n; // SIGHUP, the last one to be caught; Node catches SIGINT and SIGTERM by itself
    };
    await expect.poll(catches, { timeout: 45_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 143, results: [{ exit_code: 143, exit_reason: 'aborted' }] });
  });

  it('a reader that leaves is no crash', async () => {
    const child = spawn('/bin/sh', ['-c', `"${process.execPath}" "${binPath}" -p hi | head -c 5`], {
      cwd: sandbox.cwd,
      env: childEnv(sandbox.home),
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(text).not.toMatch(/EPIPE|internal error/u);
  });
});

it('--output-last-message holds the final answer', async () => {
  const { stdout } = await call(['-p', 'hi', '--output-last-message', 'answer.txt']);
  expect(readFileSync(join(sandbox.cwd, 'answer.txt'), 'utf8').trim()).toBe(stdout.trim());
});

it('doctor of the built-in model is content', async () => {
  const { code, stdout } = await call(['doctor']);
  expect(stdout).toContain('Ready.');
  expect(code).toBe(0);
});

it.each(['bash', 'zsh'] as const)('the %s completion script is one that the shell accepts', async (shell) => {
  const { stdout } = await call(['completion', shell]);
  const checked = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'pipe'] });
  checked.stdin.end(stdout);
  expect(await new Promise((resolve) => checked.once('close', resolve))).toBe(0);
});
