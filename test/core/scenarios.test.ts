import { describe, expect, it } from 'vitest';
import type { TodoStatus } from '../../src/types/todos.ts';
import { acting, looking, testEngine, write } from '../helpers/engine.ts';
import { called, continued, dropped, ended, prompt, said } from './outline.ts';
import { answering, isNudged, reminderOf } from './scripts.ts';

const three = write('a', 'b', 'c');
const threePending = '1:pending 2:pending 3:pending';
const five = write('a', 'b', 'c', 'd', 'e');
const fivePending = `${threePending} 4:pending 5:pending`;

describe('a model that only talks', () => {
  it('1: is asked once per turn and once per run, and stops after three nudges: 5 requests', async () => {
    const engine = testEngine((_, index) => (index === 0 ? { calls: [three] } : { text: `talk ${index}` }));
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: threePending }),
      ...dropped('talk 1'),
      ...said('talk 2', { reminded: true }),
      ...continued(1, 'escalated', '1'),
      ...dropped('talk 3', { reminded: true }),
      ...said('talk 4', { reminded: true }),
      ...ended('complete', 'no-progress 60'),
    ]);
    expect(engine.requestCount()).toBe(5);
    expect(engine.todos.list().items.map((item) => item.status)).toEqual(['pending', 'pending', 'pending']);
    expect(engine.collector.of('attempt-retry').map((event) => [event.todoId, event.draft])).toEqual([
      ['1', 'talk 1'],
      ['1', 'talk 3'],
    ]);
    const [, , first, second, third] = engine.provider.requests.map((request) => reminderOf(request) ?? '');
    expect(first).toContain("You have an active task: 'a'");
    expect(first).not.toContain('You stopped again');
    expect(second).toContain('You stopped again');
    expect(third).toContain('You stopped again');
  });

  it('20: gives an empty answer twice: one nudge of its own, then `empty`', async () => {
    for (const nothing of [[], { text: ' \n\t ' }, { reasoning: 'hm' }]) {
      const engine = testEngine({ turns: [{ calls: [three] }, nothing], repeatLast: true });
      expect(await engine.play('go')).toBe('empty 1');
      expect(engine.requestCount()).toBe(3);
      expect(engine.provider.requests.map(reminderOf)).toEqual([
        undefined,
        undefined,
        expect.stringContaining('Your last answer was empty.'),
      ]);
      expect(
        engine.collector.outline().filter((line) => /^(turn-start|attempt-retry|turn-end|finish|run-end|prompt-end)/u.test(line)),
      ).toEqual([
        'turn-start',
        'turn-end tool-calls',
        'finish tool-calls',
        'turn-start',
        'attempt-retry empty',
        'turn-start reminded',
        'turn-end stop',
        'finish stop',
        'run-end empty',
        'prompt-end empty 1',
      ]);
    }
  });

  it('an empty answer is not asked again once the nudges are spent', async () => {
    const engine = testEngine([{ calls: [three] }, { text: 'a' }, { text: 'b' }, { calls: [looking('x')] }, []], {
      settings: { 'max-todo-continuations': 2 },
    });
    expect(await engine.play('go')).toBe('empty 1');
    expect(engine.requestCount()).toBe(5);
  });

  it('20: an empty answer without a list is asked once, too', async () => {
    const engine = testEngine([[], { text: 'here I am' }]);
    expect(await engine.play('hello')).toBe('no-list 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('hello'),
      'turn-start',
      'attempt-retry empty',
      ...said('here I am', { reminded: true }),
      ...ended('complete', 'no-list 0'),
    ]);
  });
});

describe('a model that works', () => {
  it('2: alternates lists, calls and text, all legitimate: one finish per turn, then `done`', async () => {
    const engine = testEngine([
      [{ text: 'Planning.' }, { calls: [write(['a', 'in_progress'], 'b')] }],
      [{ text: 'Doing a.' }, { calls: [acting('a')] }],
      [{ calls: [write(['a', 'completed'], ['b', 'in_progress'])] }],
      [{ calls: [acting('b')] }],
      [{ text: 'Both work.' }, { calls: [write(['a', 'completed'], ['b', 'completed'])] }],
      { text: 'All done.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.requestCount()).toBe(6);
    const outline = engine.collector.outline();
    expect(outline).toEqual([
      ...prompt('go'),
      ...['turn-start', 'text-delta Planning.', ...called('todo_write', { list: '1:in_progress 2:pending' }).slice(1)],
      ...['turn-start', 'draft-delta Doing a.', 'text-delta Doing a.', ...called('act').slice(1)],
      ...called('todo_write', { list: '1:completed 2:in_progress' }),
      ...called('act'),
      ...[
        'turn-start',
        'draft-delta Both work.',
        'text-delta Both work.',
        ...called('todo_write', { list: '1:completed 2:completed' }).slice(1),
      ],
      ...said('All done.'),
      ...ended('complete', 'done 0'),
    ]);
  });

  it('3: stops once after the list, then works it off: one reminder, `done`', async () => {
    const engine = testEngine([
      { calls: [write('a', 'b')] },
      { text: 'Here is the plan.' },
      { calls: [acting('a')] },
      { calls: [write(['a', 'completed'], ['b', 'completed'])] },
      { text: 'Done.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:pending 2:pending' }),
      ...dropped('Here is the plan.'),
      ...called('act', { reminded: true }),
      ...called('todo_write', { list: '1:completed 2:completed' }),
      ...said('Done.'),
      ...ended('complete', 'done 0'),
    ]);
  });

  it.each([5, 30, 100])('finishes %d items with one extra request per stop and not one more: 3n + 1 requests', async (count) => {
    const list = (done: number) =>
      write(...Array.from({ length: count }, (_, at): [string, TodoStatus] => [`item ${at}`, at < done ? 'completed' : 'pending']));
    let done = 0;
    let half = false;
    const engine = testEngine((request, index) => {
      if (index === 0) return { calls: [list(0)] };
      // two calls to an item, and a stop after each item
      if (done > 0 && !half && !isNudged(request)) return { text: `Item ${done} is done.` };
      half = !half;
      if (half) return { calls: [acting(`file ${done}`)] };
      done += 1;
      return { calls: [list(done)] };
    });
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.requestCount()).toBe(3 * count + 1);
  });

  it.each([5, 30, 100])(
    'stops after making a list of %d and after each item of one call: done, one extra request per stop',
    async (count) => {
      const list = (done: number) =>
        write(...Array.from({ length: count }, (_, at): [string, TodoStatus] => [`item ${at}`, at < done ? 'completed' : 'pending']));
      let done = 0;
      const engine = testEngine((request, index) => {
        if (index === 0) return { calls: [list(0)] };
        if (!isNudged(request)) return { text: 'Shall I go on?' };
        done += 1;
        return { calls: [list(done)] };
      });
      expect(await engine.play('go')).toBe('done 0');
      expect(engine.requestCount()).toBe(2 * count + 2);
    },
  );

  it('6: closes one item per continuation, 12 of them, with the limit at 10', async () => {
    let done = 0;
    const list = () =>
      write(...Array.from({ length: 12 }, (_, at): [string, TodoStatus] => [`item ${at}`, at < done ? 'completed' : 'pending']));
    const engine = testEngine(
      answering({ calls: [list()] }, () => {
        done += 1;
        return { calls: [list()] };
      }),
      { settings: { 'max-attempts': 1, 'max-todo-continuations': 10 } },
    );
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.count('continuation-start')).toBe(12);
    expect(engine.requestCount()).toBe(26);
  });

  it('31: closes one item only at every 4th nudge, 5 items: a closed item gives the nudges back', async () => {
    let nudges = 0;
    let done = 0;
    const list = () =>
      write(...Array.from({ length: 5 }, (_, at): [string, TodoStatus] => [`item ${at}`, at < done ? 'completed' : 'pending']));
    const engine = testEngine(
      answering({ calls: [list()] }, (index) => {
        nudges += 1;
        if (nudges % 4 !== 0) return { calls: [looking(`at ${index}`)] };
        done += 1;
        return { calls: [list()] };
      }),
    );
    expect(await engine.play('go')).toBe('done 0');
    expect(nudges).toBe(20);
    expect(engine.requestCount()).toBe(42);
  });

  it('32: a 700-character report while an item is in progress is kept and shown; a continuation asks for the update', async () => {
    const report = Array.from({ length: 200 }, (_, at) => `Line ${at} works.`)
      .join(' ')
      .slice(0, 700);
    const engine = testEngine([
      { calls: [write(['a', 'completed'], ['b', 'in_progress'])] },
      { text: [report.slice(0, 300), report.slice(300, 600), report.slice(600)] },
      { calls: [write(['a', 'completed'], ['b', 'completed'])] },
      { text: 'Everything is marked.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:completed 2:in_progress' }),
      'turn-start',
      `draft-delta ${report.slice(0, 300)}`,
      `draft-delta ${report.slice(300, 600)}`,
      `text-delta ${report.slice(0, 300)}`,
      `text-delta ${report.slice(300, 600)}`,
      `text-delta ${report.slice(600)}`,
      'turn-end stop',
      'finish stop',
      ...continued(1, 'gentle', '2'),
      ...called('todo_write', { reminded: true, list: '1:completed 2:completed' }),
      ...said('Everything is marked.'),
      ...ended('complete', 'done 0'),
    ]);
    expect(engine.recorder.state.history.some((message) => message.role === 'assistant' && JSON.stringify(message).includes(report))).toBe(
      true,
    );
  });
});

describe('a model that churns', () => {
  it('4: rewords every turn: 12 turns, a corrective reminder, 3 more: 16 requests', async () => {
    const engine = testEngine((_, index) => ({ calls: [write(`a, version ${index}`, 'b', 'c')] }));
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...Array.from({ length: 13 }, () => called('todo_write', { list: threePending })).flat(),
      ...called('todo_write', { reminded: 'idle', list: threePending }),
      ...Array.from({ length: 2 }, () => called('todo_write', { list: threePending })).flat(),
      ...ended('no-progress', 'no-progress 60'),
    ]);
    expect(engine.requestCount()).toBe(16);
  });

  it('4: the correction is not lost when the 12th turn is a text', async () => {
    const engine = testEngine((_, index) => (index === 12 ? { text: 'hm' } : { calls: [write(`a, version ${index}`, 'b', 'c')] }), {
      settings: { 'max-attempts': 1 },
    });
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.collector.of('reminder-sent').map((event) => event.reminder)).toEqual(['idle']);
    expect(engine.requestCount()).toBe(16);
  });

  it('4: reorders every turn: 16 requests', async () => {
    const engine = testEngine((_, index) => ({ calls: [index % 2 === 0 ? write('a', 'b', 'c') : write('b', 'a', 'c')] }));
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.requestCount()).toBe(16);
  });

  it('4: toggles pending and in_progress every turn: 16 requests', async () => {
    const engine = testEngine((_, index) => ({ calls: [write(['a', index % 2 === 0 ? 'pending' : 'in_progress'], 'b', 'c')] }));
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.requestCount()).toBe(16);
    expect(engine.collector.of('reminder-sent').map((event) => event.reminder)).toEqual(['idle']);
  });

  it('4: closes and re-opens the same item every turn: it counts once', async () => {
    const engine = testEngine((_, index) => ({ calls: [write(['a', index % 2 === 0 ? 'pending' : 'completed'], 'b', 'c')] }));
    expect(await engine.play('go')).toBe('no-progress 60');
    expect(engine.requestCount()).toBe(17);
  });

  it('5: writes the same list after every nudge and then talks: 8 requests', async () => {
    const engine = testEngine(answering({ calls: [five] }, () => ({ calls: [five] })));
    expect(await engine.play('go')).toBe('no-progress 60');
    const unchanged = 'notice info The list was written again without a change.';
    const same = called('todo_write', { reminded: true, after: [unchanged] });
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: fivePending }),
      ...dropped('talk'),
      ...same,
      ...dropped('talk', { reminded: 'unchanged' }),
      ...same,
      ...dropped('talk', { reminded: 'unchanged' }),
      ...same,
      ...said('talk', { reminded: 'unchanged' }),
      ...ended('complete', 'no-progress 60'),
    ]);
    expect(engine.requestCount()).toBe(8);
  });

  it('5: writes only the same list: corrected after the 5th, `loop` at the 6th: 7 requests', async () => {
    const engine = testEngine({ turns: [{ calls: [five] }], repeatLast: true });
    expect(await engine.play('go')).toBe('loop 60');
    const unchanged = 'notice info The list was written again without a change.';
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: fivePending }),
      ...called('todo_write', { after: [unchanged] }),
      ...Array.from({ length: 3 }, () => called('todo_write', { reminded: 'unchanged', after: [unchanged] })).flat(),
      ...called('todo_write', { reminded: 'unchanged', after: [unchanged, 'loop-detected strike 1'] }),
      ...called('todo_write', { reminded: 'loop', after: [unchanged, 'loop-detected strike 2'] }),
      ...ended('loop', 'loop 60'),
    ]);
    expect(engine.requestCount()).toBe(7);
    expect(
      engine.provider.requests
        .at(-1)
        ?.messages.filter((message) => message.role === 'tool')
        .map((message) => message.output),
    ).toEqual(['List version 1: 0 of 5 completed, 5 open', ...Array(5).fill('unchanged (version 1)')]);
  });

  it('7: adds an item whenever it closes one: the turn cap ends it', async () => {
    const engine = testEngine(
      (_, index) => ({
        calls: [
          write(
            ...Array.from({ length: index + 2 }, (_item, at): [string, TodoStatus] => [`item ${at}`, at < index ? 'completed' : 'pending']),
          ),
        ],
      }),
      { settings: { 'max-turns': 20 } },
    );
    expect(await engine.play('go')).toBe('turn-limit 53');
    expect(engine.requestCount()).toBe(20);
  });

  it('33: a new cheap read after each nudge and then talk: `continuation-limit` after 10 nudges: 22 requests', async () => {
    const engine = testEngine(answering({ calls: [three] }, (index) => ({ calls: [looking(`at ${index}`)] })));
    expect(await engine.play('go')).toBe('continuation-limit 60');
    expect(engine.requestCount()).toBe(22);
    expect(engine.collector.count('attempt-retry') + engine.collector.count('continuation-start')).toBe(10);
  });
});

describe('a model that repeats calls', () => {
  it('8: the same call with the same result: corrected after the 5th, `loop` at the 6th', async () => {
    const engine = testEngine({ turns: [{ calls: [looking('x')] }], repeatLast: true });
    expect(await engine.play('go')).toBe('loop 60');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...Array.from({ length: 4 }, () => called('look')).flat(),
      ...called('look', { after: ['loop-detected strike 1'] }),
      ...called('look', { reminded: 'loop', after: ['loop-detected strike 2'] }),
      ...ended('loop', 'loop 60'),
    ]);
    expect(engine.requestCount()).toBe(6);
  });

  it('8: failing, after the 3rd and at the 4th', async () => {
    const engine = testEngine({ turns: [{ calls: [looking('x', { fail: true })] }], repeatLast: true });
    expect(await engine.play('go')).toBe('loop 60');
    expect(engine.requestCount()).toBe(4);
    expect(engine.collector.of('loop-detected').map((event) => event.strike)).toEqual([1, 2]);
  });

  it('8: the same tool on 20 files is no loop', async () => {
    const engine = testEngine((_, index) => (index < 20 ? { calls: [looking(`file ${index}`)] } : { text: 'Read them all.' }));
    expect(await engine.play('go')).toBe('no-list 0');
    expect(engine.requestCount()).toBe(21);
    expect(engine.collector.count('loop-detected')).toBe(0);
  });

  it('9: A and B three times across turns: corrected, and the next A is `loop`', async () => {
    const engine = testEngine((_, index) => ({ calls: [looking(index % 2 === 0 ? 'A' : 'B')] }));
    expect(await engine.play('go')).toBe('loop 60');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...Array.from({ length: 5 }, () => called('look')).flat(),
      ...called('look', { after: ['loop-detected strike 1'] }),
      ...called('look', { reminded: 'loop', after: ['loop-detected strike 2'] }),
      ...ended('loop', 'loop 60'),
    ]);
  });

  it('9: after the correction another call breaks the pattern', async () => {
    const engine = testEngine((_, index) =>
      index < 6 ? { calls: [looking(index % 2 === 0 ? 'A' : 'B')] } : index === 6 ? { calls: [looking('C')] } : { text: 'ok' },
    );
    expect(await engine.play('go')).toBe('no-list 0');
    expect(engine.collector.of('loop-detected').map((event) => event.strike)).toEqual([1]);
  });

  it('a strike in the first turn of one run and the same call in the first turn of the next: `loop`', async () => {
    const engine = testEngine(
      [
        { calls: [three, looking('x'), looking('x'), looking('x'), looking('x'), looking('x')] },
        { text: 'talk' },
        { calls: [looking('x')] },
      ],
      { settings: { 'max-attempts': 1 } },
    );
    expect(await engine.play('go')).toBe('loop 60');
    expect(engine.requestCount()).toBe(3);
  });
});
