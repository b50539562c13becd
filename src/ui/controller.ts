import type { CommandResult } from '../commands/command.ts';
import { findCommand } from '../commands/index.ts';
import type { Session } from '../continuation/session.ts';
import { messageOf } from '../types/errors.ts';
import { approvalKey } from './approval-keys.ts';
import { completeAt, listCompletions } from './completion.ts';
import { emptyInput, expandInput, type InputAction, reduceInput } from './input-state.ts';
import { editActionOf, isNewline, isPress } from './key-bindings.ts';
import type { Key } from './keys.ts';
import { pickerChoices } from './menu-lines.ts';
import { type HistorySearch, isBusy, type Picker, type UiState } from './ui-state.ts';
import type { Timers, UiStore } from './ui-store.ts';
import { addItem, type Item, reduceView } from './view-state.ts';

export type SessionListing = {
  readonly id: string;
  readonly name: string | undefined;
  readonly updatedAt: number;
  readonly firstPrompt: string;
  readonly openTodos: number;
};

/** What the terminal can do besides drawing. */
export type TerminalActions = {
  suspend(): void;
  redraw(): void;
  copy(text: string): void;
  /** Rings, where that is wanted and nobody looks. */
  notify(text: string): void;
  setTitle(text: string): void;
  /** The text as the user's editor left it; undefined when there is no editor or it failed, with a reason. */
  edit?(text: string): Promise<{ readonly text: string } | { readonly error: string }>;
};

export type ControllerDeps = {
  readonly store: UiStore;
  readonly timers: Timers;
  readonly terminal: TerminalActions;
  openSession(from: { resume: string } | { fork: string } | 'empty'): Promise<Session>;
  listSessions(): Promise<readonly SessionListing[]>;
  /** Paths of the workspace that begin like the fragment, folders with a slash at the end. */
  listPaths?(fragment: string): Promise<readonly string[]>;
  readonly history: { append(line: string): void };
  onSession(session: Session): void;
  onQuit(): void;
};

/** Turns keys into what the session is asked to do, and what the session says into what is shown. */
export type Controller = {
  key(key: Key): void;
  attach(session: Session): void;
  session(): Session;
  submit(text: string): void;
  /** Reads again what the status line says. */
  refresh(): void;
  close(): void;
};

/** Within this time a second Ctrl+C ends the program, ms. */
const exitWindowMs = 1500;
/** Items of a resumed session that are shown. */
const maxReplayedItems = 200;

/** Events after which mode, model, context or saving may be others. */
const factEvents: ReadonlySet<string> = new Set([
  'session-start',
  'turn-end',
  'model-change',
  'settings-change',
  'compaction',
  'prompt-end',
  'notice',
]);

export function createController(first: Session, deps: ControllerDeps): Controller {
  const { store, timers, terminal } = deps;
  let session = first;
  let detach: () => void = () => {};
  let exitHint: number | undefined;
  let cancelHint: (() => void) | undefined;
  let aside: AbortController | undefined;
  let completionRun = 0;

  const show = (item: Item): void => store.update((state) => ({ ...state, view: addItem(state.view, item) }), 'now');
  const notice = (level: 'info' | 'warning' | 'error', text: string): void => show({ kind: 'notice', level, text });

  const hint = (text: string, forMs: number): void => {
    cancelHint?.();
    store.update((state) => ({ ...state, hint: text }), 'now');
    cancelHint = timers.after(forMs, () => store.update((state) => ({ ...state, hint: '' }), 'now'));
  };

  const edit = (action: InputAction): void => {
    const before = store.get().input;
    store.update((state) => ({ ...state, input: reduceInput(state.input, action) }), 'now');
    const after = store.get().input;
    if ((before.text === '') !== (after.text === '')) session.service.typing(after.text !== '');
    if (before.text !== after.text) offerCompletion();
  };

  const readFacts = (): UiState['facts'] => {
    const { provider, model, contextWindow, offline } = session.model.current();
    const used = session.usage.contextTokens();
    return {
      model: offline ? `${model} (offline)` : provider === '' ? model : `${provider}/${model}`,
      mode: session.approval.mode(),
      sandbox: session.approval.sandbox(),
      contextShare: contextWindow === undefined || used === 0 ? undefined : used / contextWindow,
      saving: session.saving.get(),
    };
  };
  const refresh = (): void => store.update((state) => ({ ...state, facts: readFacts() }));

  const attach = (next: Session): void => {
    detach();
    session = next;
    const now = timers.now();
    let view = store.get().view;
    view = { ...view, todos: next.todos.list(), tokens: { input: 0, output: 0, costUsd: undefined }, processes: {} };
    for (const event of next.replayed) view = reduceView(view, event, now);
    const hidden = view.items.length - maxReplayedItems;
    if (hidden > 0) {
      const note: Item = { kind: 'notice', level: 'info', text: `${hidden} earlier entries are not shown` };
      view = { ...view, items: [note, ...view.items.slice(-maxReplayedItems)] };
    }
    store.update(
      (state) => ({
        ...state,
        view: { ...view, activity: { kind: 'idle' }, approvals: [], questions: [], todos: next.todos.list() },
        engine: next.service.state.get(),
        waiting: next.service.waiting.get(),
      }),
      'now',
    );
    const stops = [
      next.subscribe((event) => {
        const end = event.type === 'run-end' || event.type === 'prompt-end';
        store.update((state) => ({ ...state, view: reduceView(state.view, event, timers.now()) }), end ? 'now' : 'frame');
        if (event.type === 'permission-request' || event.type === 'question-request') {
          store.update((state) => ({ ...state, questionIndex: 0 }), 'now');
          terminal.notify(event.type === 'permission-request' ? 'tilldone asks for permission' : 'tilldone has a question');
        }
        if (event.type === 'prompt-end' && event.sentence !== '') terminal.notify(event.sentence);
        if (event.type === 'todos-change' || event.type === 'prompt-end') titleOf();
        if (factEvents.has(event.type)) refresh();
      }),
      next.service.state.subscribe(() => store.update((state) => ({ ...state, engine: next.service.state.get() }), 'now')),
      next.service.waiting.subscribe(() => store.update((state) => ({ ...state, waiting: next.service.waiting.get() }), 'now')),
      next.saving.subscribe(refresh),
    ];
    detach = () => {
      for (const stop of stops) stop();
    };
    deps.onSession(next);
    refresh();
    titleOf();
  };

  const titleOf = (): void => {
    const { items } = store.get().view.todos;
    const closed = items.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
    terminal.setTitle(items.length === 0 ? 'tilldone' : `tilldone ${closed}/${items.length}`);
  };

  const switchSession = async (from: { resume: string } | { fork: string } | 'empty'): Promise<void> => {
    try {
      session.service.cancelCountdown();
      const old = session;
      const next = await deps.openSession(from);
      attach(next);
      await old.close();
    } catch (error) {
      notice('error', messageOf(error));
    }
  };

  const runAside = async (label: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    if (aside !== undefined) return notice('warning', 'One command at a time: Esc stops the one that runs');
    const controller = new AbortController();
    aside = controller;
    store.update((state) => ({ ...state, aside: label }), 'now');
    try {
      await work(controller.signal);
    } catch (error) {
      notice('error', messageOf(error));
    }
    aside = undefined;
    store.update((state) => ({ ...state, aside: undefined }), 'now');
  };

  const openPicker = async (kind: Picker['kind']): Promise<void> => {
    if (kind === 'session') {
      const sessions = await deps.listSessions();
      const items = sessions.map(({ id, name, updatedAt, firstPrompt, openTodos }) => ({
        id,
        label: name ?? (firstPrompt.replace(/\s+/gu, ' ').slice(0, 60) || id),
        detail: `${new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ')}${openTodos > 0 ? ` · ${openTodos} open` : ''}`,
      }));
      if (items.length === 0) return notice('info', 'There is no earlier session in this folder');
      return store.update((state) => ({ ...state, picker: { kind, title: 'Resume', items, index: 0, filter: '' } }), 'now');
    }
    const models = await session.model.list();
    if ('error' in models) return notice('error', models.error);
    const items = models.map(({ id, contextWindow }) => ({
      id,
      label: id,
      detail: contextWindow === undefined ? '' : `${contextWindow} tokens`,
    }));
    if (items.length === 0) return notice('info', 'The endpoint lists no models. Name one: /model NAME');
    store.update((state) => ({ ...state, picker: { kind, title: 'Model', items, index: 0, filter: '' } }), 'now');
  };

  const act = async (result: CommandResult): Promise<void> => {
    switch (result.kind) {
      case 'nothing':
        return;
      case 'notice':
        return notice(result.level, result.text);
      case 'page':
        return show({ kind: 'page', title: result.title, lines: result.lines });
      case 'submit':
        void session.service.submit(result.text);
        return;
      case 'resume-work':
        void session.service.resume();
        return;
      case 'aside':
        return runAside('side question', async (signal) => {
          show({ kind: 'user', source: 'prompt', text: `/ask ${result.text}` });
          const answer = await session.askAside(result.text, () => {}, signal);
          show({ kind: 'text', text: answer, carry: '', join: 'start', open: false, cut: signal.aborted, clean: { held: '' } });
        });
      case 'open-picker':
        return openPicker(result.picker);
      case 'new-session':
        return switchSession(result.from);
      case 'copy':
        terminal.copy(result.text);
        return notice('info', 'Copied');
      case 'toggle-todos':
        return store.update((state) => ({ ...state, todoPanel: !state.todoPanel }), 'now');
      case 'quit':
        return deps.onQuit();
    }
  };

  const runUserCommand = (line: string): void => {
    const share = !line.startsWith('!!');
    const command = line.replace(/^!!?/, '').trim();
    if (command === '') return;
    const callId = `user-${timers.now()}`;
    const place = { runId: '', turn: 0, attempt: 0 };
    const feed = (event: Parameters<typeof reduceView>[1]): void =>
      store.update((state) => ({ ...state, view: reduceView(state.view, event, timers.now()) }), 'frame');
    void runAside(share ? 'your command' : 'your command, not shown to the model', async (signal) => {
      let output = '';
      const args = { command };
      feed({
        type: 'tool-call',
        ...place,
        call: { type: 'tool-call', callId, name: share ? '!' : '!!', arguments: args, origin: { provider: '', model: '' } },
      });
      feed({ type: 'tool-start', ...place, callId, name: '!', effects: [], acting: true });
      const onOutput = (text: string): void => {
        output += text;
        feed({ type: 'tool-output', ...place, callId, text });
      };
      await session.runUserCommand(command, { share, onOutput, signal });
      feed({
        type: 'tool-result',
        ...place,
        callId,
        name: '!',
        arguments: args,
        output,
        isError: signal.aborted,
        acting: true,
        working: true,
      });
    });
  };

  const runCommand = async (line: string): Promise<boolean> => {
    const found = findCommand(line);
    if (found === undefined) return false;
    if ('error' in found) {
      notice('error', found.error);
      return true;
    }
    if (isBusy(store.get()) && !found.command.whileBusy) {
      notice('warning', `/${found.command.name} has to wait: Esc stops the work first`);
      return true;
    }
    try {
      await act(await found.command.run(found.rest, session));
    } catch (error) {
      notice('error', messageOf(error));
    }
    refresh();
    return true;
  };

  const remember = (line: string): void => {
    store.update((state) => ({ ...state, input: { ...reduceInput(state.input, { type: 'remember', line }) } }));
    deps.history.append(line);
  };

  const submit = (text: string, when: 'steer' | 'queue' = 'steer'): void => {
    const trimmed = text.trim();
    if (trimmed === '') return;
    const question = store.get().view.questions[0];
    if (question !== undefined && !trimmed.startsWith('/')) return session.questions.answer(question.requestId, trimmed);
    if (trimmed.startsWith('!')) return runUserCommand(trimmed);
    void runCommand(text.trimEnd()).then((done) => {
      if (done) return;
      if (when === 'queue' && isBusy(store.get())) session.service.queue(trimmed);
      else void session.service.submit(trimmed);
    });
  };

  const send = (when: 'steer' | 'queue'): void => {
    const { input, view } = store.get();
    const text = expandInput(input);
    if (text.trim() === '') {
      const question = view.questions[0];
      const option = question?.options[store.get().questionIndex];
      if (question !== undefined && option !== undefined) session.questions.answer(question.requestId, option);
      return;
    }
    if (text.endsWith('\\') && when === 'steer') {
      edit({ type: 'replace', from: input.text.length - 1, to: input.text.length, text: '\n' });
      return;
    }
    remember(text.trim());
    store.update(
      (state) => ({ ...state, completion: undefined, input: { ...emptyInput, history: state.input.history, kills: state.input.kills } }),
      'now',
    );
    session.service.typing(false);
    submit(text, when);
  };

  /** Esc: closes what is open, else stops what runs; what had not been delivered comes back into the input. */
  const escape = (): void => {
    const state = store.get();
    if (state.completion !== undefined || state.search !== undefined || state.picker !== undefined || state.todoIndex !== undefined) {
      return store.update((old) => ({ ...old, completion: undefined, search: undefined, picker: undefined, todoIndex: undefined }), 'now');
    }
    if (aside !== undefined) return aside.abort();
    if (isBusy(state)) interrupt();
  };

  const interrupt = (): void => {
    const texts = session.service.takeWaiting();
    session.service.interrupt();
    if (texts.length === 0) return;
    const { text } = store.get().input;
    edit({ type: 'set', text: [...texts, ...(text === '' ? [] : [text])].join('\n') });
  };

  const controlC = (): void => {
    const state = store.get();
    if (aside !== undefined) return aside.abort();
    if (isBusy(state)) return interrupt();
    if (state.picker !== undefined || state.search !== undefined) return escape();
    if (state.input.text !== '') return edit({ type: 'clear' });
    const now = timers.now();
    if (exitHint !== undefined && now - exitHint <= exitWindowMs) return deps.onQuit();
    exitHint = now;
    hint('Ctrl+C again to exit', exitWindowMs);
  };

  const offerCompletion = (): void => {
    completionRun += 1;
    const run = completionRun;
    const { input } = store.get();
    const set = (completion: UiState['completion']): void => {
      if (run === completionRun && (completion !== undefined || store.get().completion !== undefined)) {
        store.update((state) => ({ ...state, completion }), 'now');
      }
    };
    const now = listCompletions(input, session);
    if (now !== 'paths') return set(now);
    if (deps.listPaths === undefined) return set(undefined);
    const { from, to, fragment } = completeAt(input);
    void deps.listPaths(fragment).then((paths) => {
      const items = paths.slice(0, 50).map((path) => ({ value: `@${path}`, help: '' }));
      set(items.length === 0 ? undefined : { items, index: 0, from, to });
    });
  };

  const chooseCompletion = (): void => {
    const { completion } = store.get();
    const item = completion?.items[completion.index];
    if (completion === undefined || item === undefined) return;
    const space = item.value.endsWith('/') ? '' : ' ';
    edit({ type: 'replace', from: completion.from, to: completion.to, text: item.value + space });
  };

  const stepped = (index: number, by: number, length: number): number => (length === 0 ? 0 : (index + by + length) % length);

  const completionKey = (key: Key): boolean => {
    const { completion, input } = store.get();
    if (completion === undefined) return false;
    const by = isPress(key, 'down') || isPress(key, 'n', 'ctrl') ? 1 : isPress(key, 'up') || isPress(key, 'p', 'ctrl') ? -1 : 0;
    if (by !== 0) {
      const index = stepped(completion.index, by, completion.items.length);
      store.update((state) => ({ ...state, completion: { ...completion, index } }), 'now');
      return true;
    }
    if (isPress(key, 'tab')) {
      chooseCompletion();
      return true;
    }
    // Enter completes a command name that is not whole yet; what is whole is sent.
    if (isPress(key, 'enter')) {
      const item = completion.items[completion.index];
      const typed = input.text.slice(completion.from, completion.to);
      if (item === undefined || typed === item.value || (!typed.startsWith('/') && !typed.startsWith('@'))) return false;
      if (
        typed.startsWith('/') &&
        completion.index === 0 &&
        findCommand(typed) !== undefined &&
        !('error' in (findCommand(typed) ?? { error: '' }))
      )
        return false;
      chooseCompletion();
      return true;
    }
    return false;
  };

  const searched = (query: string, skip: number): HistorySearch => {
    const matches =
      query === ''
        ? []
        : store
            .get()
            .input.history.toReversed()
            .filter((line) => line.toLowerCase().includes(query.toLowerCase()));
    return { query, skip: Math.min(skip, Math.max(0, matches.length - 1)), match: matches[Math.min(skip, matches.length - 1)] };
  };

  const searchKey = (key: Key): boolean => {
    const { search } = store.get();
    if (search === undefined) return false;
    const set = (next: HistorySearch | undefined): void => store.update((state) => ({ ...state, search: next }), 'now');
    if (isPress(key, 'r', 'ctrl')) set(searched(search.query, search.skip + 1));
    else if (key.kind === 'text' || key.kind === 'paste') set(searched(search.query + key.text.replace(/\s+/gu, ' '), 0));
    else if (isPress(key, 'backspace')) set(searched(search.query.slice(0, -1), 0));
    else if (isPress(key, 'g', 'ctrl') || isPress(key, 'c', 'ctrl') || isPress(key, 'escape')) set(undefined);
    else {
      set(undefined);
      if (search.match !== undefined) edit({ type: 'set', text: search.match });
      store.update((state) => ({ ...state, completion: undefined }), 'now');
    }
    return true;
  };

  const pickerKey = (key: Key): boolean => {
    const { picker } = store.get();
    if (picker === undefined) return false;
    const choices = pickerChoices(picker);
    const set = (next: Picker | undefined): void => store.update((state) => ({ ...state, picker: next }), 'now');
    if (isPress(key, 'down')) set({ ...picker, index: stepped(picker.index, 1, choices.length) });
    else if (isPress(key, 'up')) set({ ...picker, index: stepped(picker.index, -1, choices.length) });
    else if (key.kind === 'text') set({ ...picker, filter: picker.filter + key.text, index: 0 });
    else if (isPress(key, 'backspace')) set({ ...picker, filter: picker.filter.slice(0, -1), index: 0 });
    else if (isPress(key, 'escape') || isPress(key, 'c', 'ctrl')) set(undefined);
    else if (isPress(key, 'enter')) {
      set(undefined);
      const chosen = choices[Math.min(picker.index, choices.length - 1)];
      if (chosen !== undefined) choose(picker.kind, chosen.id);
    }
    return true;
  };

  const choose = (kind: Picker['kind'], id: string): void => {
    if (kind === 'session') return void switchSession({ resume: id });
    session.service.cancelCountdown();
    void session.model.change(id).then((error) => {
      if (error !== undefined) notice('error', error);
      refresh();
    });
  };

  const approvalKeys = (key: Key): boolean => {
    const { approval, input } = store.get();
    if (approval === undefined) return false;
    if (approval.refusing) {
      if (isPress(key, 'escape')) {
        store.update(
          (state) => ({ ...state, approval: { ...approval, refusing: false }, input: { ...state.input, text: '', cursor: 0 } }),
          'now',
        );
        return true;
      }
      if (!isPress(key, 'enter')) return false;
      const reason = expandInput(input).trim();
      store.update((state) => ({ ...state, input: { ...state.input, text: '', cursor: 0 } }), 'now');
      session.questions.approve(approval.request.requestId, reason === '' ? { kind: 'no' } : { kind: 'no', reason });
      return true;
    }
    const step = approvalKey(approval, key, { now: timers.now(), editing: input.text !== '', rows: store.get().size.rows });
    if (step.kind === 'pass') return false;
    if (step.kind === 'box') store.update((state) => ({ ...state, approval: step.box }), 'now');
    if (step.kind === 'type') {
      store.update((state) => ({ ...state, approval: step.box }));
      const action = editActionOf(key);
      if (action !== undefined) edit(action);
    }
    if (step.kind === 'answer') session.questions.approve(approval.request.requestId, step.answer);
    return true;
  };

  const questionKey = (key: Key): boolean => {
    const question = store.get().view.questions[0];
    if (question === undefined || question.options.length === 0 || store.get().input.text !== '') return false;
    const by = isPress(key, 'down') ? 1 : isPress(key, 'up') ? -1 : 0;
    const digit = key.kind === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
    if (digit >= 0 && digit < question.options.length) store.update((state) => ({ ...state, questionIndex: digit }), 'now');
    else if (by !== 0)
      store.update((state) => ({ ...state, questionIndex: stepped(state.questionIndex, by, question.options.length) }), 'now');
    else return false;
    return true;
  };

  const nextMode = { plan: 'default', default: 'auto-edit', 'auto-edit': 'yolo', yolo: 'plan' } as const;

  /** Keys that mean the same wherever one is. */
  const globalKey = (key: Key): boolean => {
    if (isPress(key, 'c', 'ctrl')) controlC();
    else if (isPress(key, 'escape')) escape();
    else if (isPress(key, 'd', 'ctrl') && store.get().input.text === '') deps.onQuit();
    else if (isPress(key, 't', 'ctrl')) store.update((state) => ({ ...state, todoPanel: !state.todoPanel }), 'now');
    else if (isPress(key, 'o', 'ctrl')) unfold();
    else if (isPress(key, 'l', 'ctrl')) terminal.redraw();
    else if (isPress(key, 'z', 'ctrl')) terminal.suspend();
    else if (isPress(key, 'r', 'ctrl')) store.update((state) => ({ ...state, search: searched('', 0), completion: undefined }), 'now');
    else if (isPress(key, 'g', 'ctrl')) void editOutside();
    else if (isPress(key, 'tab', 'shift')) {
      session.approval.setMode(nextMode[session.approval.mode()]);
      store.update((state) => ({ ...state, facts: readFacts() }), 'now');
    } else return false;
    return true;
  };

  /** Prints the newest folded output in full, and forgets it, so that the next time the one before comes. */
  const unfold = (): void => {
    const folded = store.get().view.folded.at(-1);
    if (folded === undefined) return hint('Nothing is folded', exitWindowMs);
    store.update((state) => ({ ...state, view: { ...state.view, folded: state.view.folded.slice(0, -1) } }));
    show({ kind: 'page', title: folded.title, lines: folded.text.split('\n') });
  };

  const editOutside = async (): Promise<void> => {
    if (terminal.edit === undefined) return hint('No external editor: set EDITOR', exitWindowMs);
    const result = await terminal.edit(expandInput(store.get().input));
    if ('error' in result) return notice('error', result.error);
    edit({ type: 'set', text: result.text.replace(/\n+$/, '') });
  };

  const editorKey = (key: Key): void => {
    const busy = isBusy(store.get());
    if (isPress(key, 'enter', 'alt') || (isPress(key, 'tab') && busy)) return send('queue');
    if (isPress(key, 'tab')) return offerCompletion();
    if (key.kind === 'press' && key.name === 'enter' && !isNewline(key)) return send('steer');
    const action = editActionOf(key);
    if (action !== undefined) edit(action);
  };

  return {
    key(key) {
      if (key.kind === 'focus' || key.kind === 'reply') return;
      if (approvalKeys(key) || pickerKey(key) || searchKey(key) || completionKey(key)) return;
      if (globalKey(key) || questionKey(key)) return;
      editorKey(key);
    },
    attach,
    session: () => session,
    submit,
    refresh,
    close() {
      detach();
      cancelHint?.();
      aside?.abort();
    },
  };
}
