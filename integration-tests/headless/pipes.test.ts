import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { outputRecordSchema } from '../../src/headless/records.ts';
import { binPath, childEnv, createSandbox } from '../helpers/home.ts';
import { listCall, type ModelServer, startModelServer, workCall } from '../helpers/model-server.ts';
import { run } from '../helpers/run.ts';

/** 1 MiB that never repeats itself, for the loop detector watches. */
const answer = `${Array.from({ length: 32_768 }, (_, line) => `${createHash('md5').update(String(line)).digest('hex').slice(1)}\n`).join('')}END`;
const env = { OPENAI_API_KEY: 'sk-test' };
let long: ModelServer;
let worker: ModelServer;
let judge: ModelServer;

beforeAll(async () => {
  long = await startModelServer(() => ({ text: answer.match(/[\s\S]{1,65536}/gu) ?? [] }));
  worker = await startModelServer((_index, { messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (turn === 0) return { text: 'Starting.', calls: [listCall(2, 0, true), workCall(1)] };
    if (turn === 1) return { text: 'One is done, shall I go on?', calls: [listCall(2, 1)] };
    if (turn === 2) return { text: 'I could go on.' };
    return turn === 3 ? { calls: [workCall(2), listCall(2, 2)] } : { text: 'All done.' };
  });
  judge = await startModelServer((_index, { messages }) => ({
    text: messages.some(({ role }) => role === 'assistant') ? '{"count":3}' : 'It is 3.',
  }));
});
afterAll(async () => {
  for (const server of [long, worker, judge]) await server.close();
});

/** Runs a pipeline; `$TILLDONE` is the command with the arguments of the long answer. */
function pipeline(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const sandbox = createSandbox();
  const args = [...long.args, '-p', 'go'].join(' ');
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', `set -o pipefail; tilldone() { ${process.execPath} ${binPath} ${args} "$@" < /dev/null; }; ${script}`],
      { cwd: sandbox.cwd, env: childEnv(sandbox.home, env), maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        sandbox.remove();
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

describe('1 MiB through a pipe', () => {
  it('is complete in text, through a slow reader too', async () => {
    const { code, stdout } = await pipeline('tilldone | cat');
    expect({ code, length: stdout.length, same: stdout === `${answer}\n` }).toEqual({ code: 0, length: answer.length + 1, same: true });
    expect((await pipeline('tilldone | { sleep 0.5; cat; } | wc -c')).stdout.trim()).toBe(String(answer.length + 1));
  });
  it('is complete in json', async () => {
    const { stdout } = await pipeline('tilldone -o json | cat');
    expect((JSON.parse(stdout) as { result: string }).result === answer).toBe(true);
  });
  it('a reader that leaves early gets its bytes, and the call ends at once', async () => {
    const { stdout, stderr } = await pipeline('tilldone | head -c 100; printf " %s" $PIPESTATUS');
    expect(stdout).toBe(`${answer.slice(0, 100)} 0`);
    expect(stderr).not.toMatch(/EPIPE|at /u);
  });
  it('a stdout that is closed from the start is no crash', async () => {
    const { stdout } = await pipeline('tilldone -o stream-json >&-; echo "$?"');
    expect(Number(stdout)).toBeLessThan(2);
  });
});

describe('records of real calls', () => {
  const anyRecord = z.fromJSONSchema(
    JSON.parse(readFileSync(new URL('../../docs/schemas/any-record.schema.json', import.meta.url), 'utf8')) as z.core.JSONSchema.JSONSchema, // our own file
  );
  const calls: readonly (readonly [name: string, args: () => readonly string[], stdin: string])[] = [
    ['an answer', () => [...worker.args, '-p', 'go'], ''],
    ['partial messages', () => [...worker.args, '-p', 'go', '--include-partial-messages'], ''],
    ['a turn limit', () => [...worker.args, '-p', 'go', '--max-turns', '2'], ''],
    ['a token limit', () => [...worker.args, '-p', 'go', '--max-total-tokens', '150'], ''],
    ['continuation off', () => [...worker.args, '-p', 'go', '--no-auto-complete-todos'], ''],
    ['plan mode', () => [...worker.args.filter((word) => word !== '--yolo'), '-p', 'go', '--approval-mode', 'plan'], ''],
    ['refusals', () => [...worker.args.filter((word) => word !== '--yolo'), '-p', 'go', '--approval-mode', 'default'], ''],
    ['two prompts', () => [...worker.args, '--input-format', 'stream-json'], `${message('one')}${message('two')}`],
    ['a broken input line', () => [...worker.args, '--input-format', 'stream-json'], `${message('one')}rubbish\n`],
    ['a JSON schema', () => [...judge.args, '-p', 'go', '--json-schema', '{"type":"object","required":["count"]}'], ''],
    ['the built-in model', () => ['-p', '1. create `a.txt`\n```\nhello\n```\n2. run `cat a.txt`', '--yolo'], ''],
    ['a usage error', () => ['-p', 'go', '--nonsense'], ''],
  ];
  function message(content: string): string {
    return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  }
  it.each(calls)('%s: every line fits the published schema, and one result ends them', async (_name, args, stdin) => {
    const { stdout } = await run([...args(), '-o', 'stream-json'], { env, stdin });
    const records = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { type: string });
    for (const record of records) {
      expect(anyRecord.safeParse(record).error?.message).toBeUndefined();
      expect(outputRecordSchema.parse(record)).toEqual(record);
    }
    expect(records.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(records.at(-1)?.type).toBe('result');
  });
});

describe('what a call leaves', () => {
  it('--output-last-message has the last text, --json-schema the value alone', async () => {
    const sandbox = createSandbox();
    const options = { cwd: sandbox.cwd, home: sandbox.home, env };
    await run([...worker.args, '-p', 'go', '--output-last-message', 'last.txt'], options);
    expect(readFileSync(join(sandbox.cwd, 'last.txt'), 'utf8')).toBe('All done.');
    const { stdout, code } = await run([...judge.args, '-p', 'go', '--json-schema', '{"type":"object","required":["count"]}'], options);
    expect({ stdout, code }).toEqual({ stdout: '{"count":3}\n', code: 0 });
    sandbox.remove();
  });
});
