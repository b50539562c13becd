import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { workspaceFolder } from '../../src/session/location.ts';
import { replay, scanEntries } from '../../src/session/replay.ts';

import type { DurableEvent } from '../../src/types/events.ts';
import { createFakeClock } from '../../test/helpers/fake-clock.ts';
import { binPath, childEnv, createSandbox, type Sandbox } from '../helpers/home.ts';
import { run } from '../helpers/run.ts';

const killPoints = Math.min(2_000, 40 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1));
const clock = createFakeClock(0, Number(process.env.TILLDONE_SEED ?? 1));
const pick = (below: number): number => Math.floor(clock.random() * below);
const items = [1, 2, 3, 4, 5];
const commandOf = (item: number): string => `sh step.sh ${item}`;
const prompt = `Work through this:\n${items.map((item) => `- run \`${commandOf(item)}\``).join('\n')}`;

const sandboxes: Sandbox[] = [];
afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.remove();
});

function openSandbox() {
  const sandbox = createSandbox();
  sandboxes.push(sandbox);
  writeFileSync(join(sandbox.cwd, 'step.sh'), 'echo "$1" >> effects.txt\n');
  const folder = workspaceFolder(join(sandbox.home, '.tilldone', 'state'), sandbox.cwd);
  const logs = (): readonly string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []);
  const log = (): Buffer => {
    const [name, ...others] = logs();
    expect(others).toEqual([]);
    return name === undefined ? Buffer.alloc(0) : readFileSync(join(folder, name));
  };
  return {
    ...sandbox,
    log,
    /** Resumes once the prompt was accepted. Killed before that, it was never promised anything, and the prompt is given again. */
    promptArgs: (): readonly string[] => {
      if (replay(log()).events.some((event) => event.type === 'user-message')) return ['-c', '-p'];
      rmSync(folder, { recursive: true, force: true });
      return ['-p', prompt];
    },
    effects: () =>
      existsSync(join(sandbox.cwd, 'effects.txt'))
        ? readFileSync(join(sandbox.cwd, 'effects.txt'), 'utf8').trim().split('\n').map(Number)
        : [],
  };
}
type Place = ReturnType<typeof openSandbox>;

/** When to kill: after that many lines of output and `delayMs` more, or as soon as a command has had so many effects. */
type KillPoint = { readonly lines: number; readonly delayMs: number } | { readonly effects: number };

/** Starts or resumes, and kills at that point. Resolves with what was printed until then. */
function runAndKill(place: Place, point: KillPoint): Promise<{ killed: boolean; records: readonly Printed[] }> {
  const args = place.promptArgs();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [binPath, ...args, '--yolo', '--json'], {
      cwd: place.cwd,
      env: childEnv(place.home),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let printed = '';
    const looking = setInterval(() => {
      if ('effects' in point && place.effects().length >= point.effects) child.kill('SIGKILL');
    }, 10);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      printed += text;
      if ('lines' in point && printed.split('\n').length > point.lines) setTimeout(() => child.kill('SIGKILL'), point.delayMs);
    });
    child.on('close', (_code, signal) => {
      clearInterval(looking);
      const whole = printed.slice(0, printed.lastIndexOf('\n') + 1).split('\n');
      resolve({ killed: signal === 'SIGKILL', records: whole.filter((line) => line !== '').map((line) => JSON.parse(line) as Printed) });
    });
  });
}
type Printed = { readonly type: string; readonly message?: { readonly content: readonly { readonly tool_use_id?: string }[] } };

/** Results that were printed and followed by the next response: these had been committed before it was asked for. */
function committedResults(records: readonly Printed[]): readonly string[] {
  const next = records.findLastIndex((record) => record.type === 'assistant');
  return records
    .slice(0, Math.max(0, next))
    .flatMap((record) => (record.type === 'user' ? (record.message?.content[0]?.tool_use_id ?? []) : []));
}

function count<Each>(list: readonly Each[], wanted: (each: Each) => boolean): number {
  return list.filter(wanted).length;
}

function startsOf(events: readonly DurableEvent[], command: string): number {
  return count(
    events,
    (event) => event.type === 'tool-start' && event.effects.some((effect) => effect.kind === 'command' && effect.command === command),
  );
}

describe('killed at any moment', () => {
  it(`${killPoints} seeded SIGKILL points: the log opens, nothing committed is lost or doubled, the list is finished after resume`, {
    timeout: 300_000 * Math.ceil(killPoints / 40),
  }, async () => {
    let kills = 0;
    while (kills < killPoints) {
      const place = openSandbox();
      let before: readonly string[] = [];
      for (let round = 0; round < 5 && kills < killPoints; round += 1) {
        const { killed, records } = await runAndKill(place, { lines: pick(12), delayMs: pick(12) });
        if (!killed) break;
        kills += 1;
        const log = place.log();
        const { events, report } = replay(log);
        const ids = events.flatMap((event) => (event.type === 'tool-result' ? [event.callId] : []));
        for (const id of committedResults(records)) expect(ids).toContain(id);
        expect(new Set(ids).size).toBe(ids.length);
        const entries: string[] = [];
        scanEntries(log, (entry) => entries.push(`${entry.seq} ${entry.json.toString()}`));
        expect(entries.slice(0, before.length)).toEqual(before);
        expect(entries.every((entry, index) => entry.startsWith(`${index + 1} `))).toBe(true);
        expect(report.filter((sentence) => /damaged|twice|cannot be read/u.test(sentence))).toEqual([]);
        // every effect was announced on disk before it happened, and happened at most once per announcement
        for (const item of items)
          expect(count(place.effects(), (each) => each === item)).toBeLessThanOrEqual(startsOf(events, commandOf(item)));
        before = events.some((event) => event.type === 'user-message') ? entries : [];
      }
      for (let tries = 0; tries < 3; tries += 1) {
        const { code } = await run([...place.promptArgs(), '--yolo'], { cwd: place.cwd, home: place.home });
        if (code === 0) break;
      }
      expect([...new Set(place.effects())].sort()).toEqual(items);
      const { events } = replay(place.log());
      const list = events.findLast((event) => event.type === 'todos-change')?.list.items ?? [];
      expect(list.map(({ status }) => status)).toEqual(items.map(() => 'completed'));
      for (const sandbox of sandboxes.splice(0)) sandbox.remove();
    }
  });

  it('a resumed list is shown and waits: a question is answered and nothing more', async () => {
    const place = openSandbox();
    // the third command never ends: however late the kill comes, the list is not finished
    writeFileSync(join(place.cwd, 'step.sh'), 'echo "$1" >> effects.txt; test "$1" != 3 || exec sleep 30\n');
    await runAndKill(place, { effects: 3 });
    const { code, stdout } = await run(['-c', '-p', 'what can you do?', '--yolo', '-o', 'json'], { cwd: place.cwd, home: place.home });
    const result = JSON.parse(stdout) as { exit_reason: string; todos: { total: number } };
    expect({ code, reason: result.exit_reason, total: result.todos.total }).toEqual({
      code: 0,
      reason: 'not-in-play',
      total: items.length,
    });
    expect(place.effects()).toEqual([1, 2, 3]);
  });

  it('a command in flight is named on resume and is not run again by itself', async () => {
    const place = openSandbox();
    writeFileSync(join(place.cwd, 'step.sh'), 'echo "$1" >> effects.txt; exec sleep 30\n');
    const { killed } = await runAndKill(place, { effects: 1 });
    expect(killed).toBe(true);
    expect(replay(place.log()).report).toEqual([
      expect.stringContaining("The command 'sh step.sh 1' was running when the session was interrupted."),
    ]);
    const { stderr } = await run(['-c', '-p', 'what can you do?', '--yolo'], { cwd: place.cwd, home: place.home });
    expect(place.effects()).toEqual([1]);
    expect(stderr).toContain("The command 'sh step.sh 1' was running");
  });
});
