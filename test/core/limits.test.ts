import { describe, expect, it } from 'vitest';
import { createStopwatch } from '../../src/core/stopwatch.ts';
import { nowhere } from '../../src/types/events.ts';
import { acting, looking, type TestEngine, testEngine, write } from '../helpers/engine.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const usage = (inputTokens: number, costUsd?: number) => ({
  usage: { inputTokens, outputTokens: 0, ...(costUsd === undefined ? {} : { costUsd }) },
});

describe('the caps of a prompt', () => {
  it('tokens: dropped attempts count, and no request follows', async () => {
    const engine = testEngine((_, index) => [index === 0 ? { calls: [write('a')] } : { text: 'hm' }, usage(40)], {
      settings: { 'max-total-tokens': 100 },
    });
    expect(await engine.play('go')).toBe('token-limit 62');
    expect(engine.requestCount()).toBe(3);
    expect(engine.collector.last('prompt-end')?.sentence).toContain('100 tokens used for this prompt (max-total-tokens), 1 of 1 open');
  });

  it('money: the same', async () => {
    const engine = testEngine((_, index) => [{ calls: [index === 0 ? write('a') : looking(`at ${index}`)] }, usage(1, 0.4)], {
      settings: { 'max-budget-usd': 1 },
    });
    expect(await engine.play('go')).toBe('budget-limit 62');
    expect(engine.requestCount()).toBe(3);
  });

  it('requests: a retry counts, and is not made beyond the cap', async () => {
    const engine = testEngine((_, index) => (index === 0 ? { calls: [write('a')] } : { text: 'hm' }), { settings: { 'max-turns': 2 } });
    expect(await engine.play('go')).toBe('turn-limit 53');
    expect(engine.requestCount()).toBe(2);
    expect(engine.collector.count('attempt-retry')).toBe(0);
  });

  it('a cap that is reached when all is done does not matter', async () => {
    const engine = testEngine([{ calls: [write(['a', 'completed'])] }, { text: 'ok' }], { settings: { 'max-turns': 2 } });
    expect(await engine.play('go')).toBe('done 0');
  });

  it('a new prompt has caps of its own', async () => {
    const engine = testEngine((_, index) => ({ calls: [looking(`at ${index}`)] }), { settings: { 'max-turns': 2 } });
    expect(await engine.play('one')).toBe('turn-limit 53');
    expect(await engine.play('continue')).toBe('turn-limit 53');
    expect(engine.requestCount()).toBe(4);
  });

  it('time: the run is cut, and the text so far is kept', async () => {
    const engine = testEngine([{ calls: [write('a')] }, [{ text: 'Half' }, { wait: 60_000 }, { text: ' more' }]], {
      settings: { timeout: 10 },
    });
    const start = engine.clock.now();
    expect(await engine.play('go')).toBe('time-limit 62');
    expect(engine.clock.now() - start).toBe(10_000);
    expect(engine.recorder.state.history.at(-1)).toMatchObject({ role: 'assistant', cut: true, parts: [{ text: 'Half' }] });
  });

  it('time: a tool is cut, too', async () => {
    const engine = testEngine([{ calls: [{ name: 'take_time', arguments: { name: 'it', ms: 60_000 } }] }], { settings: { timeout: 10 } });
    expect(await engine.play('go')).toBe('time-limit 62');
    expect(engine.collector.last('tool-result')?.output).toBe('it was interrupted');
  });

  it.each([
    ['set', null],
    ['lowered', 3600],
  ])('time: a limit that is %s in mid-turn cuts that turn', async (_how, timeout) => {
    const engine = testEngine([[{ text: 'Half' }, { wait: 600_000 }, { text: ' more' }]], { settings: { timeout } });
    const start = engine.clock.now();
    const playing = await engine.start('go');
    await engine.clock.advance(5000);
    engine.setSettings({ timeout: 10 });
    void engine.recorder.record({ type: 'settings-change', ...nowhere, key: 'timeout', value: 10 });
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('time-limit 62');
    expect(engine.clock.now() - start).toBe(10_000);
  });

  it('time: a limit that is taken away in mid-turn cuts nothing', async () => {
    const engine = testEngine([[{ wait: 60_000 }, { text: 'done' }]], { settings: { timeout: 10 } });
    const playing = await engine.start('go');
    engine.setSettings({ timeout: null });
    void engine.recorder.record({ type: 'settings-change', ...nowhere, key: 'timeout', value: null });
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('no-list 0');
  });

  it('time: waiting for a person does not count', async () => {
    const engine = testEngine([{ calls: [acting('a')] }, [{ wait: 5000 }, { text: 'ok' }]], {
      interactive: true,
      mode: 'default',
      settings: { timeout: 10 },
    });
    const playing = await engine.start('go');
    await engine.clock.advance(3_600_000);
    engine.questions.answerApproval(engine.collector.last('permission-request')?.requestId ?? '', { kind: 'once' });
    await engine.clock.advanceUntil(() => playing.ended !== undefined);
    expect(playing.ended).toBe('no-list 0');
  });
});

describe('the clock of a prompt', () => {
  const serve = { id: 'p', command: 'serve', state: 'running' as const, exitCode: null };

  it('goes on while the engine waits for a background command', async () => {
    const engine: TestEngine = testEngine([{ calls: [write('a')] }, { text: 'It runs.' }], { settings: { timeout: 60 } });
    engine.recorder.subscribe((event) => {
      if (event.type === 'tool-result') engine.processes = [serve];
    });
    const start = engine.clock.now();
    expect(await engine.play('go')).toBe('time-limit 62');
    expect(engine.clock.now() - start).toBe(60_000);
    expect(engine.requestCount()).toBe(2);
  });

  it('stands still during a countdown: it waits for the user', async () => {
    const engine = testEngine(
      [{ calls: [write('a')] }, { text: 'one' }, { text: 'two' }, [{ wait: 900 }, { calls: [write(['a', 'completed'])] }], { text: 'ok' }],
      {
        interactive: true,
        settings: { timeout: 1 },
      },
    );
    expect(await engine.play('go')).toBe('done 0');
  });
});

describe('createStopwatch', () => {
  it('adds up runs, leaves out what a person took, and begins anew where it is told to', async () => {
    const clock = createFakeClock();
    let waited = 0;
    const stopwatch = createStopwatch(clock, () => waited);
    stopwatch.start();
    await clock.advance(1000);
    waited = 400;
    expect(stopwatch.elapsedMs()).toBe(600);
    stopwatch.stop();
    await clock.advance(5000);
    expect(stopwatch.elapsedMs()).toBe(600);
    stopwatch.start();
    await clock.advance(1000);
    expect(stopwatch.elapsedMs()).toBe(1600);
    stopwatch.reset(100);
    await clock.advance(50);
    expect(stopwatch.elapsedMs()).toBe(150);
  });

  it('calls back once when the limit is used up, unless it is ended before', async () => {
    const clock = createFakeClock();
    const stopwatch = createStopwatch(clock, () => 0);
    const reached: string[] = [];
    const ended = new AbortController();
    stopwatch.start();
    stopwatch.onLimit(
      () => 2,
      () => reached.push('two'),
      new AbortController().signal,
    );
    stopwatch.onLimit(
      () => 3,
      () => reached.push('three'),
      ended.signal,
    );
    stopwatch.onLimit(
      () => null,
      () => reached.push('none'),
      new AbortController().signal,
    );
    await clock.advance(2500);
    expect(reached).toEqual(['two']);
    ended.abort();
    await clock.advance(10_000);
    expect(reached).toEqual(['two']);
    expect(clock.pending()).toBe(0);
  });
});
