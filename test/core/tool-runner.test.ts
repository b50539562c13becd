import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { PermissionGate } from '../../src/permissions/gate.ts';
import type { ScriptedCall } from '../../src/providers/scripted.ts';
import { todoWrite } from '../../src/tools/todo-write.ts';
import { defineTool, success, type Tool } from '../../src/tools/tool.ts';
import { act, acting, look, looking, takeTime, testEngine } from '../helpers/engine.ts';
import { faultsOf } from './scripts.ts';

const broken: Tool = {
  name: 'broken',
  kind: 'read',
  description: '',
  parameters: {},
  prepare: async () => {
    throw new Error('out of order');
  },
};
const big = defineTool({
  name: 'big',
  kind: 'act',
  description: '',
  schema: () => z.object({ size: z.number() }),
  prepare: async () => ({ effects: [{ kind: 'command', command: 'pwd', cwd: '/workspace' }], run: async () => success('ran') }),
});
const tools = [look, act, takeTime, todoWrite, broken, big];
const waits = (name: string, ms: number): ScriptedCall => ({ name: 'take_time', arguments: { name, ms } });

/** The tool events and outputs of one turn with these calls. */
async function run(calls: readonly ScriptedCall[], gate?: PermissionGate) {
  const engine = testEngine([{ calls }, { text: 'ok' }], { tools, ...(gate === undefined ? {} : { gate: () => gate }) });
  const start = engine.clock.now();
  const playing = await engine.start('go');
  await engine.clock.advanceUntil(() => playing.ended !== undefined);
  for (const request of engine.provider.requests) expect(faultsOf(request)).toEqual([]);
  return {
    ended: playing.ended,
    ms: engine.clock.now() - start,
    outline: engine.collector.outline().filter((line) => line.startsWith('tool-') && !line.startsWith('tool-call')),
    outputs: engine.collector.of('tool-result').map((event) => event.output),
    results: engine.collector.of('tool-result'),
  };
}

const gateOf = (verdicts: readonly ('allow' | 'no' | 'reason')[]): PermissionGate => {
  let at = -1;
  return {
    async decide() {
      at += 1;
      const verdict = verdicts[at] ?? 'allow';
      const base = { requestId: `r${at}`, by: 'user' as const, needsPerson: false };
      if (verdict === 'allow') return { ...base, verdict: 'allow', reason: 'yes', endsRun: false };
      return { ...base, verdict: 'refuse', reason: verdict === 'no' ? 'no' : 'use b', endsRun: verdict === 'no' };
    },
    isActing: (effects) => effects.length > 0,
    startPrompt: () => {},
  };
};

describe('the calls of a turn', () => {
  it('reads run together, results come in the order of the calls', async () => {
    const { ms, outline, outputs } = await run([waits('slow', 300), waits('quick', 100)]);
    expect(ms).toBe(300);
    expect(outline).toEqual(['tool-start take_time', 'tool-start take_time', 'tool-result take_time', 'tool-result take_time']);
    expect(outputs).toEqual(['slow took its time', 'quick took its time']);
  });

  it('at most eight reads run at once', async () => {
    expect((await run(Array.from({ length: 8 }, (_, at) => waits(`${at}`, 100)))).ms).toBe(100);
    expect((await run(Array.from({ length: 9 }, (_, at) => waits(`${at}`, 100)))).ms).toBe(200);
  });

  it('whatever acts runs alone and in its place', async () => {
    const { outline } = await run([looking('a'), acting('b'), looking('c')]);
    expect(outline).toEqual([
      'tool-start look',
      'tool-result look',
      'tool-start act',
      'tool-result act',
      'tool-start look',
      'tool-result look',
    ]);
  });

  it.each<[string, ScriptedCall, string]>([
    ['an unusable call', { name: 'look', invalid: 'the arguments are no JSON' }, 'Not run: the arguments are no JSON'],
    ['an unknown tool', { name: 'nope' }, "No tool 'nope'. Available: look, act, take_time, todo_write, broken, big."],
    [
      'wrong arguments',
      { name: 'look', arguments: { at: 5 } },
      'Invalid arguments for look: at: Invalid input: expected string, received number',
    ],
    ['a tool that throws', { name: 'broken' }, 'The tool failed: out of order'],
  ])('%s has one result, an error in words', async (_name, call, output) => {
    const { results, ended } = await run([call, looking('after')]);
    expect(results.map((event) => [event.output, event.isError])).toEqual([
      [output, true],
      ['saw after', false],
    ]);
    expect(ended).toBe('no-list 0');
  });

  it('tells working and acting calls apart by tool and effects', async () => {
    const { results } = await run([
      looking('a'),
      acting('b'),
      { name: 'big', arguments: { size: 1 } },
      { name: 'todo_write', arguments: { todos: [] } },
    ]);
    expect(results.map((event) => [event.name, event.working, event.acting])).toEqual([
      ['look', true, false],
      ['act', true, true],
      ['big', true, false],
      ['todo_write', false, false],
    ]);
  });

  it('a no ends the run: what follows is not run', async () => {
    const { outputs, ended } = await run([acting('a'), acting('b'), looking('c')], gateOf(['no']));
    expect(ended).toBe('permission 64');
    expect(outputs).toEqual([
      'Not permitted: no',
      'Not run: the user refused an earlier call.',
      'Not run: the user refused an earlier call.',
    ]);
  });

  it('a no with a reason does not', async () => {
    const { outputs, ended } = await run([acting('a'), acting('b')], gateOf(['reason']));
    expect(ended).toBe('no-list 0');
    expect(outputs).toEqual(['Not permitted: use b', 'changed b']);
  });

  it('a second strike in the middle of a turn stops the rest of it', async () => {
    const same = Array.from({ length: 5 }, () => looking('x'));
    const engine = testEngine([{ calls: same }, { calls: [looking('x'), acting('y')] }], { tools });
    expect(await engine.play('go')).toBe('loop 60');
    expect(
      engine.collector
        .of('tool-result')
        .map((event) => event.output)
        .slice(-2),
    ).toEqual(['saw x', 'Not run: the run was stopped because the calls repeat themselves.']);
  });

  it('the intent of an acting call is on disk before it runs, its result before the next request', async () => {
    const synced: string[] = [];
    const engine = testEngine([{ calls: [acting('a'), looking('b')] }, { text: 'ok' }], {
      tools,
      onAppend: (event, { sync }) => sync && synced.push(event.type),
    });
    await engine.play('go');
    expect(synced).toEqual(['user-message', 'tool-start', 'tool-result', 'turn-end', 'prompt-end']);
  });
});
