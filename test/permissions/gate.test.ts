import { beforeEach, describe, expect, it } from 'vitest';
import { createGate, type PermissionGate } from '../../src/permissions/gate.ts';
import { joinRules, noRules, parseRules, type Rules } from '../../src/permissions/rules.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../src/types/ask.ts';
import type { ApprovalMode, Effect } from '../../src/types/effects.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const workspace = '/home/u/ws';
let mode: ApprovalMode;
let rules: Rules;
let asked: ApprovalRequest[];
let added: string[];
let answers: (ApprovalAnswer | Promise<ApprovalAnswer>)[];
let gate: PermissionGate;

beforeEach(() => {
  [mode, rules, asked, added, answers] = ['default', noRules, [], [], []];
  gate = createGate({
    mode: () => mode,
    rules: () => rules,
    addRule(rule, scope) {
      added.push(`${scope} ${rule}`);
      rules = joinRules(rules, parseRules({ allow: [rule] }, scope === 'session' ? 'session' : 'workspace').rules);
    },
    workspace,
    extraDirs: () => [],
    sandboxed: () => false,
    async ask(request) {
      asked.push(request);
      return answers.shift() ?? { kind: 'nobody' };
    },
    clock: createFakeClock(),
  });
});

function decide(command: string, signal = new AbortController().signal): ReturnType<PermissionGate['decide']> {
  const effects: Effect[] = [{ kind: 'command', command, cwd: workspace }];
  return gate.decide({ callId: 'c', toolName: 'shell', arguments: { command } }, { effects }, signal);
}

describe('the gate', () => {
  it('asks nothing when the judgement settles it', async () => {
    expect(await decide('ls')).toMatchObject({ verdict: 'allow', by: 'mode', needsPerson: false, endsRun: false });
    expect(await decide('rm -rf /')).toMatchObject({ verdict: 'refuse', by: 'safety', endsRun: false });
    expect(asked).toEqual([]);
  });

  it('puts the question with the reason, and the rule that always would add', async () => {
    answers = [{ kind: 'once' }];
    const decision = await decide('npm test && make all');
    expect(decision).toMatchObject({ verdict: 'allow', by: 'user' });
    expect(asked[0]).toMatchObject({
      requestId: decision.requestId,
      callId: 'c',
      toolName: 'shell',
      rule: 'shell(npm test *), shell(make all *)',
    });
    expect(asked[0]?.reason).toContain("no rule allows 'npm test'");
  });

  it('asks again after once, not after session or always', async () => {
    answers = [{ kind: 'once' }, { kind: 'session' }];
    await decide('npm test');
    await decide('npm test');
    expect(await decide('npm test -- --watch=false')).toMatchObject({ verdict: 'allow', by: 'session' });
    answers = [{ kind: 'always' }];
    await decide('make all');
    expect(await decide('make all')).toMatchObject({ verdict: 'allow', by: 'rule' });
    expect(added).toEqual(['session shell(npm test *)', 'always shell(make all *)']);
    expect(asked).toHaveLength(3);
  });

  it('adds no rule where none may cover the call', async () => {
    answers = [{ kind: 'always' }];
    expect(await decide('git reset --hard')).toMatchObject({ verdict: 'allow', by: 'user' });
    expect(asked[0]?.rule).toBeUndefined();
    expect(added).toEqual([]);
  });

  it('ends the run on a no without reason, and passes a reason on', async () => {
    answers = [{ kind: 'no' }, { kind: 'no', reason: 'use pnpm' }];
    expect(await decide('npm test')).toMatchObject({ verdict: 'refuse', by: 'user', endsRun: true });
    expect(await decide('npm install')).toMatchObject({
      verdict: 'refuse',
      by: 'user',
      endsRun: false,
      reason: 'The user refused: use pnpm',
    });
  });

  it('refuses the same call again without asking, until the next prompt', async () => {
    answers = [{ kind: 'no', reason: 'not now' }, { kind: 'once' }];
    expect(await decide('npm test')).toMatchObject({ verdict: 'refuse', by: 'user' });
    expect(await decide('npm test')).toMatchObject({ verdict: 'refuse', by: 'session', endsRun: false });
    expect(asked).toHaveLength(1);
    gate.startPrompt();
    expect(await decide('npm test')).toMatchObject({ verdict: 'allow' });
  });

  it('knows the same call by equal arguments in any order', async () => {
    answers = [{ kind: 'no', reason: 'x' }, { kind: 'once' }];
    const effects: Effect[] = [{ kind: 'write', path: `${workspace}/a` }];
    const call = (args: Record<string, unknown>): Promise<unknown> =>
      gate.decide({ callId: 'c', toolName: 'edit_file', arguments: args }, { effects }, new AbortController().signal);
    await call({ path: 'a', edits: [{ x: 1, y: 2 }] });
    expect(await call({ edits: [{ y: 2, x: 1 }], path: 'a' })).toMatchObject({ verdict: 'refuse' });
    expect(await call({ path: 'a', edits: [] })).toMatchObject({ verdict: 'allow' });
  });

  it('lets a changed mode allow what was refused', async () => {
    answers = [{ kind: 'no', reason: 'x' }];
    await decide('make');
    mode = 'yolo';
    expect(await decide('make')).toMatchObject({ verdict: 'allow', by: 'mode' });
  });

  it('makes nobody a refusal that needs a person', async () => {
    answers = [{ kind: 'nobody' }];
    expect(await decide('make')).toMatchObject({ verdict: 'refuse', by: 'nobody', needsPerson: true, endsRun: false });
  });

  it('puts questions one after the other, and does not ask what an answer has settled', async () => {
    const first = Promise.withResolvers<ApprovalAnswer>();
    answers = [first.promise];
    const both = Promise.all([decide('npm test'), decide('npm test -- a')]);
    await expect.poll(() => asked.length).toBe(1);
    first.resolve({ kind: 'session' });
    expect((await both).map(({ by }) => by)).toEqual(['user', 'session']);
    expect(asked).toHaveLength(1);
  });

  it('asks nothing more of the calls that waited behind a no', async () => {
    answers = [{ kind: 'no' }, { kind: 'once' }];
    const both = await Promise.all([decide('npm test'), decide('make')]);
    expect(both.map(({ endsRun }) => endsRun)).toEqual([true, true]);
    expect(asked).toHaveLength(1);
    expect(await decide('make')).toMatchObject({ verdict: 'allow' });
  });

  it('refuses what was interrupted', async () => {
    expect(await decide('make', AbortSignal.abort())).toMatchObject({ verdict: 'refuse', by: 'abort' });
    answers = [{ kind: 'aborted' }];
    expect(await decide('make')).toMatchObject({ verdict: 'refuse', by: 'abort' });
    expect(asked).toHaveLength(1);
  });

  it('never rejects', async () => {
    answers = [Promise.reject(new Error('gone'))];
    expect(await decide('make')).toMatchObject({ verdict: 'refuse', by: 'nobody' });
  });
});
