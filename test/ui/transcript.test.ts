import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/events.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { settleTranscript } from '../../src/ui/transcript.ts';
import { emptyView, reduceView } from '../../src/ui/view-state.ts';
import { event } from '../helpers/scripted-session.ts';

const options = { width: 50, paint: plainPaint, highlight: (code: string) => code, spinner: '⠋' };

function scrollback(...events: readonly AgentEvent[]): string {
  const view = events.reduce((state, next) => reduceView(state, next, 0), emptyView);
  return settleTranscript(view, options).rows.join('\n');
}

const tool = (
  name: string,
  args: Record<string, unknown>,
  output: string,
  change: { isError?: boolean; display?: string } = {},
): AgentEvent =>
  event('tool-result', {
    callId: name,
    name,
    arguments: args,
    output,
    isError: change.isError ?? false,
    acting: true,
    working: true,
    ...(change.display === undefined ? {} : { display: change.display }),
  });
const rows = (count: number): string => Array.from({ length: count }, (_, index) => `row ${index + 1}`).join('\n');

describe('settleTranscript', () => {
  it.each<[name: string, events: readonly AgentEvent[], text: string]>([
    ['a prompt of two lines', [event('user-message', { kind: 'prompt', text: 'fix it\nplease', promptId: 'p' })], '> fix it\n  please'],
    ['steering', [event('user-message', { kind: 'steer', text: 'and lint', promptId: 'p' })], '↳ and lint'],
    ['a queued prompt', [event('user-message', { kind: 'queue', text: 'then lint', promptId: 'p' })], '> then lint'],
    ['a command of the user', [event('user-message', { kind: 'shell', text: 'ls', promptId: 'p' })], '! ls'],
    ['a remark', [event('notice', { level: 'info', text: 'Saved' })], '· Saved'],
    ['a warning', [event('notice', { level: 'warning', text: 'Not saved' })], '· Not saved'],
    ['a mistake', [event('notice', { level: 'error', text: 'No such model' })], '· No such model'],
    ['a source', [event('citation', { text: 'Docs', url: 'https://x.dev' })], '· Source: Docs https://x.dev'],
    ['a pause of the user', [event('pause', { by: 'user', text: 'lunch' })], '· Paused: lunch'],
    ['a loop', [event('loop-detected', { detail: 'the same call five times', strike: 1 })], '· Going in circles: the same call five times'],
    [
      'thoughts are folded',
      [event('reasoning-delta', { text: rows(6) }), event('turn-end', { message: { role: 'assistant', parts: [] }, finish: 'stop' })],
      '~ Thought · 3 more rows (Ctrl+O)\n  row 1\n  row 2\n  row 3',
    ],
    ['a short output', [tool('shell', { command: 'ls' }, 'a\nb\n')], '✓ shell ls\n  a\n  b'],
    [
      'of a command the end is shown',
      [tool('shell', { command: 'make' }, rows(10))],
      '✓ shell make\n  … 6 lines more (Ctrl+O)\n  row 7\n  row 8\n  row 9\n  row 10',
    ],
    [
      'of a file the beginning is shown',
      [tool('read_file', { path: 'a.txt' }, rows(10))],
      '✓ read_file a.txt\n  row 1\n  row 2\n  row 3\n  row 4\n  … 6 lines more (Ctrl+O)',
    ],
    [
      'a failure shows more',
      [tool('shell', { command: 'make' }, rows(10), { isError: true })],
      `✗ shell make\n${rows(10).replace(/^/gm, '  ')}`,
    ],
    ['no output', [tool('shell', { command: 'true' }, '')], '✓ shell true'],
    ['a list', [tool('todo_write', { todos: [{ status: 'completed' }, { status: 'pending' }] }, 'ok')], '✓ todo_write 1/2'],
    ['a pause, whose reason the end tells', [tool('todo_pause', { reason: 'no key' }, 'Paused')], '✓ todo_pause'],
    ['a command with tricks is spelled out', [tool('shell', { command: 'rm\u202e x\u001b[1m' }, '')], '✓ shell rm\\u{202e} x'],
    [
      'a change',
      [tool('edit_file', { path: 'a' }, 'ok', { display: '--- a\n+++ b\n@@ -3 +3 @@\n-old\n+new\n' })],
      '✓ edit_file a +1 -1\n  3 - old\n  3 + new',
    ],
    [
      'an error names the next step',
      [event('error', { error: { kind: 'auth', message: '401: key refused', retryable: false } })],
      '✗ 401: key refused\n  Check the key: tilldone doctor',
    ],
    [
      'the end, done',
      [event('prompt-end', { promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All 7 todos done' })],
      '✓ All 7 todos done',
    ],
    [
      'the end, stopped',
      [event('prompt-end', { promptId: 'p', reason: 'no-progress', exitCode: 60, sentence: 'Stopped: 3 continuations without progress' })],
      '■ Stopped: 3 continuations without progress',
    ],
    [
      'a superseded draft is folded',
      [event('attempt-retry', { cause: 'open-todos', draft: rows(6) })],
      '~ Draft, superseded · 3 more rows (Ctrl+O)\n  row 1\n  row 2\n  row 3',
    ],
    [
      'an interrupted answer is marked',
      [
        event('text-delta', { text: 'Half an ans' }),
        event('turn-end', { message: { role: 'assistant', parts: [], cut: true }, finish: 'aborted' }),
      ],
      'Half an ans\n… (cut off here)',
    ],
  ])('%s', (_name, events, text) => {
    expect(scrollback(...events)).toBe(text);
  });

  it('keeps calls and notices together and the rest apart', () => {
    const text = scrollback(
      event('user-message', { kind: 'prompt', text: 'go', promptId: 'p' }),
      event('turn-start', { reminded: false, elapsedMs: 0 }),
      event('text-delta', { text: 'I look.' }),
      tool('a', { path: 'x' }, ''),
      tool('b', { path: 'y' }, ''),
      event('notice', { level: 'warning', text: 'slow' }),
      event('text-delta', { text: 'Done.' }),
      event('prompt-end', { promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All done' }),
    );
    expect(text).toBe('> go\n\nI look.\n\n✓ a x\n✓ b y\n· slow\n\nDone.\n\n✓ All done');
  });

  it('keeps a running tool and all behind it live', () => {
    const view = [event('tool-start', { callId: '1', name: 'slow', effects: [], acting: true }), tool('fast', {}, 'x')].reduce(
      (state, next) => reduceView(state, next, 0),
      emptyView,
    );
    const settled = settleTranscript(view, options);
    expect(settled.rows).toEqual([]);
    expect(settled.view.items).toHaveLength(2);
  });
});
