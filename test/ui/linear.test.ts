import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/events.ts';
import { createDispatcher } from '../../src/ui/dispatcher.ts';
import { answerOf, createLinearChat } from '../../src/ui/linear.ts';
import { createSessionLink } from '../../src/ui/session-link.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { createScriptedSession, event } from '../helpers/scripted-session.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

it.each([
  ['y', 'rule', { kind: 'once' }],
  ['YES', 'rule', { kind: 'once' }],
  ['s', undefined, undefined],
  ['a', 'rule', { kind: 'always' }],
  ['n', undefined, { kind: 'no' }],
  ['n use make', undefined, { kind: 'no', reason: 'use make' }],
  ['yes please', 'rule', undefined],
  ['', 'rule', undefined],
])('answerOf(%j) with rule %j', (text, rule, answer) => {
  expect(answerOf(text, rule)).toEqual(answer);
});

/** Lets the promises of an entered line settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('createLinearChat', () => {
  it('writes every line once, in order, and draws nothing over', async () => {
    const scripted = createScriptedSession();
    const timers = createTestTimers();
    const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
    let out = '';
    const done: string[] = [];
    const onQuit = (): void => void done.push('quit');
    const silent = (): void => {};
    const link = createSessionLink(scripted.session, {
      store,
      timers,
      openSession: async () => scripted.session,
      onSession: silent,
      notify: silent,
      setTitle: silent,
    });
    const dispatcher = createDispatcher({ store, timers, link, listSessions: async () => [], copy: silent, onQuit });
    const write = (text: string): void => {
      out += text;
    };
    const terminal = { write, size: () => ({ columns: 80, rows: 24 }) };
    const chat = createLinearChat({ store, timers, terminal, link, dispatcher, remember: silent, onQuit });
    link.attach(scripted.session);
    const emit = (...events: readonly AgentEvent[]): void => {
      for (const next of events) scripted.emit(next);
      timers.advance(50);
    };
    chat.line('do it');
    await settle();
    scripted.setEngine({ kind: 'running' });
    emit(event('text-delta', { text: 'Hello.\n\nMore' }));
    emit(
      event('permission-request', {
        requestId: 'r',
        callId: '1',
        toolName: 'shell',
        effects: [{ kind: 'command', command: 'make', cwd: '/w' }],
        reason: 'no rule',
        rule: undefined,
      }),
    );
    chat.line('y');
    await settle();
    expect(scripted.calls).not.toContain('approve r once');
    timers.advance(400);
    chat.line('y');
    scripted.setEngine({ kind: 'idle' });
    emit(event('permission-decision', { requestId: 'r', callId: '1', verdict: 'allow', by: 'user', reason: '', endsRun: false }));
    emit(event('prompt-end', { promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All done' }));
    expect(scripted.calls).toEqual(['submit do it', 'submit y', 'approve r once']);
    expect(out).toBe(`Hello.
Working. Ctrl+C stops.
Permission needed for shell: no rule
  $ make
  in /w
Enter y for yes, n for no, n REASON to say why not.

More

✓ All done
Ready. Enter your text.
`);
    expect(out).not.toContain('\u001b');
    chat.interrupt();
    chat.interrupt();
    expect(done).toEqual(['quit']);
  });
});
