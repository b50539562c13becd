import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/events.ts';
import { emptyView, formatCount, reduceView, type ViewState } from '../../src/ui/view-state.ts';
import { event } from '../helpers/scripted-session.ts';

function fold(...events: readonly AgentEvent[]): ViewState {
  return events.reduce((view, next, index) => reduceView(view, next, index), emptyView);
}

/** Items in short: kind, state, text. */
function items(view: ViewState): readonly string[] {
  return view.items.map((item) => {
    if (item.kind === 'tool') return `tool ${item.name} ${item.state} ${item.output}`.trim();
    if (item.kind === 'text' || item.kind === 'draft' || item.kind === 'reasoning')
      return `${item.kind}${item.open ? ' open' : ''} ${item.text}`;
    if (item.kind === 'notice' || item.kind === 'user') return `${item.kind} ${item.text}`;
    if (item.kind === 'end') return `end ${item.sentence}`;
    return item.kind;
  });
}

const origin = { provider: 'p', model: 'm' };
const turnStart = event('turn-start', { reminded: false, elapsedMs: 0 });
const call = (callId: string, name: string, args = {}) =>
  event('tool-call', { call: { type: 'tool-call', callId, name, arguments: args, origin } });
const start = (callId: string, name: string) => event('tool-start', { callId, name, effects: [], acting: true });
const result = (callId: string, name: string, output: string, isError = false) =>
  event('tool-result', { callId, name, arguments: {}, output, isError, acting: true, working: true });
const text = (delta: string) => event('text-delta', { text: delta });
const draft = (delta: string) => event('draft-delta', { text: delta });
const turnEnd = (parts: readonly string[], cut?: boolean) =>
  event('turn-end', {
    message: { role: 'assistant', parts: parts.map((part) => ({ type: 'text' as const, text: part, origin })), cut },
    finish: 'stop',
  });
const end = event('prompt-end', { promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All 2 todos done' });

describe('reduceView', () => {
  it.each<[name: string, events: readonly AgentEvent[], items: readonly string[]]>([
    ['text grows in one item', [turnStart, text('Hel'), text('lo')], ['text open Hello']],
    ['a turn that streamed adds nothing at its end', [turnStart, text('Hello'), turnEnd(['Hello'])], ['text Hello']],
    ['a resumed turn adds its whole text', [turnStart, turnEnd(['Hello'])], ['text Hello']],
    ['a call closes the text before it', [turnStart, text('I look'), call('1', 'read_file')], ['text I look', 'tool read_file called']],
    ['a tool goes through its states', [call('1', 'shell'), start('1', 'shell'), result('1', 'shell', 'ok')], ['tool shell done ok']],
    ['a failed tool', [start('1', 'shell'), result('1', 'shell', 'boom', true)], ['tool shell failed boom']],
    [
      'two calls at once stay apart',
      [call('1', 'a'), call('2', 'b'), result('2', 'b', 'two'), result('1', 'a', 'one')],
      ['tool a done one', 'tool b done two'],
    ],
    ['the draft gives way to the text', [turnStart, draft('Hel'), draft('lo'), text('Hello')], ['text open Hello']],
    [
      'a superseded draft stays',
      [draft('Shall I?'), event('attempt-retry', { cause: 'open-todos', draft: 'Shall I?' }), text('Working')],
      ['draft Shall I?', 'text open Working'],
    ],
    ['an empty draft leaves no trace', [event('attempt-retry', { cause: 'empty', draft: ' ' })], []],
    [
      'voided text goes',
      [turnStart, text('Half'), event('retry-wait', { delayMs: 1000, cause: 'reset', voids: true })],
      ['notice The connection was lost; the answer starts again'],
    ],
    ['escape sequences never arrive', [text('a\u001b[3'), text('1mb\u001b]0;t'), text('itle\u0007c')], ['text open abc']],
    ['an empty sentence shows nothing', [event('prompt-end', { promptId: 'p', reason: 'no-list', exitCode: 0, sentence: '' })], []],
    [
      'an interruption closes everything',
      [call('1', 'shell'), start('1', 'shell'), text('x'), event('run-end', { end: 'aborted' }), end],
      ['tool shell failed', 'text x', 'end All 2 todos done'],
    ],
    ['the model’s pause is told once, by the end', [event('pause', { by: 'model', text: 'no key' })], []],
  ])('%s', (_name, events, expected) => {
    expect(items(fold(...events))).toEqual(expected);
  });

  it('never shows the text of a reminder or continuation', () => {
    const list = { items: [{ id: '1', content: 'Build it', status: 'pending', priority: 'medium' }], version: 1, lastId: 1 } as const;
    const view = fold(
      event('todos-change', { list, by: 'model' }),
      event('continuation-start', { continuation: 1, todoId: '1', strength: 'gentle' }),
    );
    expect(items(view)).toEqual(['notice Continuing with ‘Build it’']);
  });

  it('asks once and forgets what was decided', () => {
    const request = event('permission-request', { requestId: 'r', callId: '1', toolName: 'shell', effects: [], reason: 'no rule' });
    const asked = fold(call('1', 'shell'), request);
    expect(items(asked)).toEqual(['tool shell asking']);
    expect(asked.approvals.map(({ requestId }) => requestId)).toEqual(['r']);
    const refused = reduceView(
      asked,
      event('permission-decision', {
        requestId: 'r',
        callId: '1',
        verdict: 'refuse',
        by: 'user',
        reason: 'refused by the user',
        endsRun: true,
      }),
      9,
    );
    expect(items(refused)).toEqual(['tool shell refused refused by the user']);
    expect(refused.approvals).toEqual([]);
  });

  it('keeps only the end of a long live output', () => {
    const view = fold(start('1', 'shell'), event('tool-output', { callId: '1', text: 'x'.repeat(100_000) }));
    expect(view.items[0]?.kind === 'tool' && view.items[0].output.length).toBe(8192);
  });

  it('counts from the start of the prompt, not of the turn', () => {
    const view = fold(event('run-start', { origin: 'user', promptId: 'p' }), turnStart, text('x'));
    expect(view.activity).toEqual({ kind: 'busy', what: 'writing', since: 0, detail: '' });
    expect(reduceView(view, end, 9).activity).toEqual({ kind: 'idle' });
  });

  it('returns the same state for events that show nothing', () => {
    expect(reduceView(emptyView, event('finish', { finish: 'stop' }), 0)).toBe(emptyView);
  });
});

it.each([
  [0, '0'],
  [999, '999'],
  [1234, '1.2k'],
  [34_500, '35k'],
  [1_250_000, '1.3M'],
])('formatCount(%d)', (count, expected) => {
  expect(formatCount(count)).toBe(expected);
});
