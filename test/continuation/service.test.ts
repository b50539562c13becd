import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/providers/scripted.ts';
import { continuationStateSchema } from '../../src/types/continuation.ts';
import { nowhere } from '../../src/types/events.ts';
import { acting, looking, type Playing, type TestEngine, type TestEngineOptions, testEngine, write } from '../helpers/engine.ts';

const pause = { calls: [{ name: 'todo_pause', arguments: { reason: 'enough' } }] };
const tenMinutes = 600_000;

/** A list of two, then two texts in a row: the countdown begins. What follows is `rest`. */
async function counting(rest: Script & readonly unknown[] = [pause], options: TestEngineOptions = {}): Promise<TestEngine & Playing> {
  const script = [{ calls: [write('a', 'b')] }, { text: 'one' }, { text: 'two' }, ...rest] as Script;
  const engine = testEngine(script, { interactive: true, ...options });
  const playing = await engine.start('go');
  expect(engine.service.state.get().kind).toBe('counting');
  return Object.defineProperty(engine as TestEngine & Playing, 'ended', { get: () => playing.ended });
}

const ticks = (engine: TestEngine) => engine.collector.of('continuation-tick').map((event) => event.remainingMs);

describe('the countdown', () => {
  it('starts with open todos, ticks every second and sends the continuation at its end', async () => {
    const engine = await counting();
    expect(engine.service.state.get()).toEqual({ kind: 'counting', remainingMs: 2000, open: 2, heldByTyping: false });
    await engine.clock.advance(1999);
    expect(engine.requestCount()).toBe(3);
    await engine.clock.advance(1);
    expect(engine.requestCount()).toBe(4);
    expect(ticks(engine)).toEqual([2000, 1000]);
    expect(engine.collector.last('continuation-end')?.reason).toBe('sent');
    expect(engine.ended).toBe('paused 61');
  });

  it('is not there in one-shot runs and for retries in a turn', async () => {
    const engine = testEngine([{ calls: [write('a')] }, { text: 'one' }, { text: 'two' }, pause]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(ticks(engine)).toEqual([]);
    expect(engine.clock.now()).toBe(1_700_000_000_000);
  });

  it('Esc holds it: nothing is sent for ten minutes, and no timer is left', async () => {
    const engine = await counting();
    await engine.clock.advance(1000);
    engine.service.interrupt();
    await engine.clock.advance(tenMinutes);
    expect(engine.requestCount()).toBe(3);
    expect(engine.ended).toBe('aborted 130');
    expect(engine.collector.last('continuation-end')?.reason).toBe('aborted');
    expect(engine.clock.pending()).toBe(0);
    expect(engine.service.state.get()).toEqual({ kind: 'idle' });
  });

  it('typing holds it; emptying the line restarts it in full', async () => {
    const engine = await counting();
    await engine.clock.advance(1500);
    engine.service.typing(true);
    await engine.clock.advance(tenMinutes * 10);
    expect(engine.service.state.get()).toMatchObject({ kind: 'counting', heldByTyping: true });
    expect(engine.requestCount()).toBe(3);
    engine.service.typing(false);
    await engine.clock.advance(1999);
    expect(engine.requestCount()).toBe(3);
    await engine.clock.advance(1);
    expect(engine.requestCount()).toBe(4);
  });

  it('starts held when the line already has text', async () => {
    const engine = testEngine([{ calls: [write('a')] }, { text: 'one' }, { text: 'two' }, pause], { interactive: true });
    engine.service.typing(true);
    await engine.start('go');
    expect(engine.service.state.get()).toMatchObject({ kind: 'counting', heldByTyping: true, remainingMs: 2000 });
  });

  it('a submitted prompt ends it and runs instead', async () => {
    const engine = await counting([{ text: 'The answer.' }]);
    const second = engine.service.submit('what is b?');
    await engine.clock.settle();
    expect(engine.ended).toBe('user-input 61');
    expect((await second).reason).toBe('not-in-play');
    expect(engine.collector.last('continuation-end')?.reason).toBe('user-input');
    expect(engine.collector.of('user-message').map((event) => `${event.kind} ${event.text}`)).toEqual(['prompt go', 'prompt what is b?']);
    expect(engine.requestCount()).toBe(4);
  });

  it.each([
    ['a tool', () => ({ type: 'tool-start' as const, ...nowhere, callId: 'c', name: 'shell', effects: [], acting: true })],
    ['the model', () => ({ type: 'text-delta' as const, ...nowhere, text: 'x' })],
  ])('an event of %s ends it', async (_name, event) => {
    const engine = await counting();
    await engine.clock.advance(100);
    void engine.recorder.record(event());
    await engine.clock.advance(tenMinutes);
    expect(engine.ended).toBe('user-input 61');
    expect(engine.requestCount()).toBe(3);
  });

  it.each([
    [0, 4],
    [499, 4],
    [500, 3],
    [1500, 3],
  ])('an echoed user message after %d ms: the grace window ignores it up to 500 ms', async (afterMs, requests) => {
    const engine = await counting();
    await engine.clock.advance(afterMs);
    void engine.recorder.record({ type: 'user-message', ...nowhere, kind: 'shell', text: '!ls', promptId: 'x' });
    await engine.clock.advance(tenMinutes);
    expect(engine.requestCount()).toBe(requests);
  });

  it('the grace window never ignores a key of the user: Esc and a prompt count from the first ms', async () => {
    const interrupted = await counting();
    interrupted.service.interrupt();
    await interrupted.clock.advance(tenMinutes);
    expect([interrupted.ended, interrupted.requestCount()]).toEqual(['aborted 130', 3]);
    const asked = await counting([{ text: 'Yes?' }]);
    void asked.service.submit('wait');
    await asked.clock.advance(tenMinutes);
    expect([asked.ended, asked.requestCount()]).toEqual(['user-input 61', 4]);
  });

  it('`/set todo-continuation false` ends it at once', async () => {
    const engine = await counting();
    await engine.clock.advance(700);
    engine.setSettings({ 'todo-continuation': false });
    void engine.recorder.record({ type: 'settings-change', ...nowhere, key: 'todo-continuation', value: false });
    await engine.clock.settle();
    expect(engine.ended).toBe('off 61');
    expect(engine.collector.last('continuation-end')?.reason).toBe('off');
    await engine.clock.advance(tenMinutes);
    expect(engine.requestCount()).toBe(3);
  });

  it('/pause ends it at once', async () => {
    const engine = await counting();
    engine.service.pause('lunch');
    await engine.clock.settle();
    expect(engine.ended).toBe('paused 61');
    expect(engine.collector.last('prompt-end')?.sentence).toBe('Paused: lunch, 2 of 2 open. /continue to go on');
  });

  it('/clear, /model and /resume end it through `cancelCountdown`', async () => {
    const engine = await counting();
    engine.service.cancelCountdown();
    await engine.clock.advance(tenMinutes);
    expect(engine.ended).toBe('user-input 61');
    expect(engine.requestCount()).toBe(3);
  });

  it('the gates are asked again immediately before sending', async () => {
    const engine = await counting();
    await engine.clock.advance(1500);
    engine.setSettings({ 'todo-continuation': false });
    await engine.clock.advance(tenMinutes);
    expect(engine.ended).toBe('off 61');
    expect(engine.requestCount()).toBe(3);
  });

  it('a list that was finished by hand meanwhile is not nudged', async () => {
    const engine = await counting();
    await engine.clock.advance(1500);
    for (const id of ['1', '2']) engine.todos.edit({ kind: 'done', id }, 'user');
    await engine.clock.advance(tenMinutes);
    expect(engine.ended).toBe('done 0');
    expect(engine.requestCount()).toBe(3);
  });

  it('tells observers the task in hand, in the shape of the schema', async () => {
    const engine = await counting([{ calls: [looking('x')] }, { text: 'three' }, { text: 'four' }]);
    const seen = [engine.service.continuation.get()];
    engine.service.continuation.subscribe(() => seen.push(engine.service.continuation.get()));
    await engine.clock.advance(2000);
    engine.service.interrupt();
    await engine.clock.settle();
    for (const state of seen) expect(continuationStateSchema().parse(state)).toEqual(state);
    expect(seen[0]).toMatchObject({ isActive: true, taskDescription: 'a' });
    expect(seen[1]).toMatchObject({ isActive: true, attemptCount: 2, lastPromptTime: new Date(1_700_000_002_000) });
    expect(seen.at(-1)).toMatchObject({ isActive: false });
  });
});

describe('waiting', () => {
  it.each([
    ['gives room', true],
    ['is given up', false],
  ])('while a compaction that %s runs no continuation is sent; then the engine decides again', async (_name, succeeds) => {
    const engine = testEngine(
      [
        { calls: [write('a'), looking('far '.repeat(20_000))] },
        { text: 'one' },
        { text: 'two' },
        [{ wait: 30_000 }, { text: 'A summary.' }],
        pause,
      ],
      { interactive: true },
    );
    const playing = await engine.start('go');
    const controller = new AbortController();
    const compacting = engine.agent.compactor.compact('user', { place: nowhere, signal: controller.signal, focus: undefined });
    await engine.clock.advance(20_000);
    expect(engine.service.state.get()).toEqual({ kind: 'waiting', reason: 'recovering' });
    expect(engine.collector.last('continuation-end')?.reason).toBe('recovering');
    if (!succeeds) controller.abort();
    await engine.clock.advance(20_000);
    expect(await compacting).toBe(succeeds);
    expect(playing.ended).toBe('paused 61');
  });

  it('Esc ends a wait for a background command', async () => {
    const engine = testEngine([{ calls: [write('a')] }, { text: 'It runs.' }], { interactive: true });
    const started = engine.start('go');
    engine.processes = [{ id: 'p', command: 'sleep 1000', state: 'running', exitCode: null }];
    const playing = await started;
    expect(engine.service.state.get()).toEqual({ kind: 'waiting', reason: 'background' });
    engine.service.interrupt();
    await engine.clock.settle();
    expect(playing.ended).toBe('aborted 130');
    expect(engine.clock.pending()).toBe(0);
  });

  it('`todo-check-interval` is the least time between two continuations', async () => {
    const engine = testEngine(
      (_, index) => (index === 0 ? { calls: [write('a')] } : index % 2 === 1 ? { text: 'hm' } : { calls: [looking(`at ${index}`)] }),
      {
        interactive: true,
        settings: { 'continuation-countdown': 0, 'todo-check-interval': 1000, 'max-attempts': 1, 'max-todo-continuations': 3 },
      },
    );
    const times: number[] = [];
    engine.recorder.subscribe((event) => event.type === 'continuation-start' && times.push(engine.clock.now() - 1_700_000_000_000));
    expect(await engine.play('go')).toBe('continuation-limit 60');
    expect(times).toEqual([0, 1000, 2000]);
  });
});

describe('steering and queueing', () => {
  const slow = (ms: number, ...steps: object[]) => [{ wait: ms }, ...steps];

  it('a submit while busy steers, and resolves with the outcome of the prompt it joined', async () => {
    const engine = testEngine([slow(1000, { calls: [looking('x')] }), { text: 'both' }] as Script, { interactive: true });
    const playing = await engine.start('go');
    const second = engine.service.submit('and mind the tests');
    await engine.clock.advance(1000);
    expect(playing.ended).toBe('no-list 0');
    expect(await second).toBe(await playing.outcome);
    expect(engine.collector.of('user-message').map((event) => event.kind)).toEqual(['prompt', 'steer']);
    expect(engine.requestCount()).toBe(2);
  });

  it('steering gives the nudges back, not the caps', async () => {
    const engine = testEngine((_, index) => (index === 0 ? { calls: [write('a')] } : slow(100, { text: 'hm' })) as never, {
      interactive: true,
      settings: { 'max-turns': 9, 'continuation-countdown': 0, 'todo-check-interval': 0 },
    });
    const playing = await engine.start('go');
    await engine.clock.advance(350);
    expect(engine.recorder.state.prompt.nudgesWithoutProgress).toBe(3);
    engine.service.steer('try b');
    await engine.clock.advance(60_000);
    expect(playing.ended).toBe('turn-limit 53');
    expect(engine.requestCount()).toBe(9);
  });

  it('steering while idle is a prompt', async () => {
    const engine = testEngine([{ text: 'hello' }]);
    engine.service.steer('hi');
    await engine.clock.settle();
    expect(engine.collector.outline()).toContain('user-message prompt hi');
  });

  it('queued texts run one after the other, each as its own prompt, after the present one', async () => {
    const engine = testEngine([slow(1000, { text: 'one' }), { text: 'two' }, { text: 'three' }] as Script, { interactive: true });
    await engine.start('first');
    engine.service.queue('second');
    engine.service.queue('third');
    expect(engine.service.waiting.get()).toEqual([
      { kind: 'queue', text: 'second' },
      { kind: 'queue', text: 'third' },
    ]);
    await engine.clock.advance(1000);
    expect(engine.collector.of('user-message').map((event) => `${event.kind} ${event.text}`)).toEqual([
      'prompt first',
      'queue second',
      'queue third',
    ]);
    expect(engine.collector.count('prompt-end')).toBe(3);
    expect(engine.service.waiting.get()).toEqual([]);
  });

  it('a queued text goes before a continuation', async () => {
    const engine = testEngine([slow(1000, { calls: [write('a')] }), { text: 'stop' }, { text: 'second' }] as Script, { interactive: true });
    const playing = await engine.start('first');
    engine.service.queue('second');
    await engine.clock.advance(1000);
    expect(playing.ended).toBe('user-input 61');
    expect(engine.requestCount()).toBe(3);
    expect(engine.collector.last('prompt-end')?.reason).toBe('not-in-play');
  });

  it('after Esc queued texts and steering stay, to be taken back into the editor', async () => {
    const engine = testEngine([slow(1000, { text: 'one' })] as Script, { interactive: true });
    const playing = await engine.start('first');
    engine.service.steer('left');
    engine.service.queue('second');
    engine.service.interrupt();
    expect(engine.service.takeWaiting()).toEqual(['left', 'second']);
    await engine.clock.advance(tenMinutes);
    expect(playing.ended).toBe('aborted 130');
    expect(engine.requestCount()).toBe(1);
    expect(engine.service.waiting.get()).toEqual([]);
  });

  it('Esc in the very moment in which a prompt ends holds what waits, too', async () => {
    const engine = testEngine([slow(1000, { finish: 'length' }), { text: 'never' }] as Script, { interactive: true });
    const playing = await engine.start('first');
    engine.service.steer('and then?');
    engine.recorder.subscribe((event) => event.type === 'prompt-end' && engine.service.interrupt());
    await engine.clock.advance(tenMinutes);
    expect(playing.ended).toBe('output-limit 1');
    expect(engine.requestCount()).toBe(1);
    expect(engine.service.takeWaiting()).toEqual(['and then?']);
  });

  it('steering that comes too late for its run is a prompt of its own', async () => {
    const engine = testEngine([slow(1000, { finish: 'length' }), { text: 'yes' }] as Script, { interactive: true });
    const playing = await engine.start('first');
    engine.service.steer('and then?');
    await engine.clock.advance(1000);
    expect(playing.ended).toBe('output-limit 1');
    expect(engine.collector.of('user-message').map((event) => `${event.kind} ${event.text}`)).toEqual(['prompt first', 'prompt and then?']);
    expect(engine.service.waiting.get()).toEqual([]);
  });
});

describe('pausing, resuming and refusals', () => {
  it('/pause while the model works: it may finish its run, then the list is held, with no retry', async () => {
    const engine = testEngine([{ calls: [write('a')] }, [{ wait: 1000 }, { text: 'So far.' }], pause], { interactive: true });
    const playing = await engine.start('go');
    engine.service.pause('lunch');
    await engine.clock.advance(tenMinutes);
    expect(playing.ended).toBe('paused 61');
    expect(engine.requestCount()).toBe(2);
    const resumed = engine.service.resume();
    await engine.clock.advance(10);
    expect((await resumed).reason).toBe('paused');
    expect(engine.recorder.state.prompt.inPlay).toBe(true);
    expect(engine.requestCount()).toBe(3);
  });

  it('a pause of the user does not speak for another end', async () => {
    const engine = testEngine(
      [{ calls: [write('a')] }, [{ wait: 1000 }, { error: { kind: 'server', message: 'Out of order.', retryable: false } }]],
      { interactive: true },
    );
    const playing = await engine.start('go');
    engine.service.pause('lunch');
    await engine.clock.advance(1000);
    expect((await playing.outcome).sentence).toBe('Stopped: the model could not be asked: Out of order, 1 of 1 open. /continue to go on');
  });

  it('a denial holds until the user acts', async () => {
    const engine = testEngine([{ calls: [write('a'), acting('x')] }, pause], { interactive: true, mode: 'default' });
    const playing = await engine.start('go');
    engine.questions.answerApproval(engine.collector.last('permission-request')?.requestId ?? '', { kind: 'no' });
    await engine.clock.advance(tenMinutes);
    expect([playing.ended, engine.requestCount()]).toEqual(['permission 64', 1]);
    expect(await engine.play('continue')).toBe('paused 61');
  });

  it('a resumed session waits for the user, and says so', () => {
    const engine = testEngine([]);
    engine.todos.write([{ content: 'a' }]);
    engine.agent.markResumed();
    expect(engine.agent.decide('complete')).toEqual({ kind: 'return', reason: 'paused-by-resume' });
    expect(engine.service.explain()[0]).toBe('decision: return (paused-by-resume)');
    expect(engine.requestCount()).toBe(0);
  });

  it('/why names the deciding gate and its values', async () => {
    const engine = await counting([]);
    expect(engine.service.explain()).toEqual([
      "decision: continue with 'a'",
      'run ended: complete',
      'todos: 0 of 2 completed, 2 active, 0 blocked, 0 cancelled',
      'in play: yes',
      'todo-continuation: on',
      'paused: no',
      'waiting text of yours: no; open question: none; said no: no',
      'left out by the model: 0; background commands waited for: 0',
      'nudges without progress: 1 of 3',
      'nudges since the last closed item: 1 of 10',
      'cap reached: none',
    ]);
    engine.service.interrupt();
    await engine.clock.settle();
    expect(engine.service.explain().slice(0, 2)).toEqual(['decision: return (aborted)', 'run ended: complete, aborted by you']);
  });
});
