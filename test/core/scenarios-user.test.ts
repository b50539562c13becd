import { describe, expect, it } from 'vitest';
import { acting, looking, type TestEngine, testEngine, write } from '../helpers/engine.ts';
import { called, continued, dropped, ended, prompt, said } from './outline.ts';
import { answering, faultsOf, reminderOf } from './scripts.ts';

const three = write('a', 'b', 'c');
const threePending = '1:pending 2:pending 3:pending';
const tenMinutes = 600_000;
const pause = (reason: string) => ({ name: 'todo_pause', arguments: { reason } });
const asks = { name: 'ask_user', arguments: { question: 'Which one?' } };

function expectStrict(engine: TestEngine): void {
  for (const request of engine.provider.requests) expect(faultsOf(request)).toEqual([]);
}

describe('the user interrupts', () => {
  it('10: Esc during text with open todos: `aborted`, and nothing is sent for ten minutes', async () => {
    const engine = testEngine([{ calls: [three] }, [{ text: 'One ' }, { wait: 1000 }, { text: 'two' }]], { interactive: true });
    const playing = await engine.start('go');
    await engine.clock.advance(500);
    engine.service.interrupt();
    await engine.clock.settle();
    expect(playing.ended).toBe('aborted 130');
    await engine.clock.advance(tenMinutes);
    expect(engine.requestCount()).toBe(2);
    expect(engine.clock.pending()).toBe(0);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: threePending }),
      'turn-start',
      'draft-delta One ',
      'text-delta One ',
      'turn-end aborted',
      'finish aborted',
      ...ended('aborted', 'aborted 130'),
    ]);
    expect(engine.collector.of('text-delta').map((event) => event.cut)).toEqual([true]);
    expect(engine.collector.last('prompt-end')?.sentence).toBe('Stopped: interrupted by you, 3 of 3 open. /continue to go on');
  });

  it('10: the abort lasts: only a prompt of the user goes on', async () => {
    const engine = testEngine([{ calls: [three] }, [{ text: 'One ' }, { wait: 1000 }], { calls: [pause('later')] }], { interactive: true });
    await engine.start('go');
    engine.service.interrupt();
    await engine.clock.advance(tenMinutes);
    expect(engine.requestCount()).toBe(2);
    expect(await engine.play('go on')).toBe('paused 61');
    expect(engine.requestCount()).toBe(3);
    expectStrict(engine);
  });

  it('11: Esc while two tools run: each call has one result, and a strict server takes the next prompt', async () => {
    const engine = testEngine(
      [
        [
          { text: 'Looking.' },
          {
            calls: [
              { name: 'take_time', arguments: { ms: 5000, name: 'one' } },
              { name: 'take_time', arguments: { ms: 5000, name: 'two' } },
              acting('a'),
            ],
          },
        ],
        { text: 'Hello again.' },
      ],
      { interactive: true },
    );
    const playing = await engine.start('go');
    await engine.clock.advance(1000);
    engine.service.interrupt();
    await engine.clock.settle();
    expect(playing.ended).toBe('aborted 130');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      'turn-start',
      'text-delta Looking.',
      'tool-call take_time',
      'tool-call take_time',
      'tool-call act',
      'turn-end tool-calls',
      'finish tool-calls',
      'tool-start take_time',
      'tool-start take_time',
      'tool-result take_time failed',
      'tool-result take_time failed',
      'tool-result act failed',
      ...ended('aborted', 'aborted 130'),
    ]);
    expect(await engine.play('hello')).toBe('no-list 0');
    expect(engine.provider.requests.at(-1)?.messages.map((message) => (message.role === 'tool' ? message.output : message.role))).toEqual([
      'user',
      'assistant',
      'one was interrupted',
      'two was interrupted',
      'Not run: interrupted by the user.',
      'user',
    ]);
    expectStrict(engine);
  });

  it('Esc while an approval is open: the call is refused, the run ends `aborted`', async () => {
    const engine = testEngine([{ calls: [acting('a')] }], { interactive: true, mode: 'default' });
    const playing = await engine.start('go');
    expect(engine.collector.count('permission-request')).toBe(1);
    engine.service.interrupt();
    await engine.clock.settle();
    expect(playing.ended).toBe('aborted 130');
    expect(engine.collector.of('tool-result')).toHaveLength(1);
    expect(engine.questions.asking().kind).toBeUndefined();
  });
});

describe('the model pauses', () => {
  it('12: a valid pause ends the run, shows the reason and changes no status; the next prompt lifts it, the list goes on once in play', async () => {
    const engine = testEngine([
      { calls: [write(['a', 'in_progress'], 'b')] },
      { calls: [pause('  the config file is missing '), looking('x')] },
      { text: 'It is a parser.' },
      { calls: [acting('a')] },
      { text: 'Written.' },
      { calls: [pause('still missing')] },
    ]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:in_progress 2:pending' }),
      'turn-start',
      'tool-call todo_pause',
      'tool-call look',
      'turn-end tool-calls',
      'finish tool-calls',
      'tool-start todo_pause',
      'pause model the config file is missing',
      'tool-result todo_pause',
      'tool-start look',
      'tool-result look',
      ...ended('paused', 'paused 61'),
    ]);
    expect(engine.collector.last('prompt-end')?.sentence).toBe('Paused: the config file is missing, 2 of 2 open. tilldone -c -p to go on');
    expect(engine.todos.list().items.map((item) => item.status)).toEqual(['in_progress', 'pending']);

    engine.collector.clear();
    expect(await engine.play('what is this file?')).toBe('not-in-play 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('what is this file?'),
      ...said('It is a parser.'),
      ...ended('complete', 'not-in-play 0'),
    ]);
    expect(engine.collector.last('prompt-end')?.sentence).toBe('2 open from before, tilldone -c -p');

    engine.collector.clear();
    expect(await engine.play('write the file yourself')).toBe('paused 61');
    expect(engine.collector.outline()).toEqual([
      ...prompt('write the file yourself'),
      ...called('act'),
      ...dropped('Written.'),
      ...called('todo_pause', { reminded: true }).toSpliced(-1, 0, 'pause model still missing'),
      ...ended('paused', 'paused 61'),
    ]);
  });

  it.each([
    ['an empty reason', ' \n ', 'todo_pause needs a reason of 1 to 500 characters; this one is empty'],
    ['501 characters', 'x'.repeat(501), 'todo_pause needs a reason of 1 to 500 characters; this one has 501'],
  ])('13: a pause with %s is a tool error and work goes on', async (_name, reason, error) => {
    const engine = testEngine([
      { calls: [write('a')] },
      { calls: [pause(reason)] },
      { calls: [write(['a', 'completed'])] },
      { text: 'ok' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(
      engine.collector
        .of('tool-result')
        .filter((event) => event.isError)
        .map((event) => event.output),
    ).toEqual([error]);
    expect(engine.collector.count('pause')).toBe(0);
  });

  it.each([[1], [500]])('13: a reason of %d characters is valid', async (length) => {
    const engine = testEngine([{ calls: [write('a')] }, { calls: [pause(` ${'x'.repeat(length)} `)] }]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.last('pause')?.text).toHaveLength(length);
  });

  it('13: five valid pauses over five prompts are no loop', async () => {
    const engine = testEngine((_, index) => ({ calls: index === 0 ? [three, pause('stuck')] : [pause('stuck')] }));
    for (const text of ['go', 'continue', 'continue', 'continue', 'continue']) expect(await engine.play(text)).toBe('paused 61');
    expect(engine.requestCount()).toBe(5);
    expect(engine.collector.count('loop-detected')).toBe(0);
  });

  it('13: a pause without an active item is a tool error', async () => {
    const engine = testEngine([
      { calls: [pause('why not')] },
      { calls: [write(['a', 'blocked'], ['b', 'completed']), pause('why not')] },
      { text: 'ok' },
    ]);
    expect(await engine.play('go')).toBe('blocked 61');
    const outputs = engine.collector.of('tool-result').filter((event) => event.name === 'todo_pause');
    expect(outputs.map((event) => event.output)).toEqual(Array(2).fill('Nothing to pause: the list has no pending or in_progress item'));
  });
});

describe('the user is asked', () => {
  it('14: an open question: the engine waits as long as it takes, then goes on', async () => {
    const engine = testEngine([{ calls: [three, asks] }, { calls: [pause('enough')] }], { interactive: true });
    const playing = await engine.start('go');
    await engine.clock.advance(tenMinutes);
    expect([playing.ended, engine.requestCount(), engine.questions.asking().kind]).toEqual([undefined, 1, 'question']);
    engine.questions.answerQuestion(engine.collector.last('question-request')?.requestId ?? '', 'the first');
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('paused 61');
    expect(engine.collector.of('tool-result').map((event) => event.output)).toContain('the first');
  });

  it('14: one-shot: a typed refusal, and 64 when the list stays open', async () => {
    const engine = testEngine([{ calls: [three, asks] }, { text: 'I do not know which one.' }]);
    expect(await engine.play('go')).toBe('question 64');
    expect(engine.requestCount()).toBe(2);
  });

  it('14: one-shot: work that goes on all the same is no question any more', async () => {
    const engine = testEngine([
      { calls: [write('a'), asks] },
      { calls: [acting('a')] },
      { text: 'x' },
      { calls: [write(['a', 'completed'])] },
      { text: 'ok' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
  });

  it('34: no without a reason: the run ends with `permission`, and nothing is asked or sent', async () => {
    const engine = testEngine([{ calls: [three, acting('a'), acting('b')] }], { interactive: true, mode: 'default' });
    const playing = await engine.start('go');
    engine.questions.answerApproval(engine.collector.last('permission-request')?.requestId ?? '', { kind: 'no' });
    await engine.clock.advance(tenMinutes);
    expect(playing.ended).toBe('permission 64');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      'turn-start',
      'tool-call todo_write',
      'tool-call act',
      'tool-call act',
      'turn-end tool-calls',
      'finish tool-calls',
      'tool-start todo_write',
      `todos-change ${threePending}`,
      'tool-result todo_write',
      'permission-request',
      'permission-decision refuse by user',
      'tool-result act failed',
      'tool-result act failed',
      ...ended('permission', 'permission 64'),
    ]);
    expect(engine.requestCount()).toBe(1);
  });

  it('34: no with a reason reaches the model, the run goes on, and the same call is not asked again in this prompt', async () => {
    const engine = testEngine([{ calls: [three, acting('a')] }, { calls: [acting('a')] }, { calls: [pause('refused')] }], {
      interactive: true,
      mode: 'default',
    });
    const playing = await engine.start('go');
    engine.questions.answerApproval(engine.collector.last('permission-request')?.requestId ?? '', { kind: 'no', reason: 'use b instead' });
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('paused 61');
    expect(engine.collector.count('permission-request')).toBe(1);
    expect(engine.collector.of('tool-result').map((event) => event.output)).toContain('Not permitted: The user refused: use b instead');
  });

  it('one-shot: every acting call was refused for want of a person: 64', async () => {
    const engine = testEngine([{ calls: [three, acting('a')] }, { calls: [acting('b')] }, { text: 'I may not.' }], { mode: 'default' });
    expect(await engine.play('go')).toBe('permission 64');
    expect(engine.requestCount()).toBe(3);
  });
});

describe('the user types', () => {
  it('15: text while streaming is delivered at the tool boundary, before any continuation', async () => {
    const engine = testEngine([{ calls: [three] }, [{ wait: 1000 }, { calls: [looking('x')] }], { calls: [pause('as you say')] }], {
      interactive: true,
    });
    const playing = await engine.start('go');
    engine.service.steer('use tabs');
    expect(engine.service.waiting.get()).toEqual([{ kind: 'steer', text: 'use tabs' }]);
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: threePending }),
      ...called('look'),
      'user-message steer use tabs',
      ...called('todo_pause').toSpliced(-1, 0, 'pause model as you say'),
      ...ended('paused', 'paused 61'),
    ]);
    expect(engine.service.waiting.get()).toEqual([]);
    expectStrict(engine);
  });

  it('15: text while the model ends its run with open todos goes first: no retry, no continuation', async () => {
    const engine = testEngine([{ calls: [three] }, [{ wait: 1000 }, { text: 'I stop.' }], { calls: [pause('as you say')] }], {
      interactive: true,
    });
    const playing = await engine.start('go');
    engine.service.steer('use tabs');
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('paused 61');
    expect(engine.collector.outline().filter((line) => /^(attempt-retry|continuation|user-message)/u.test(line))).toEqual([
      'user-message prompt go',
      'user-message steer use tabs',
    ]);
    expect(engine.requestCount()).toBe(3);
  });
});

describe('continuation is off', () => {
  const talks = answering({ calls: [three] }, () => ({ text: 'never asked' }));

  it.each([
    ['the setting or the flag', { settings: { 'todo-continuation': false } }, 'off 61'],
    ['plan mode', { mode: 'plan' as const }, 'plan-mode 61'],
    ['an agent without acting tools', { agentActs: false }, 'agent-off 61'],
  ])('16: %s: no extra request, and text is not held back', async (_name, options, outcome) => {
    const engine = testEngine(talks, options);
    expect(await engine.play('go')).toBe(outcome);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: threePending }),
      ...said('talk'),
      ...ended('complete', outcome),
    ]);
  });

  it('16: switched off in mid run: the engine stops at once', async () => {
    const engine = testEngine([{ calls: [three] }, [{ text: 'Soon' }, { wait: 1000 }, { text: ' done' }]], { interactive: true });
    const playing = await engine.start('go');
    engine.setSettings({ 'todo-continuation': false });
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('off 61');
    expect(engine.requestCount()).toBe(2);
    expect(
      engine.collector
        .of('text-delta')
        .map((event) => event.text)
        .join(''),
    ).toBe('Soon done');
  });
});

describe('a list from an earlier prompt', () => {
  it('24: a side question is answered and nothing more; "go on" continues', async () => {
    const engine = testEngine([
      { calls: [three, pause('for now')] },
      { text: 'foo() adds numbers.' },
      { text: 'Going on.' },
      { calls: [write(['a', 'completed'], ['b', 'completed'], ['c', 'completed'])] },
      { text: 'Done.' },
    ]);
    expect(await engine.play('go')).toBe('paused 61');
    engine.collector.clear();
    expect(await engine.play('what does foo() do?')).toBe('not-in-play 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('what does foo() do?'),
      ...said('foo() adds numbers.'),
      ...ended('complete', 'not-in-play 0'),
    ]);
    engine.collector.clear();
    expect(await engine.play('Go on.')).toBe('done 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('Go on.'),
      ...dropped('Going on.'),
      ...called('todo_write', { reminded: true, list: '1:completed 2:completed 3:completed' }),
      ...said('Done.'),
      ...ended('complete', 'done 0'),
    ]);
  });

  it('24: a read does not put the list in play, an acting call that succeeds does', async () => {
    const engine = testEngine([
      { calls: [write('a'), pause('x')] },
      { calls: [looking('x'), acting('y', { fail: true })] },
      { text: 'no' },
      { calls: [acting('y')] },
      { text: 'yes' },
      { calls: [pause('x')] },
    ]);
    await engine.play('go');
    expect(await engine.play('look at x')).toBe('not-in-play 0');
    expect(await engine.play('change y')).toBe('paused 61');
    expect(engine.requestCount()).toBe(6);
  });
});

describe('background commands', () => {
  const running = { id: 'p1', command: 'npm run dev', state: 'running' as const, exitCode: null };
  const exited = { ...running, state: 'exited' as const, exitCode: 0 };
  const starts = (engine: () => TestEngine) => () => {
    engine().processes = [running];
    return { calls: [three] };
  };

  it('25: no continuation until it ends, and the budget is unspent', async () => {
    const engine: TestEngine = testEngine([starts(() => engine), { text: 'Waiting for it.' }, { calls: [pause('x')] }], {
      settings: { 'max-attempts': 2 },
    });
    const playing = await engine.start('go');
    await engine.clock.advance(60_000);
    expect([playing.ended, engine.requestCount(), engine.service.state.get()]).toEqual([
      undefined,
      2,
      { kind: 'waiting', reason: 'background' },
    ]);
    engine.processes = [exited];
    void engine.recorder.record({
      type: 'process-change',
      runId: '',
      turn: 0,
      attempt: 0,
      processId: 'p1',
      command: running.command,
      state: 'exited',
      exitCode: 0,
    });
    await engine.clock.settle();
    expect(playing.ended).toBe('paused 61');
    expect(engine.requestCount()).toBe(3);
    expect(engine.recorder.state.prompt.nudgesSinceClose).toBe(1);
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: threePending }),
      ...said('Waiting for it.'),
      'run-end complete',
      'process-change',
      ...continued(1, 'gentle', '1').slice(1),
      ...called('todo_pause', { reminded: true }).toSpliced(-1, 0, 'pause model x'),
      ...ended('paused', 'paused 61'),
    ]);
  });

  it('35: a dev server: the engine waits `background-wait`, then goes on and names it', async () => {
    const engine: TestEngine = testEngine([starts(() => engine), { text: 'It is up.' }, { calls: [pause('x')] }]);
    const playing = await engine.start('go');
    await engine.clock.advance(119_999);
    expect(engine.requestCount()).toBe(2);
    await engine.clock.advance(1);
    expect(playing.ended).toBe('paused 61');
    expect(reminderOf(engine.provider.requests[2] ?? { model: '', system: '', messages: [], tools: [] })).toContain(
      "Still running in the background: 'npm run dev'. Go on without waiting for it.",
    );
  });

  it('35: a server of an earlier prompt is not waited for', async () => {
    const engine: TestEngine = testEngine([starts(() => engine), { calls: [pause('x')] }, { text: 'on' }, { calls: [pause('x')] }]);
    await engine.play('go');
    await engine.play('continue');
    expect(engine.requestCount()).toBe(4);
  });
});

describe('ordinary chat', () => {
  it('36: 200 KB of text without a list: every delta is emitted at once, nothing is held', async () => {
    const deltas = Array.from({ length: 2000 }, (_, at) => `${at}: ${'abcdefghij'.slice(at % 7)} `.padEnd(100, String(at)));
    const engine = testEngine([[{ text: deltas }, { type: 'citation', text: 'a page' }]]);
    expect(await engine.play('tell me all')).toBe('no-list 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('tell me all'),
      'turn-start',
      ...deltas.map((text) => `text-delta ${text}`),
      'citation',
      'turn-end stop',
      'finish stop',
      ...ended('complete', 'no-list 0'),
    ]);
  });

  it.each([
    ['an open list that is not in play', {}, false],
    ['a paused list', {}, true],
  ])('36: no deferral with %s', async (_name, settings, pausedByUser) => {
    const engine = testEngine([{ calls: [three, pause('x')] }, { text: 'An answer.' }], { settings });
    await engine.play('go');
    engine.collector.clear();
    const playing = engine.start('what is it?');
    if (pausedByUser) engine.service.pause('hold on');
    await (await playing).outcome;
    expect(engine.collector.count('draft-delta')).toBe(0);
    expect(engine.collector.count('text-delta')).toBe(1);
  });
});
