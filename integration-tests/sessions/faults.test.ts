import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { workspaceFolder } from '../../src/session/location.ts';
import { replay } from '../../src/session/replay.ts';
import { binPath, childEnv, createSandbox, type Sandbox } from '../helpers/home.ts';
import { run } from '../helpers/run.ts';

/** Root writes into read-only folders: the faults need real mounts. */
const works = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;
const sandboxes: Sandbox[] = [];
afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.remove();
});

const items = [1, 2, 3, 4, 5, 6];
/** Every item writes a file and prints 30 KB, which go into the log. */
const prompt = `Do:\n${items.map((item) => `- run \`seq -f "${item} %015g" 2000; touch done-${item}\``).join('\n')}`;

function open() {
  const sandbox = createSandbox();
  sandboxes.push(sandbox);
  const state = join(sandbox.home, '.tilldone', 'state');
  mkdirSync(state, { recursive: true });
  const folder = workspaceFolder(state, sandbox.cwd);
  const finished = (): readonly string[] => readdirSync(sandbox.cwd).filter((name) => name.startsWith('done-'));
  return { ...sandbox, state, folder, finished };
}

/** Runs a script with `$TILLDONE` in a namespace where `mounts` hold. */
function within(
  place: ReturnType<typeof open>,
  mounts: readonly string[],
  script: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...childEnv(place.home), TILLDONE: `${process.execPath} ${binPath}`, PROMPT: prompt };
  return new Promise((resolve) => {
    execFile(
      'bwrap',
      ['--dev-bind', '/', '/', ...mounts, 'bash', '-c', script],
      { cwd: place.cwd, env, maxBuffer: 1e7 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

describe.skipIf(!works)('a disk that does not take the log (needs bwrap)', () => {
  it('full: work goes on, the user is told, and what was saved stays readable', async () => {
    const place = open();
    const script = `$TILLDONE -p "$PROMPT" --yolo < /dev/null; code=$?; cat ${place.folder}/*.jsonl > saved.jsonl; exit $code`;
    const { code, stderr, stdout } = await within(place, ['--size', '100000', '--tmpfs', place.state], script);
    expect({ code, stdout: stdout.slice(0, 9) }).toEqual({ code: 0, stdout: 'Finished.' });
    expect(place.finished()).toHaveLength(items.length);
    expect(stderr).toMatch(/^Not being saved: the disk is full\. Work goes on/mu);
    const { events, report } = replay(readFileSync(join(place.cwd, 'saved.jsonl')));
    expect(events.length).toBeGreaterThan(5);
    expect(report.filter((sentence) => /damaged|twice|cannot be read/u.test(sentence))).toEqual([]);
  });
  it('read-only home: work goes on and the user is told from the start', async () => {
    const place = open();
    const { code, stderr } = await within(place, ['--ro-bind', place.home, place.home], '$TILLDONE -p "$PROMPT" --yolo < /dev/null');
    expect(code).toBe(0);
    expect(place.finished()).toHaveLength(items.length);
    expect(stderr).toMatch(/^Not being saved: the file system is read-only\. Work goes on/mu);
  });
  it('read-only home: a session can still be gone on with, and its log stays as it is', async () => {
    const place = open();
    await run(['-p', prompt, '--yolo'], { cwd: place.cwd, home: place.home });
    const name = readdirSync(place.folder).find((each) => each.endsWith('.jsonl')) ?? '';
    const before = readFileSync(join(place.folder, name));
    const { code, stderr, stdout } = await within(
      place,
      ['--ro-bind', place.home, place.home],
      '$TILLDONE -c -p "hello" --yolo -o json < /dev/null',
    );
    expect({ code, total: (JSON.parse(stdout) as { todos: { total: number } }).todos.total }).toEqual({ code: 0, total: items.length });
    expect(stderr).toMatch(/^Not being saved: the file system is read-only\. Work goes on/mu);
    expect(readFileSync(join(place.folder, name))).toEqual(before);
  });
});

describe('two instances', () => {
  it('on one session: both go on, one in a copy, and nothing is lost', async () => {
    const place = open();
    const options = { cwd: place.cwd, home: place.home };
    await run(['-p', 'hello', '--yolo'], options);
    // each waits for the other one's command, so that both are open at once however late one starts
    const together = (own: number, other: number): string =>
      `touch begun-${own}; until test -e begun-${other}; do sleep 0.05; done; touch done-${own}`;
    const both = await Promise.all(
      [together(1, 2), together(2, 1)].map((command) => run(['-c', '-p', `Do:\n- run \`${command}\``, '--yolo'], options)),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(place.finished()).toHaveLength(2);
    const logs = readdirSync(place.folder).filter((name) => name.endsWith('.jsonl'));
    expect(logs).toHaveLength(2);
    for (const name of logs) {
      // the copy may hold the prompt that the first one had begun
      const { events, report } = replay(readFileSync(join(place.folder, name)));
      expect(report).toEqual([]);
      expect(events.filter((event) => event.type === 'user-message').length).toBeGreaterThanOrEqual(2);
      expect(events.at(-1)?.type).toBe('prompt-end');
    }
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
  it('eight on one settings file: every change is kept', async () => {
    const place = open();
    const names = Array.from({ length: 8 }, (_, index) => join(place.cwd, `folder-${index}`));
    for (const name of names) mkdirSync(name);
    const all = await Promise.all(names.map((name) => run(['trust', name], { cwd: place.cwd, home: place.home })));
    expect(all.map(({ code }) => code)).toEqual(names.map(() => 0));
    const kept = readdirSync(place.state)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(place.state, name), 'utf8'))
      .join('');
    for (const name of names) expect(kept).toContain(JSON.stringify(name));
    expect(readdirSync(place.state).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});
