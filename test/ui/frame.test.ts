import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/events.ts';
import type { Todo } from '../../src/types/todos.ts';
import { composeFrame } from '../../src/ui/frame.ts';
import { emptyInput } from '../../src/ui/input-state.ts';
import { rowsOfFrame } from '../../src/ui/resize.ts';
import { widthOf } from '../../src/ui/text.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { type ApprovalBox, emptyUi, type UiState } from '../../src/ui/ui-state.ts';
import { emptyView, reduceView } from '../../src/ui/view-state.ts';
import { event } from '../helpers/scripted-session.ts';

const options = { paint: plainPaint, highlight: (code: string) => code, now: 10_000 };

function frame(change: Partial<UiState>, columns = 60, rows = 16): string {
  return rowsOfFrame(composeFrame({ ...idle, size: { columns, rows }, ...change }, options)).join('\n');
}

const idle: UiState = {
  ...emptyUi,
  facts: { model: 'openai/gpt-test', mode: 'default', sandbox: 'NO SANDBOX', contextShare: 0.12, saving: 'saving' },
};

function todos(...statuses: readonly Todo['status'][]): { readonly todos: UiState['view']['todos'] } {
  const items = statuses.map(
    (status, index): Todo => ({ id: String(index + 1), content: `Item ${index + 1}`, status, priority: 'medium' }),
  );
  return { todos: { items, version: 1, lastId: items.length } };
}

const approval: ApprovalBox = {
  request: {
    requestId: 'r',
    callId: '1',
    toolName: 'shell',
    effects: [{ kind: 'command', command: 'npm test -- --run', cwd: '/home/u/project' }],
    preview: undefined,
    reason: 'no rule allows npm',
    rule: 'shell(npm test *)',
  },
  top: 0,
  seenEnd: true,
  quietSince: 0,
  refusing: false,
};

describe('composeFrame', () => {
  it('idle', () => {
    expect(frame({})).toBe(`
> Ask for something, or / for commands
openai/gpt-test · default · NO SANDBOX · context 12 %`);
  });

  it('busy, with a tool that runs and text that waits to be delivered', () => {
    const started = [
      event('run-start', { origin: 'user', promptId: 'p' }),
      event('tool-call', {
        call: { type: 'tool-call', callId: '1', name: 'shell', arguments: { command: 'npm test' }, origin: { provider: '', model: '' } },
      }),
      event('tool-start', { callId: '1', name: 'shell', effects: [], acting: true }),
      event('tool-output', { callId: '1', text: 'one\ntwo\nthree\nfour\nfive\nsix\n' }),
    ].reduce((view, next) => reduceView(view, next, 4_000), emptyView);
    const view = { ...started, ...todos('completed', 'in_progress', 'pending') };
    expect(
      frame({
        view,
        engine: { kind: 'running' },
        waiting: [
          { kind: 'steer', text: 'and lint' },
          { kind: 'queue', text: 'then commit' },
        ],
      }),
    ).toBe(
      `⠸ shell npm test
  two
  three
  four
  five
  six

⠸ running shell · 6 s · Esc to stop
↳ next step: and lint
⋯ queued: then commit
> Ask for something, or / for commands
openai/gpt-test · default · NO SANDBOX · 1/3 Item 2`,
    );
  });

  it('the countdown, running and held', () => {
    const counting = { kind: 'counting', remainingMs: 1600, open: 3, heldByTyping: false } as const;
    expect(frame({ engine: counting })).toContain('\nContinuing in 2 s · 3 open · Esc to stop\n');
    expect(frame({ engine: { ...counting, heldByTyping: true } }, 80)).toContain(
      'Continuing in 2 s · 3 open · held while you type · Esc to stop',
    );
  });

  const toolCall = {
    call: {
      type: 'tool-call' as const,
      callId: '1',
      name: 'shell',
      arguments: { command: 'npm test' },
      origin: { provider: '', model: '' },
    },
  };
  const viewAfter = (...events: readonly AgentEvent[]): UiState['view'] =>
    [event('run-start', { origin: 'user', promptId: 'p' }), ...events].reduce((view, next) => reduceView(view, next, 7_000), emptyView);
  const running = { engine: { kind: 'running' } as const };
  it.each<[string, Partial<UiState>, string]>([
    [
      'the first word is out',
      { ...running, view: viewAfter(event('turn-start', { reminded: false, elapsedMs: 0 })) },
      'waiting for the model · 3 s · Esc to stop',
    ],
    ['the model thinks', { ...running, view: viewAfter(event('reasoning-delta', { text: 'Hm.' })) }, 'thinking · 3 s · Esc to stop'],
    ['the model writes', { ...running, view: viewAfter(event('text-delta', { text: 'Well' })) }, 'writing · 3 s · Esc to stop'],
    [
      'a tool runs',
      {
        ...running,
        view: viewAfter(event('tool-call', toolCall), event('tool-start', { callId: '1', name: 'shell', effects: [], acting: true })),
      },
      'running shell · 3 s · Esc to stop',
    ],
    [
      'the connection is tried again',
      { ...running, view: viewAfter(event('retry-wait', { delayMs: 2000, cause: '503: busy', voids: false })) },
      '503: busy',
    ],
    ['a question is open', { engine: { kind: 'waiting', reason: 'question' } }, 'waiting for your answer · Esc to stop'],
    ['a permission is asked', { engine: { kind: 'waiting', reason: 'permission' } }, 'waiting for your permission · Esc to stop'],
    ['an error is waited out', { engine: { kind: 'waiting', reason: 'recovering' } }, 'recovering · Esc to stop'],
    [
      'background commands run',
      { engine: { kind: 'waiting', reason: 'background' }, view: { ...emptyView, processes: { '1': 'npm run dev' } } },
      'waiting for background commands: npm run dev · Esc to stop',
    ],
    ['a command of the user runs beside', { aside: '! ls' }, '! ls · Esc to stop'],
    ['nothing is known yet', running, 'working · Esc to stop'],
  ])('says what is waited for: %s', (_name, change, text) => {
    const rows = frame(change).split('\n');
    expect(rows.filter((row) => row.includes('Esc to stop'))).toEqual([expect.stringContaining(text)]);
  });

  it.each<[string, Partial<UiState>, number, string]>([
    ['cost and tokens', { view: { ...emptyView, tokens: { input: 12_000, output: 500, costUsd: 0.0421 } } }, 100, '· 13k tokens · $0.042'],
    ['running commands', { view: { ...emptyView, processes: { '1': 'a', '2': 'b' } } }, 100, '2 running · context 12 %'],
    ['the item that is worked on', { view: { ...emptyView, ...todos('completed', 'in_progress') } }, 100, '1/2 Item 2'],
    ['a remark in its place', { hint: 'Press Ctrl+C again to leave' }, 100, 'Press Ctrl+C again to leave'],
    ['the most important where there is no room', { view: { ...emptyView, ...todos('completed', 'pending') } }, 30, '1/2'],
  ])('the status line: %s', (_name, change, columns, text) => {
    const row = frame(change, columns).split('\n').at(-1) ?? '';
    expect(row).toContain(text);
    expect(widthOf(row)).toBeLessThanOrEqual(columns);
  });

  it('a panel without todos says how to add one', () => {
    expect(frame({ todoPanel: true })).toContain('No todos yet: /todo add …');
  });

  it('a question without options takes what is typed', () => {
    const question = event('question-request', { requestId: 'q', callId: '1', question: 'Which branch?', options: [] });
    const shown = frame({ view: reduceView(emptyView, question, 0) });
    expect(shown).toContain('? Which branch?\nType an answer and press Enter');
  });

  it('of much that waits, the first rows and how many more', () => {
    const waiting = Array.from({ length: 9 }, (_, index) => ({ kind: 'queue' as const, text: `later ${index}` }));
    const shown = frame({ ...running, waiting }, 60, 12);
    expect(shown).toContain('⋯ queued: later 0');
    expect(shown).toMatch(/\n\+\d more\n/u);
  });

  it.each(['model', 'provider'] as const)('a %s picker that is filtered, and one that finds nothing', (kind) => {
    const items = [{ id: 'a', label: 'gpt-test', detail: 'openai' }];
    expect(frame({ picker: { kind, title: 'Choose', items, index: 0, filter: 'gp' } })).toContain('› gpt-test  openai');
    expect(frame({ picker: { kind, title: 'Choose', items, index: 0, filter: 'zzz' } })).toContain('Choose zzz\n  nothing matches');
  });

  it('an approval shows the whole command, where it runs, and the answers', () => {
    expect(frame({ approval })).toBe(`
? Allow shell
  no rule allows npm
  $ npm test -- --run
  in /home/u/project
y yes · s for this session · a always: shell(npm test *) · n
no · r no, because…
openai/gpt-test · default · NO SANDBOX · context 12 %`);
  });

  it('an approval that does not fit has to be scrolled to its end', () => {
    const command = Array.from({ length: 30 }, (_, index) => `echo line-${index}`).join('\n');
    const long = {
      ...approval,
      seenEnd: false,
      request: { ...approval.request, effects: [{ kind: 'command', command, cwd: '/w' } as const] },
    };
    const first = composeFrame({ ...idle, size: { columns: 60, rows: 16 }, approval: long }, options);
    expect(first.showsEnd).toBe(false);
    expect(first.box.join('\n')).toContain('see the end before you answer');
    expect(first.box.join('\n')).not.toContain('y yes');
    const last = composeFrame({ ...idle, size: { columns: 60, rows: 16 }, approval: { ...long, top: 99 } }, options);
    expect(last.showsEnd).toBe(true);
    expect(last.box.join('\n')).toContain('in /w');
  });

  it('an approval of an edit shows the change', () => {
    const diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-const a = 1;\n+const a = 2;\n';
    const request = {
      ...approval.request,
      toolName: 'edit_file',
      effects: [{ kind: 'write', path: '/w/a.js' } as const],
      preview: { kind: 'diff', path: '/w/a.js', diff, isNew: false } as const,
      rule: undefined,
    };
    expect(frame({ approval: { ...approval, request } })).toBe(`
? Allow edit_file
  no rule allows npm
  /w/a.js
  1   same
  2 - const a = 1;
  2 + const a = 2;
y yes · n no · r no, because…
openai/gpt-test · default · NO SANDBOX · context 12 %`);
  });

  it('a refusal asks for the reason in the input', () => {
    expect(frame({ approval: { ...approval, refusing: true } })).toContain('why not? Enter sends it, Esc goes back');
  });

  it('a question with options', () => {
    const view = {
      ...emptyView,
      questions: [event('question-request', { requestId: 'q', callId: '1', question: 'Which one?', options: ['red', 'blue'] })],
    } as UiState['view'];
    expect(frame({ view, questionIndex: 1 })).toBe(`
? Which one?
  1 red
› 2 blue
↑↓ and Enter, or type an answer
>
openai/gpt-test · default · NO SANDBOX · context 12 %`);
  });

  it('the todo panel takes a quarter of the height and names the rest', () => {
    const view = { ...emptyView, ...todos('completed', 'completed', 'completed', 'in_progress', 'pending', 'blocked', 'cancelled') };
    expect(frame({ view, todoPanel: true })).toBe(`
✓ Item 3
▸ Item 4
○ Item 5
+4 more
> Ask for something, or / for commands
openai/gpt-test · default · NO SANDBOX · 4/7 Item 4`);
  });

  it('names the keys while an item is selected', () => {
    const view = { ...emptyView, ...todos('pending', 'pending') };
    expect(frame({ view, todoPanel: true, todoIndex: 1 }, 90)).toContain(
      'd done · x drop · b block · e edit · a add · u undo · Shift+↑↓ move · Esc',
    );
  });

  it.each([
    ['a.txt', '/w/a.txt', 'writes /w/a.txt'],
    ['./src/a.txt', '/w/src/a.txt', 'writes /w/src/a.txt'],
    ['src/../../x', '/x', 'writes /x (asked for as src/../../x)'],
    ['link', '/etc/passwd', 'writes /etc/passwd (asked for as link)'],
  ])('an approval of %s says where it leads', (wanted, path, text) => {
    const request = { ...approval.request, effects: [{ kind: 'write', path, wanted } as const], preview: undefined };
    expect(frame({ approval: { ...approval, request } }).split('\n')).toContain(`  ${text}`);
  });

  it('completions below the input', () => {
    const items = [
      { value: '/help', help: 'list the commands' },
      { value: '/history', help: 'x' },
    ];
    const input = { ...emptyInput, text: '/h', cursor: 2 };
    expect(frame({ input, completion: { items, index: 0, moved: false, from: 0, to: 2 } })).toBe(`
> /h
› /help     list the commands
  /history  x
openai/gpt-test · default · NO SANDBOX · context 12 %`);
  });

  it('a search through the history', () => {
    expect(frame({ search: { query: 'te', match: 'run the tests', skip: 0 } })).toContain('search: te → run the tests');
  });

  it('a picker', () => {
    const items = [
      { id: 'a', label: 'Fix the build', detail: '3 open' },
      { id: 'b', label: 'Write docs', detail: '' },
    ];
    expect(
      frame({ picker: { kind: 'session', title: 'Resume', items, index: 1, filter: '' } }),
    ).toContain(`Resume type to search, Enter to choose, Esc to go back
  Fix the build  3 open
› Write docs`);
  });

  it('says so when nothing is being saved', () => {
    expect(frame({ facts: { ...idle.facts, saving: 'disk full' } })).toContain('NOT BEING SAVED: disk full');
  });

  it('puts the cursor into the input', () => {
    const input = { ...emptyInput, text: 'ab\n漢字', cursor: 5 };
    const { cursor } = composeFrame({ ...idle, input }, options);
    expect(cursor).toEqual({ x: 6, y: 2 });
  });

  it.each([
    [1, 1],
    [20, 5],
    [40, 12],
    [80, 24],
    [300, 80],
  ])('fits a window of %d x %d, whatever is shown', (columns, rows) => {
    const view = {
      ...reduceView(
        reduceView(emptyView, event('run-start', { origin: 'user', promptId: 'p' }), 0),
        event('text-delta', { text: 'word '.repeat(500) }),
        0,
      ),
      ...todos('completed', 'in_progress', 'pending', 'pending', 'pending', 'pending'),
    };
    const input = { ...emptyInput, text: 'line\n'.repeat(30), cursor: 150 };
    const busy = {
      view,
      input,
      todoPanel: true,
      engine: { kind: 'running' } as const,
      waiting: [{ kind: 'steer' as const, text: 'x'.repeat(400) }],
    };
    for (const change of [busy, { ...busy, approval }, { ...busy, hint: 'h'.repeat(400) }, {}]) {
      const composed = composeFrame({ ...idle, size: { columns, rows }, ...change }, options);
      const lines = rowsOfFrame(composed);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
      if (columns >= 20) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      if (composed.cursor !== undefined) expect(composed.cursor.y).toBeLessThan(lines.length);
      for (const line of lines) expect(line.endsWith(' ')).toBe(false);
    }
  });
});
