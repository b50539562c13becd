import { describe, expect, it } from 'vitest';
import { acting, looking, testEngine, write } from '../helpers/engine.ts';
import { called, continued, dropped, ended, prompt, said } from './outline.ts';
import { reminderOf } from './scripts.ts';

const pause = { name: 'todo_pause', arguments: { reason: 'x' } };

describe('items that go missing', () => {
  it('22: a rewrite drops two unfinished items: named in the result and by one nudge, then `dropped`', async () => {
    const engine = testEngine([
      { calls: [write('a', 'b', 'c')] },
      { calls: [{ name: 'todo_write', arguments: { todos: [{ id: '1', content: 'a', status: 'completed' }] } }] },
      { text: 'All done.' },
      { text: 'Really, all done.' },
    ]);
    expect(await engine.play('go')).toBe('dropped 61');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:pending 2:pending 3:pending' }),
      ...called('todo_write', { list: '1:completed' }),
      ...dropped('All done.'),
      ...said('Really, all done.', { reminded: 'dropped' }),
      ...ended('complete', 'dropped 61'),
    ]);
    expect(engine.collector.of('tool-result').at(-1)?.output).toBe(
      "List version 2: 1 of 1 completed, 0 open\nLeft out though unfinished: 'b', 'c'. Put them back, or list them as cancelled",
    );
    expect(engine.provider.requests.map(reminderOf).at(-1)).toContain("Your last list left out unfinished items: 'b', 'c'.");
    expect(engine.collector.last('prompt-end')?.sentence).toBe(
      "Stopped: the model left unfinished items out of the list: 'b', 'c'. tilldone -c -p to go on",
    );
  });

  it('22: they are cancelled properly: `done`', async () => {
    const engine = testEngine([
      { calls: [write('a', 'b', 'c')] },
      { calls: [write(['a', 'completed'])] },
      { text: 'All done.' },
      { calls: [write(['a', 'completed'], ['b', 'cancelled'], ['c', 'cancelled'])] },
      { text: 'So it is.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.last('prompt-end')?.sentence).toBe('1 of 3 todos done, 2 cancelled');
  });

  it('22: they come back and are worked off: `done`', async () => {
    const engine = testEngine([
      { calls: [write('a', 'b')] },
      { calls: [write(['a', 'completed'])] },
      { text: 'All done.' },
      { calls: [write(['a', 'completed'], 'b')] },
      { calls: [write(['a', 'completed'], ['b', 'completed'])] },
      { text: 'Now it is.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
  });

  it('22: an empty write: named once, then `list-cleared`', async () => {
    const engine = testEngine([{ calls: [write('a', 'b')] }, { calls: [write()] }, { text: 'Cleared.' }, { text: 'Yes.' }]);
    expect(await engine.play('go')).toBe('list-cleared 61');
    expect(engine.requestCount()).toBe(4);
    expect(engine.collector.last('prompt-end')?.sentence).toBe(
      "Stopped: the model emptied the list, unfinished: 'a', 'b'. tilldone -c -p to go on",
    );
  });

  it('an empty write of a finished list is `no-list`', async () => {
    const engine = testEngine([{ calls: [write('a')] }, { calls: [write(['a', 'completed'])] }, { calls: [write()] }, { text: 'ok' }]);
    expect(await engine.play('go')).toBe('no-list 0');
  });

  it('a list renumbered without its first item drops that item', async () => {
    const engine = testEngine([
      { calls: [write('a', 'b', 'c')] },
      { calls: [write(['b', 'completed'], ['c', 'completed'])] },
      { text: 'All done.' },
      { text: 'Yes, all.' },
    ]);
    expect(await engine.play('go')).toBe('dropped 61');
    expect(engine.recorder.state.prompt.dropped.map((todo) => todo.content)).toEqual(['a']);
  });

  it('two items of the same content are both kept', async () => {
    const engine = testEngine([{ calls: [write('same', 'same')] }, { calls: [write(['same', 'completed'], 'same')] }, { calls: [pause] }]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.of('tool-result')[1]?.output).toBe('List version 2: 1 of 2 completed, 1 open');
    expect(engine.recorder.state.prompt.dropped).toEqual([]);
  });

  it('23: only blocked items left: `blocked`, 61, with the note', async () => {
    const engine = testEngine([
      {
        calls: [
          {
            name: 'todo_write',
            arguments: {
              todos: [
                { content: 'a', status: 'completed' },
                { content: 'b', status: 'blocked', note: 'no network' },
              ],
            },
          },
        ],
      },
      { text: 'b needs the network.' },
    ]);
    expect(await engine.play('go')).toBe('blocked 61');
    expect(engine.requestCount()).toBe(2);
    expect(engine.collector.last('prompt-end')?.sentence).toBe(
      'Stopped: 1 of 2 blocked, nothing else to do: no network. tilldone -c -p to go on',
    );
  });
});

describe('a list that is not as it should be', () => {
  it('30: ids, statuses, two in_progress and empty items are repaired, and the result says how', async () => {
    const todos = [
      { id: 1, content: 'a', status: 'done' },
      { id: 2, content: 'b', status: 'in_progress' },
      { id: 2, content: 'c', status: 'in_progress' },
      { id: null, content: 'd', status: 'pending' },
      { id: '9', content: '  ', status: 'pending' },
    ];
    const engine = testEngine([{ calls: [{ name: 'todo_write', arguments: { todos } }] }, { calls: [pause] }]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.todos.list().items.map(({ id, content, status }) => `${id} ${content} ${status}`)).toEqual([
      '1 a completed',
      '2 b pending',
      '3 c in_progress',
      '4 d pending',
    ]);
    expect(engine.collector.of('tool-result')[0]?.output).toBe(
      [
        'List version 1: 1 of 4 completed, 3 open',
        'Repaired: item 1: status "done" read as completed; item 5 has no content and was skipped; 2 items were in_progress; only the last stays so; ' +
          '3 ids were numbers and are text now; item 3: id 2 was taken, now 3; item 4: id null was replaced by 4',
      ].join('\n'),
    );
  });

  it('30: a list as a JSON string is read', async () => {
    const todos = JSON.stringify([{ content: 'a', status: 'pending' }]);
    const engine = testEngine([{ calls: [{ name: 'todo_write', arguments: { todos } }] }, { calls: [pause] }]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.of('tool-result')[0]?.output).toBe(
      'List version 1: 0 of 1 completed, 1 open\nRepaired: the list came as a JSON string and was parsed',
    );
  });

  it('a list that is none is a tool error and changes nothing', async () => {
    const engine = testEngine([{ calls: [{ name: 'todo_write', arguments: { todos: 'buy milk' } }] }, { text: 'ok' }]);
    expect(await engine.play('go')).toBe('no-list 0');
    expect(engine.collector.of('tool-result')[0]).toMatchObject({
      isError: true,
      output: 'todos must be an array of items, got "buy milk"',
    });
  });
});

describe('calls that did not arrive whole', () => {
  const cut = [{ calls: [acting('big file')] }, { finish: 'length' as const }];

  it('21: finish `length` inside a call: it never runs, and the model is told to split it', async () => {
    const engine = testEngine([cut, { calls: [acting('part 1')] }, { text: 'ok' }]);
    expect(await engine.play('go')).toBe('no-list 0');
    expect(engine.collector.of('tool-start').map((event) => event.callId)).toEqual(['call-2']);
    expect(engine.collector.of('tool-result')[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining('It is too long: split it into smaller calls.'),
    });
  });

  it('21: two in a row at most', async () => {
    const engine = testEngine(() => cut);
    expect(await engine.play('go')).toBe('output-limit 1');
    expect(engine.requestCount()).toBe(3);
    expect(engine.collector.count('tool-start')).toBe(0);
  });

  it('18: the stream dies after half a call: nothing runs, nothing of the call is kept', async () => {
    const engine = testEngine([
      [{ text: 'I will.' }, { calls: [acting('x')] }, { error: { kind: 'network', message: 'reset', retryable: false } }],
    ]);
    expect(await engine.play('go')).toBe('error 1');
    expect(engine.collector.count('tool-start')).toBe(0);
    expect(engine.recorder.state.history.at(-1)).toMatchObject({ cut: true, parts: [{ type: 'text', text: 'I will.' }] });
  });

  it('19: the context is full: one compaction and on; full again: `context-limit`', async () => {
    const full = { error: { kind: 'context-length' as const, message: 'too long', retryable: false } };
    const script = (answers: readonly object[]) => {
      let at = -1;
      return (request: { readonly tools: readonly unknown[] }) => {
        if (request.tools.length === 0) return { text: 'A summary.' };
        at += 1;
        return (answers[at] ?? { text: 'ok' }) as { text: string };
      };
    };
    const far = { calls: [looking('far '.repeat(20_000))] };
    const once = testEngine(script([far, full, { text: 'ok' }]));
    expect(await once.play('go')).toBe('no-list 0');
    expect(once.collector.of('compaction').map((event) => event.trigger)).toEqual(['context-error']);
    const twice = testEngine(script([far, full, full]));
    expect(await twice.play('go')).toBe('context-limit 62');
    expect(twice.collector.count('compaction')).toBe(1);
  });
});

describe('reminders to keep the list true', () => {
  it('28: list and command in one turn, item left in_progress: one update reminder, and the engine repeats no command', async () => {
    const engine = testEngine([
      { calls: [write(['run the checks', 'in_progress']), acting('checks')] },
      { text: 'The checks pass.' },
      { calls: [write(['run the checks', 'completed'])] },
      { text: 'Done.' },
    ]);
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      'turn-start',
      'tool-call todo_write',
      'tool-call act',
      'turn-end tool-calls',
      'finish tool-calls',
      'tool-start todo_write',
      'todos-change 1:in_progress',
      'tool-result todo_write',
      'tool-start act',
      'tool-result act',
      ...dropped('The checks pass.', { reminded: 'update' }),
      ...called('todo_write', { reminded: true, list: '1:completed' }),
      ...said('Done.'),
      ...ended('complete', 'done 0'),
    ]);
    expect(reminderOf(engine.provider.requests[1] ?? never)).toBe(
      "If 'run the checks' is finished, mark it completed with todo_write; otherwise carry on.",
    );
    expect(engine.collector.of('tool-start').filter((event) => event.name === 'act')).toHaveLength(1);
  });

  it('every 4 acting results without a write: gentle, then escalated; a write starts the count again', async () => {
    const engine = testEngine((_, index) => {
      if (index === 0) return { calls: [write(['a', 'in_progress'], 'b')] };
      if (index === 10) return { calls: [write(['a', 'completed'], ['b', 'in_progress'])] };
      return index < 16 ? { calls: [acting(`f${index}`)] } : { calls: [pause] };
    });
    expect(await engine.play('go')).toBe('paused 61');
    const updates = engine.provider.requests.flatMap((request, index) => {
      const text = reminderOf(request);
      return text === undefined ? [] : [`${index} ${text}`];
    });
    const gentle = (item: string) => `If '${item}' is finished, mark it completed with todo_write; otherwise carry on.`;
    expect(updates).toEqual([
      `5 ${gentle('a')}`,
      `9 The list has not been updated for a while. ${gentle('a')} Keep the list true as you go.`,
      `15 ${gentle('b')}`,
    ]);
  });

  it('no reminder when the write followed the tool in its turn, after failed calls, or when switched off', async () => {
    const writesLast = { calls: [acting('f'), write(['a', 'in_progress'])] };
    const fails = { calls: [write(['a', 'in_progress']), acting('f', { fail: true })] };
    const both = { calls: [write(['a', 'in_progress']), acting('f')] };
    for (const [first, settings] of [
      [writesLast, {}],
      [fails, {}],
      [both, { 'smart-todo-completion': 'off' as const }],
    ] as const) {
      const engine = testEngine([first, { calls: [pause] }], { settings });
      expect(await engine.play('go')).toBe('paused 61');
      expect(engine.provider.requests.map(reminderOf)).toEqual([undefined, undefined]);
    }
  });
});

describe('smart-todo-completion auto', () => {
  const settings = { 'smart-todo-completion': 'auto' as const };

  it('closes the item that the call named, tells the user and the model', async () => {
    const engine = testEngine(
      [
        { calls: [write(['create notes.txt', 'in_progress'], 'b'), acting('notes.txt')] },
        { calls: [write(['create notes.txt', 'completed'], ['b', 'completed'])] },
        { text: 'ok' },
      ],
      { settings },
    );
    expect(await engine.play('go')).toBe('done 0');
    expect(engine.collector.outline()).toContain("notice info Marked completed: 'create notes.txt' (act succeeded)");
    expect(engine.collector.of('todos-change').map((event) => event.by)).toEqual(['model', 'engine', 'model']);
    expect(reminderOf(engine.provider.requests[1] ?? never)).toBe(
      "Marked completed for you, because the call that it named succeeded: 'create notes.txt'. Go on with the next item.",
    );
  });

  it.each([
    ['a failed call', [write(['create notes.txt', 'in_progress']), acting('notes.txt', { fail: true })]],
    ['a pending item', [write('create notes.txt'), acting('notes.txt')]],
    ['two candidates', [write(['create notes.txt', 'in_progress'], 'check notes.txt'), acting('notes.txt')]],
    ['another file', [write(['create notes.txt', 'in_progress']), acting('notes.txt.bak')]],
    ['a call without a path or command', [write(['look at x', 'in_progress']), looking('x')]],
  ])('never closes on %s', async (_name, calls) => {
    const engine = testEngine([{ calls }, { calls: [pause] }], { settings });
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.of('todos-change').map((event) => event.by)).toEqual(['model']);
  });
});

describe('an item named again and again', () => {
  it('is passed over at the third continuation, and the model is told to mark it blocked', async () => {
    const engine = testEngine(
      (_, index) => (index === 0 ? { calls: [write('a', 'b')] } : index % 2 === 1 ? { text: 'hm' } : { calls: [looking(`at ${index}`)] }),
      {
        settings: { 'max-attempts': 1, 'max-todo-continuations': 6 },
      },
    );
    expect(await engine.play('go')).toBe('continuation-limit 60');
    expect(engine.collector.outline().filter((line) => line.startsWith('continuation-start'))).toEqual([
      'continuation-start 1 gentle 1',
      'continuation-start 2 escalated 1',
      'continuation-start 3 skip 2',
      'continuation-start 4 escalated 2',
      'continuation-start 5 skip 1',
      'continuation-start 6 escalated 1',
    ]);
    expect(reminderOf(engine.provider.requests[6] ?? never)).toContain(
      "'a' was named several times and is still open: mark it blocked with a note that says what is in the way, and go on with this one.",
    );
  });

  it('a retry names the item that its continuation named', async () => {
    const engine = testEngine(
      (_, index) => (index === 0 ? { calls: [write('a', 'b')] } : index % 3 === 0 ? { calls: [looking(`at ${index}`)] } : { text: 'hm' }),
      {
        settings: { 'max-todo-continuations': 6 },
      },
    );
    await engine.play('go');
    const named = engine.provider.requests.map((request) => /^You have an active task: '(\w)'/u.exec(reminderOf(request) ?? '')?.[1]);
    const starts = engine.collector.of('continuation-start').map((event) => event.todoId);
    expect(starts).toEqual(['1', '1', '2']);
    expect(named.filter((name) => name !== undefined)).toEqual(['a', 'a', 'a', 'a', 'a', 'b']);
  });

  it('a continuation of one gentle and one escalated text', async () => {
    const engine = testEngine([{ calls: [write('a')] }, { text: 'x'.repeat(0) }, { text: 'hm' }, { calls: [pause] }]);
    expect(await engine.play('go')).toBe('paused 61');
    expect(engine.collector.outline()).toEqual([
      ...prompt('go'),
      ...called('todo_write', { list: '1:pending' }),
      'turn-start',
      'attempt-retry empty',
      ...said('hm', { reminded: true }),
      ...continued(1, 'escalated', '1'),
      ...called('todo_pause', { reminded: true }).toSpliced(-1, 0, 'pause model x'),
      ...ended('paused', 'paused 61'),
    ]);
  });
});

const never = { model: '', system: '', messages: [], tools: [] };
