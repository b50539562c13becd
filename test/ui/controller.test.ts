import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/events.ts';
import { createController } from '../../src/ui/controller.ts';
import { createDispatcher } from '../../src/ui/dispatcher.ts';
import { createKeyDecoder } from '../../src/ui/keys.ts';
import { rowsOfFrame } from '../../src/ui/resize.ts';
import { createSessionLink } from '../../src/ui/session-link.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { createScriptedSession, event, type ScriptedSession } from '../helpers/scripted-session.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

function createChat(scripted: ScriptedSession = createScriptedSession(), others: readonly ScriptedSession[] = []) {
  const timers = createTestTimers();
  const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
  const scrollback: string[] = [];
  store.subscribe(() => {
    const { settled } = store.snapshot();
    if (settled === undefined) return;
    scrollback.push(settled.text);
    store.written(settled.id);
  });
  const done: string[] = [];
  const next = [...others];
  const link = createSessionLink(scripted.session, {
    store,
    timers,
    openSession: async () => next.shift()?.session ?? scripted.session,
    onSession: ({ id }) => void done.push(`shows ${id}`),
    notify: (text) => void done.push(`notify ${text}`),
    setTitle: (text) => void done.push(`title ${text}`),
  });
  const onQuit = (): void => void done.push('quit');
  const listSessions = async () => [{ id: 'old', name: undefined, updatedAt: 0, firstPrompt: 'fix it', openTodos: 2 }];
  const dispatcher = createDispatcher({ store, timers, link, listSessions, copy: (text) => void done.push(`copy ${text}`), onQuit });
  const controller = createController({
    store,
    timers,
    link,
    dispatcher,
    terminal: {
      suspend: () => void done.push('suspend'),
      redraw: () => void done.push('redraw'),
      edit: async (text) => ({ text: `${text}, edited\n` }),
    },
    listPaths: async (fragment) => [`${fragment}x.ts`, `${fragment}y/`],
    remember: (line) => void done.push(`history ${line}`),
    onQuit,
  });
  link.attach(scripted.session);
  timers.advance(50);
  const decoder = createKeyDecoder();
  return {
    timers,
    done,
    calls: scripted.calls,
    store,
    /** Types, and lets the promises of what was typed settle. */
    async type(input: string): Promise<void> {
      for (const key of [...decoder.push(input), ...decoder.flush()]) controller.key(key);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      timers.advance(50);
    },
    emit(...events: readonly AgentEvent[]): void {
      for (const next of events) scripted.emit(next);
      timers.advance(50);
    },
    screen: () => rowsOfFrame(store.snapshot().frame).join('\n'),
    scrollback: () => scrollback.join('\n'),
  };
}

const request = event('permission-request', {
  requestId: 'r1',
  callId: '1',
  toolName: 'shell',
  effects: [{ kind: 'command', command: 'make', cwd: '/w' }],
  reason: 'no rule allows make',
  rule: 'shell(make *)',
});

describe('typing', () => {
  it('submits a prompt, remembers it, and empties the line', async () => {
    const chat = createChat();
    await chat.type('hello\r');
    expect(chat.calls).toEqual(['typing true', 'typing false', 'submit hello']);
    expect(chat.done).toContain('history hello');
    expect(chat.store.get().input.text).toBe('');
  });

  it('continues a line that ends in a backslash', async () => {
    const chat = createChat();
    await chat.type('one\\\rtwo\r');
    expect(chat.calls).toContain('submit one\ntwo');
  });

  it.each([
    ['Alt+Enter queues while busy', 'later\u001b\r', 'queue later'],
    ['Tab queues while busy', 'later\t', 'queue later'],
    ['Enter steers while busy', 'now\r', 'submit now'],
  ])('%s', async (_name, keys, call) => {
    const scripted = createScriptedSession();
    const chat = createChat(scripted);
    scripted.setEngine({ kind: 'running' });
    await chat.type(keys);
    expect(chat.calls).toContain(call);
  });

  it('runs a shell command of the user’s and shows its output', async () => {
    const chat = createChat();
    await chat.type('!ls -l\r');
    await chat.type('!!secret\r');
    expect(chat.calls.filter((call) => call.startsWith('!'))).toEqual(['! ls -l', '!! secret']);
    expect(chat.scrollback()).toContain('✓ ! ls -l\n  output of it');
  });

  it('names the nearest of an unknown command', async () => {
    const chat = createChat();
    await chat.type('/hepl\r');
    expect(chat.scrollback()).toContain("Did you mean '/help'?");
  });

  it('opens the editor on Ctrl+G', async () => {
    const chat = createChat();
    await chat.type('draft\u0007');
    expect(chat.store.get().input.text).toBe('draft, edited');
  });
});

describe('stopping', () => {
  it('Esc interrupts once and brings back what was not delivered', async () => {
    const scripted = createScriptedSession();
    const chat = createChat(scripted);
    scripted.setEngine({ kind: 'running' });
    scripted.setWaiting([
      { kind: 'steer', text: 'first' },
      { kind: 'queue', text: 'second' },
    ]);
    await chat.type('third\u001b');
    expect(chat.calls.filter((call) => call === 'interrupt')).toHaveLength(1);
    expect(chat.store.get().input.text).toBe('first\nsecond\nthird');
  });

  it('Esc does nothing when nothing runs', async () => {
    const chat = createChat();
    await chat.type('text\u001b');
    expect(chat.calls).not.toContain('interrupt');
    expect(chat.store.get().input.text).toBe('text');
  });

  it('Ctrl+C interrupts, then clears the line, then leaves on the second press', async () => {
    const scripted = createScriptedSession();
    const chat = createChat(scripted);
    scripted.setEngine({ kind: 'running' });
    await chat.type('x\u0003');
    expect(chat.calls).toContain('interrupt');
    scripted.setEngine({ kind: 'idle' });
    await chat.type('\u0003');
    expect(chat.store.get().input.text).toBe('');
    expect(chat.done).not.toContain('quit');
    await chat.type('\u0003');
    expect(chat.screen()).toContain('Ctrl+C again to exit');
    chat.timers.advance(2000);
    expect(chat.screen()).not.toContain('Ctrl+C again');
    await chat.type('\u0003');
    await chat.type('\u0003');
    expect(chat.done).toContain('quit');
  });

  it('Ctrl+D leaves only on an empty line', async () => {
    const chat = createChat();
    await chat.type('x\u0004');
    expect(chat.done).not.toContain('quit');
    await chat.type('\u007f\u0004');
    expect(chat.done).toContain('quit');
  });
});

describe('approvals', () => {
  it.each([
    ['y', 'approve r1 once'],
    ['s', 'approve r1 session'],
    ['a', 'approve r1 always'],
    ['n', 'approve r1 no'],
  ])('%s answers after 300 ms of silence', async (key, call) => {
    const chat = createChat();
    chat.emit(request);
    await chat.type(key);
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([]);
    await chat.type('\u007f');
    chat.timers.advance(400);
    await chat.type(key);
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([call]);
  });

  it('keys typed into the line never answer, however fast they come', async () => {
    const chat = createChat();
    await chat.type('yes pl');
    chat.emit(request);
    await chat.type('ease y');
    chat.timers.advance(1000);
    await chat.type('y');
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([]);
    expect(chat.store.get().input.text).toBe('yes please yy');
  });

  it('a paste never answers', async () => {
    const chat = createChat();
    chat.emit(request);
    chat.timers.advance(400);
    await chat.type('\u001b[200~y\u001b[201~');
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([]);
  });

  it('offers nothing lasting when no rule may cover the call', async () => {
    const chat = createChat();
    chat.emit({ ...request, rule: undefined } as AgentEvent);
    chat.timers.advance(400);
    await chat.type('a');
    await chat.type('s');
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([]);
  });

  it('no with a reason', async () => {
    const chat = createChat();
    chat.emit(request);
    chat.timers.advance(400);
    await chat.type('r');
    await chat.type('use ninja\r');
    expect(chat.calls).toContain('approve r1 no use ninja');
  });

  it('waits for the end of a long command to be seen', async () => {
    const chat = createChat();
    const command = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n');
    chat.emit({ ...request, effects: [{ kind: 'command', command, cwd: '/w' }] } as AgentEvent);
    chat.timers.advance(1000);
    await chat.type('y');
    await chat.type('\u007f');
    chat.timers.advance(1000);
    await chat.type('y');
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual([]);
    await chat.type('\u007f');
    for (let page = 0; page < 12; page += 1) await chat.type('\u001b[6~');
    chat.timers.advance(400);
    await chat.type('y');
    expect(chat.calls).toContain('approve r1 once');
  });

  it('the next request starts with a fresh silence', async () => {
    const chat = createChat();
    chat.emit(request, { ...request, requestId: 'r2' } as AgentEvent);
    chat.timers.advance(400);
    await chat.type('y');
    chat.emit(
      event('permission-decision', { requestId: 'r1', callId: '1', verdict: 'allow', by: 'user', reason: 'allowed', endsRun: false }),
    );
    await chat.type('y');
    expect(chat.calls.filter((made) => made.startsWith('approve'))).toEqual(['approve r1 once']);
  });
});

describe('questions', () => {
  const question = event('question-request', { requestId: 'q1', callId: '1', question: 'Which?', options: ['red', 'blue'] });

  it.each([
    ['arrows and Enter', ['\u001b[B', '\r'], 'answer q1 blue'],
    ['a digit and Enter', ['2', '\r'], 'answer q1 blue'],
    ['typed text', ['green\r'], 'answer q1 green'],
  ])('%s', async (_name, keys, call) => {
    const chat = createChat();
    chat.emit(question);
    for (const key of keys) await chat.type(key);
    expect(chat.calls).toContain(call);
  });
});

describe('menus', () => {
  it('Tab completes a command, Enter sends it', async () => {
    const chat = createChat();
    await chat.type('/pau\t');
    expect(chat.store.get().input.text).toBe('/pause ');
    await chat.type('for lunch\r');
    expect(chat.calls).toContain('pause for lunch');
  });

  it('Enter completes a command that is not whole', async () => {
    const chat = createChat();
    await chat.type('/pau\r');
    expect(chat.store.get().input.text).toBe('/pause ');
  });

  it('leafs through a history of commands without opening a menu', async () => {
    const chat = createChat();
    for (const line of ['first', '/stats', '/why']) await chat.type(`${line}\r`);
    await chat.type('\u001b[A\u001b[A\u001b[A');
    expect(chat.store.get().input.text).toBe('first');
    expect(chat.store.get().completion).toBeUndefined();
  });

  it('offers paths after @', async () => {
    const chat = createChat();
    await chat.type('see @src/');
    expect(chat.screen()).toContain('› @src/x.ts');
    await chat.type('\u001b[B\t');
    expect(chat.store.get().input.text).toBe('see @src/y/');
  });

  it('Ctrl+R finds older lines', async () => {
    const chat = createChat();
    for (const line of ['run tests', 'write docs', 'run lint']) await chat.type(`${line}\r`);
    await chat.type('\u0012run');
    expect(chat.screen()).toContain('search: run → run lint');
    await chat.type('\u0012');
    await chat.type('\r');
    expect(chat.store.get().input.text).toBe('run tests');
  });

  it('chooses a session and shows it', async () => {
    const other = createScriptedSession({
      id: 'old',
      replayed: [event('user-message', { kind: 'prompt', text: 'fix it', promptId: 'p' })],
    });
    const chat = createChat(createScriptedSession(), [other]);
    await chat.type('/resume\r');
    expect(chat.screen()).toContain('› fix it');
    await chat.type('\r');
    expect(chat.done).toContain('shows old');
    expect(chat.scrollback()).toContain('> fix it');
  });

  it('chooses a model', async () => {
    const chat = createChat();
    await chat.type('/model\r');
    await chat.type('other');
    await chat.type('\r');
    expect(chat.calls).toContain('model gpt-other');
  });

  it('edits the selected todo in the panel', async () => {
    const list = {
      items: [
        { id: '1', content: 'a', status: 'pending', priority: 'medium' },
        { id: '2', content: 'b', status: 'pending', priority: 'medium' },
      ],
      version: 1,
      lastId: 2,
    } as const;
    const chat = createChat(createScriptedSession({ todos: list }));
    await chat.type('\u0014\t\u001b[Bd');
    expect(chat.calls).toContain('todo done');
    await chat.type('e');
    expect(chat.store.get().input.text).toBe('/todo edit 2 b');
  });

  it('Shift+Tab goes through the modes', async () => {
    const chat = createChat();
    await chat.type('\u001b[Z');
    expect(chat.screen()).toContain('auto-edit');
  });
});

describe('the screen', () => {
  it('asks for no timer when nothing goes on', () => {
    const chat = createChat();
    chat.timers.advance(5000);
    expect(chat.timers.pending).toBe(0);
  });

  it('writes what is finished once and keeps the rest live', () => {
    const chat = createChat();
    chat.emit(event('run-start', { origin: 'user', promptId: 'p' }), event('turn-start', { reminded: false, elapsedMs: 0 }));
    chat.emit(event('text-delta', { text: 'First.\n\nSecond' }));
    expect(chat.scrollback()).toBe('First.');
    expect(chat.screen()).toContain('Second');
    chat.emit(
      event('text-delta', { text: ' part.' }),
      event('prompt-end', { promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All 1 todos done' }),
    );
    expect(chat.scrollback()).toBe('First.\n\nSecond part.\n\n✓ All 1 todos done');
    expect(chat.done).toContain('notify All 1 todos done');
  });

  it('Ctrl+O prints a folded output in full', async () => {
    const chat = createChat();
    const output = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n');
    chat.emit(
      event('tool-result', {
        callId: '1',
        name: 'read_file',
        arguments: { path: 'a' },
        output,
        isError: false,
        acting: false,
        working: true,
      }),
    );
    expect(chat.scrollback()).not.toContain('row 29');
    await chat.type('\u000f');
    expect(chat.scrollback()).toContain('row 29');
  });

  it('draws nothing while held, and everything after', () => {
    const chat = createChat();
    chat.store.hold();
    chat.emit(event('notice', { level: 'info', text: 'one' }), event('notice', { level: 'info', text: 'two' }));
    expect(chat.scrollback()).toBe('');
    chat.store.release();
    expect(chat.scrollback()).toBe('· one\n· two');
  });
});
