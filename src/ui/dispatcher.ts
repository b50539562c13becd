import type { CommandResult } from '../commands/command.ts';
import { findCommand } from '../commands/index.ts';
import { sanitizeStart, sanitizeText } from '../lib/sanitize.ts';
import { messageOf } from '../types/errors.ts';
import { type AgentEvent, nowhere } from '../types/events.ts';
import type { SessionLink } from './session-link.ts';
import { oneLine } from './text.ts';
import { isBusy, type Picker } from './ui-state.ts';
import type { Timers, UiStore } from './ui-store.ts';
import { reduceView } from './view-state.ts';

export type SessionListing = {
  readonly id: string;
  readonly name: string | undefined;
  /** Ms since the epoch. */
  readonly updatedAt: number;
  readonly firstPrompt: string;
  readonly openTodos: number;
};

export type DispatcherDeps = {
  readonly store: UiStore;
  readonly timers: Timers;
  readonly link: SessionLink;
  listSessions(): Promise<readonly SessionListing[]>;
  copy(text: string): void;
  onQuit(): void;
};

/** Carries out what the user sent: a prompt, an answer, a slash command or a command for the shell. */
export type Dispatcher = {
  /** Free text steers while the engine is busy, unless it is to be queued. */
  submit(text: string, when?: 'steer' | 'queue'): void;
  choose(kind: Picker['kind'], id: string): void;
  /** Stops a side question or a command of the user's; false when none runs. */
  stopAside(): boolean;
};

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, timers, link } = deps;
  let aside: AbortController | undefined;

  const runAside = async (label: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    if (aside !== undefined) {
      link.notice('warning', 'One command at a time: Esc stops the one that runs');
      return;
    }
    aside = new AbortController();
    store.update((state) => ({ ...state, aside: label }), 'now');
    try {
      await work(aside.signal);
    } catch (error) {
      link.notice('error', messageOf(error));
    }
    aside = undefined;
    store.update((state) => ({ ...state, aside: undefined }), 'now');
  };

  const askAside = (text: string): Promise<void> =>
    runAside('side question', async (signal) => {
      link.show({ kind: 'user', source: 'prompt', text: `/ask ${text}` });
      const answer = await link.current().askAside(text, () => {}, signal);
      link.show({
        kind: 'text',
        text: sanitizeText(answer),
        carry: '',
        join: 'start',
        open: false,
        cut: signal.aborted,
        clean: sanitizeStart,
      });
    });

  const runUserCommand = (command: string, share: boolean): Promise<void> => {
    const callId = `user-${timers.now()}`;
    const name = share ? '!' : '!!';
    const args = { command };
    const feed = (event: AgentEvent): void => store.update((state) => ({ ...state, view: reduceView(state.view, event, timers.now()) }));
    return runAside(share ? 'your command' : 'your command, kept from the model', async (signal) => {
      let output = '';
      const origin = { provider: '', model: '' };
      feed({ type: 'tool-call', ...nowhere, call: { type: 'tool-call', callId, name, arguments: args, origin } });
      feed({ type: 'tool-start', ...nowhere, callId, name, effects: [], acting: true });
      const onOutput = (text: string): void => {
        output += text;
        feed({ type: 'tool-output', ...nowhere, callId, text });
      };
      try {
        await link.current().runUserCommand(command, { share, onOutput, signal });
      } finally {
        feed({
          type: 'tool-result',
          ...nowhere,
          callId,
          name,
          arguments: args,
          output,
          isError: signal.aborted,
          acting: true,
          working: true,
        });
      }
    });
  };

  const openPicker = async (kind: Picker['kind']): Promise<void> => {
    const picker = kind === 'session' ? await sessionPicker() : await modelPicker(kind);
    if (typeof picker === 'string') link.notice('info', picker);
    else store.update((state) => ({ ...state, picker }), 'now');
  };

  const sessionPicker = async (): Promise<Picker | string> => {
    const current = link.current().id;
    const sessions = (await deps.listSessions()).filter(({ id }) => id !== current);
    if (sessions.length === 0) return 'There is no earlier session in this folder';
    const items = sessions.map(({ id, name, updatedAt, firstPrompt, openTodos }) => ({
      id,
      label: oneLine(sanitizeText(name ?? firstPrompt)).slice(0, 60) || id,
      detail: `${new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ')}${openTodos > 0 ? ` · ${openTodos} open` : ''}`,
    }));
    return { kind: 'session', title: 'Resume', items, index: 0, filter: '' };
  };

  const modelPicker = async (kind: Picker['kind']): Promise<Picker | string> => {
    const models = await link.current().model.list();
    if ('error' in models) return models.error;
    if (models.length === 0) return 'The endpoint lists no models. Name one: /model NAME';
    const items = models.map(({ id, contextWindow }) => ({
      id,
      label: oneLine(sanitizeText(id)),
      detail: contextWindow === undefined ? '' : `${contextWindow} tokens`,
    }));
    return { kind, title: 'Model', items, index: 0, filter: '' };
  };

  const act = async (result: CommandResult): Promise<void> => {
    switch (result.kind) {
      case 'nothing':
        break;
      case 'notice':
        link.notice(result.level, result.text);
        break;
      case 'page':
        link.show({ kind: 'page', title: sanitizeText(result.title), lines: result.lines.map(sanitizeText) });
        break;
      case 'submit':
        void link.current().service.submit(result.text);
        break;
      case 'resume-work':
        void link.current().service.resume();
        break;
      case 'aside':
        await askAside(result.text);
        break;
      case 'open-picker':
        await openPicker(result.picker);
        break;
      case 'new-session':
        await link.change(result.from);
        break;
      case 'copy':
        deps.copy(result.text);
        link.notice('info', 'Copied');
        break;
      case 'toggle-todos':
        store.update((state) => ({ ...state, todoPanel: !state.todoPanel }), 'now');
        break;
      case 'quit':
        deps.onQuit();
    }
  };

  /** Runs the line as a slash command; false when it is none. */
  const runCommand = async (line: string): Promise<boolean> => {
    const found = findCommand(line);
    if (found === undefined) return false;
    if ('error' in found) link.notice('error', found.error);
    else if (isBusy(store.get()) && !found.command.whileBusy) {
      link.notice('warning', `/${found.command.name} has to wait: Esc stops the work first`);
    } else {
      try {
        await act(await found.command.run(found.rest, link.current()));
      } catch (error) {
        link.notice('error', messageOf(error));
      }
      link.refresh();
    }
    return true;
  };

  return {
    submit(text, when = 'steer') {
      const trimmed = text.trim();
      if (trimmed === '') return;
      const shell = /^(!!?)\s*([\s\S]+)$/u.exec(trimmed);
      const question = store.get().view.questions[0];
      if (question !== undefined && !trimmed.startsWith('/')) link.current().questions.answer(question.requestId, trimmed);
      else if (shell !== null) void runUserCommand(shell[2] ?? '', shell[1] === '!');
      else {
        void runCommand(text.trimEnd()).then((done) => {
          if (done) return;
          const { service } = link.current();
          if (when === 'queue' && isBusy(store.get())) service.queue(trimmed);
          else void service.submit(trimmed);
        });
      }
    },
    choose(kind, id) {
      if (kind === 'session') {
        void link.change({ resume: id });
        return;
      }
      const session = link.current();
      session.service.cancelCountdown();
      void session.model.change(id).then((error) => {
        if (error !== undefined) link.notice('error', error);
        link.refresh();
      });
    },
    stopAside() {
      aside?.abort();
      return aside !== undefined;
    },
  };
}
