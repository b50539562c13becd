import { approvalKey } from './approval-keys.ts';
import { completeAt, listCompletions } from './completion.ts';
import type { Dispatcher } from './dispatcher.ts';
import { expandInput, type InputAction, reduceInput } from './input-state.ts';
import { editActionOf, isNewline, isPress } from './key-bindings.ts';
import type { Key } from './keys.ts';
import { completionKey, pickerKey, searchHistory, searchKey, stepOf } from './menu-keys.ts';
import type { SessionLink } from './session-link.ts';
import { todoKey } from './todo-keys.ts';
import { isBusy, type UiState } from './ui-state.ts';
import type { Timers, UiStore } from './ui-store.ts';

/** What the keys may ask of the terminal. */
export type TerminalActions = {
  suspend(): void;
  redraw(): void;
  /** The text as the user's editor left it, or why not; undefined when there is no way to open one. */
  readonly edit: ((text: string) => Promise<{ readonly text: string } | { readonly error: string }>) | undefined;
};

export type ControllerDeps = {
  readonly store: UiStore;
  readonly timers: Timers;
  readonly link: SessionLink;
  readonly dispatcher: Dispatcher;
  readonly terminal: TerminalActions;
  /** Paths that begin like the fragment, folders with a slash at the end. */
  readonly listPaths: ((fragment: string) => Promise<readonly string[]>) | undefined;
  remember(line: string): void;
  onQuit(): void;
};

/** Leads every key to where it belongs: an open question first, then menus, then the keys of the whole screen, then the input. */
export type Controller = { key(key: Key): void };

/** Within this time a second Ctrl+C ends the program, ms. */
const exitWindowMs = 1500;
const maxPaths = 50;
/** Actions after which a completion is offered; leafing through the history is none. */
const writes: ReadonlySet<InputAction['type']> = new Set(['insert', 'backspace', 'delete', 'replace']);
const nextMode = { plan: 'default', default: 'auto-edit', 'auto-edit': 'yolo', yolo: 'plan' } as const;

export function createController(deps: ControllerDeps): Controller {
  const { store, timers, link, dispatcher, terminal } = deps;
  let exitAsked = Number.NEGATIVE_INFINITY;
  let cancelHint: (() => void) | undefined;
  let completionRun = 0;

  const set = (change: Partial<UiState>): void => store.update((state) => ({ ...state, ...change }), 'now');

  const hint = (text: string): void => {
    cancelHint?.();
    set({ hint: text });
    cancelHint = timers.after(exitWindowMs, () => set({ hint: '' }));
  };

  const edit = (action: InputAction): void => {
    const before = store.get().input;
    const input = reduceInput(before, action);
    set({ input });
    if ((before.text === '') !== (input.text === '')) link.current().service.typing(input.text !== '');
    if (writes.has(action.type)) offerCompletion();
    else if (store.get().completion !== undefined) set({ completion: undefined });
  };

  const offerCompletion = (): void => {
    completionRun += 1;
    const run = completionRun;
    const { input, completion, approval } = store.get();
    const found = input.text === '' || approval !== undefined ? undefined : listCompletions(input, link.current());
    if (found !== 'paths' || deps.listPaths === undefined) {
      const menu = found === 'paths' ? undefined : found;
      if (menu !== completion) set({ completion: menu });
      return;
    }
    const { from, to, fragment } = completeAt(input);
    void deps.listPaths(fragment).then((paths) => {
      if (run !== completionRun) return;
      const items = paths.slice(0, maxPaths).map((path) => ({ value: `@${path}`, help: '' }));
      set({ completion: items.length === 0 ? undefined : { items, index: 0, moved: false, from, to } });
    });
  };

  const send = (when: 'steer' | 'queue'): void => {
    const { input, view, questionIndex } = store.get();
    const text = expandInput(input);
    if (text.trim() === '') {
      const question = view.questions[0];
      const option = question?.options[questionIndex];
      if (question !== undefined && option !== undefined) link.current().questions.answer(question.requestId, option);
      return;
    }
    if (text.endsWith('\\') && input.cursor === input.text.length && when === 'steer') {
      edit({ type: 'replace', from: input.text.length - 1, to: input.text.length, text: '\n' });
      return;
    }
    completionRun += 1;
    set({ completion: undefined, input: reduceInput(input, { type: 'sent', line: text.trim() }) });
    link.current().service.typing(false);
    deps.remember(text.trim());
    dispatcher.submit(text, when);
  };

  /** Stops the work; what had not been delivered comes back into the input. */
  const interrupt = (): void => {
    const { service } = link.current();
    const texts = service.takeWaiting();
    service.interrupt();
    const { text } = store.get().input;
    if (texts.length > 0) edit({ type: 'set', text: [...texts, ...(text === '' ? [] : [text])].join('\n') });
  };

  const onEscape = (): void => {
    const { completion, todoIndex } = store.get();
    if (completion !== undefined || todoIndex !== undefined) set({ completion: undefined, todoIndex: undefined });
    else if (!dispatcher.stopAside() && isBusy(store.get())) interrupt();
  };

  const onControlC = (): void => {
    if (dispatcher.stopAside()) return;
    if (isBusy(store.get())) interrupt();
    else if (store.get().input.text !== '') edit({ type: 'clear' });
    else if (timers.now() - exitAsked <= exitWindowMs) deps.onQuit();
    else {
      exitAsked = timers.now();
      hint('Ctrl+C again to exit');
    }
  };

  /** Prints the newest folded output in full; the next time comes the one before. */
  const unfold = (): void => {
    const { view } = store.get();
    const folded = view.folded.at(-1);
    if (folded === undefined) {
      hint('Nothing is folded');
      return;
    }
    set({ view: { ...view, folded: view.folded.slice(0, -1) } });
    link.show({ kind: 'page', title: folded.title, lines: folded.text.split('\n') });
  };

  const editOutside = async (): Promise<void> => {
    if (terminal.edit === undefined) {
      hint('No editor: set VISUAL or EDITOR');
      return;
    }
    const result = await terminal.edit(expandInput(store.get().input));
    if ('error' in result) link.notice('error', result.error);
    else edit({ type: 'set', text: result.text.replace(/\n+$/, '') });
  };

  const cycleMode = (): void => {
    const { approval } = link.current();
    approval.setMode(nextMode[approval.mode()]);
    link.refresh();
  };

  const onApproval = (key: Key): boolean => {
    const { approval, input, size } = store.get();
    if (approval === undefined) return false;
    const { requestId } = approval.request;
    if (approval.refusing) {
      if (isPress(key, 'escape')) set({ approval: { ...approval, refusing: false }, input: reduceInput(input, { type: 'clear' }) });
      else if (isPress(key, 'enter')) {
        const reason = expandInput(input).trim();
        set({ input: reduceInput(input, { type: 'clear' }) });
        link.current().questions.approve(requestId, reason === '' ? { kind: 'no' } : { kind: 'no', reason });
      } else return false;
      return true;
    }
    const step = approvalKey(approval, key, { now: timers.now(), editing: input.text !== '', rows: size.rows });
    if (step.kind === 'pass') return false;
    if (step.kind === 'answer') link.current().questions.approve(requestId, step.answer);
    else set({ approval: step.box });
    const action = step.kind === 'type' ? editActionOf(key) : undefined;
    if (action !== undefined) edit(action);
    return true;
  };

  const onMenu = (key: Key): boolean => {
    const { picker, search, completion, input } = store.get();
    if (picker !== undefined) {
      const step = pickerKey(picker, key);
      set({ picker: step.kind === 'picker' ? step.picker : undefined });
      if (step.kind === 'choose') dispatcher.choose(picker.kind, step.id);
      return true;
    }
    if (search !== undefined) {
      const step = searchKey(search, key, input.history);
      set({ search: step.kind === 'search' ? step.search : undefined });
      if (step.kind !== 'take') return true;
      if (step.line !== undefined) set({ input: reduceInput(input, { type: 'set', text: step.line }) });
      return isPress(key, 'enter');
    }
    if (completion === undefined) return false;
    const step = completionKey(completion, key, input.text.slice(completion.from, completion.to));
    if (step.kind === 'menu') set({ completion: step.menu });
    if (step.kind === 'take') {
      const space = step.value.endsWith('/') ? '' : ' ';
      edit({ type: 'replace', from: completion.from, to: completion.to, text: step.value + space });
    }
    return step.kind !== 'pass';
  };

  const onTodos = (key: Key): boolean => {
    const { todoIndex, view, todoPanel } = store.get();
    if (!todoPanel || todoIndex === undefined) return false;
    const step = todoKey(view.todos.items, todoIndex, key);
    if (step.kind === 'pass') return false;
    set({ todoIndex: step.index });
    if (step.kind === 'write') edit({ type: 'set', text: step.text });
    const error = step.kind === 'edit' ? link.current().todos.edit(step.edit) : undefined;
    if (error !== undefined) link.notice('error', error);
    return true;
  };

  const onQuestion = (key: Key): boolean => {
    const { view, input, questionIndex } = store.get();
    const count = view.questions[0]?.options.length ?? 0;
    if (count === 0 || input.text !== '') return false;
    const digit = key.kind === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) : 0;
    const by = stepOf(key);
    if (digit > 0 && digit <= count) set({ questionIndex: digit - 1 });
    else if (by !== 0) set({ questionIndex: (questionIndex + by + count) % count });
    else return false;
    return true;
  };

  /** Keys that mean the same wherever one is. */
  const onGlobal = (key: Key): boolean => {
    const { input, todoPanel, view } = store.get();
    if (isPress(key, 'c', 'ctrl')) onControlC();
    else if (isPress(key, 'escape')) onEscape();
    else if (isPress(key, 'd', 'ctrl') && input.text === '') deps.onQuit();
    else if (isPress(key, 't', 'ctrl')) set({ todoPanel: !todoPanel, todoIndex: undefined });
    else if (todoPanel && view.todos.items.length > 0 && input.text === '' && isPress(key, 'tab') && !isBusy(store.get()))
      set({ todoIndex: 0 });
    else if (isPress(key, 'o', 'ctrl')) unfold();
    else if (isPress(key, 'l', 'ctrl')) terminal.redraw();
    else if (isPress(key, 'z', 'ctrl')) terminal.suspend();
    else if (isPress(key, 'r', 'ctrl')) set({ search: searchHistory(input.history, '', 0), completion: undefined });
    else if (isPress(key, 'g', 'ctrl')) void editOutside();
    else if (isPress(key, 'tab', 'shift')) cycleMode();
    else return false;
    return true;
  };

  const onEditor = (key: Key): void => {
    const busy = isBusy(store.get());
    if (isPress(key, 'enter', 'alt') || (isPress(key, 'tab') && busy)) send('queue');
    else if (key.kind === 'press' && key.name === 'enter' && !isNewline(key)) send('steer');
    else {
      const action = editActionOf(key);
      if (action !== undefined) edit(action);
    }
  };

  return {
    key(key) {
      if (key.kind === 'focus' || key.kind === 'reply') return;
      if (onApproval(key) || onMenu(key) || onTodos(key) || onGlobal(key) || onQuestion(key)) return;
      onEditor(key);
    },
  };
}
