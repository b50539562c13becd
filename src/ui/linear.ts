import { sanitizeText } from '../lib/sanitize.ts';
import type { Terminal } from '../lib/terminal.ts';
import type { ApprovalAnswer } from '../types/ask.ts';
import { approvalPreview } from './approval-lines.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { SessionLink } from './session-link.ts';
import { plainPaint } from './theme.ts';
import { todoSummary } from './tool-lines.ts';
import { inertMs, isBusy } from './ui-state.ts';
import type { Timers, UiStore } from './ui-store.ts';

export type LinearDeps = {
  readonly store: UiStore;
  readonly timers: Timers;
  readonly terminal: Pick<Terminal, 'write' | 'size'>;
  readonly link: SessionLink;
  readonly dispatcher: Dispatcher;
  remember(line: string): void;
  onQuit(): void;
};

/** The chat for screen readers: every line is written once, in order, nothing is drawn over, and lines are edited by the terminal itself. */
export type LinearChat = {
  /** A line that the user entered. */
  line(text: string): void;
  /** Ctrl+C: stops the work; twice on nothing, it leaves. */
  interrupt(): void;
  close(): void;
};

const answers: Readonly<Record<string, ApprovalAnswer>> = {
  y: { kind: 'once' },
  s: { kind: 'session' },
  a: { kind: 'always' },
  n: { kind: 'no' },
};
const exitWindowMs = 1500;

/** What a line says to an approval; undefined when it is no answer to it. */
export function answerOf(text: string, rule: string | undefined): ApprovalAnswer | undefined {
  const [, word = '', reason = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const letter = { yes: 'y', no: 'n', session: 's', always: 'a' }[word.toLowerCase()] ?? word.toLowerCase();
  if (letter === 'n' && reason.trim() !== '') return { kind: 'no', reason: reason.trim() };
  if (reason.trim() !== '' || ((letter === 's' || letter === 'a') && rule === undefined)) return undefined;
  return Object.hasOwn(answers, letter) ? answers[letter] : undefined;
}

export function createLinearChat(deps: LinearDeps): LinearChat {
  const { store, timers, terminal, link, dispatcher } = deps;
  let asked = '';
  let askedAt = 0;
  let progress = '';
  let wasBusy = false;
  let wasCounting = false;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const say = (...lines: readonly string[]): void => terminal.write(lines.map((line) => `${line}\n`).join(''));

  const ask = (id: string, lines: readonly string[]): void => {
    if (asked === id) return;
    asked = id;
    askedAt = timers.now();
    say(...lines);
  };

  const stop = store.subscribe(() => {
    const { settled } = store.snapshot();
    if (settled !== undefined) {
      say(settled.text);
      store.written(settled.id);
    }
    const state = store.get();
    const { approval, view, engine } = state;
    const [question] = view.questions;
    if (approval !== undefined) {
      const { request } = approval;
      const lasting = request.rule === undefined ? '' : `, s for this session, a always (${request.rule})`;
      const preview = approvalPreview(approval, { width: terminal.size().columns, paint: plainPaint });
      ask(request.requestId, [
        `Permission needed for ${sanitizeText(request.toolName)}: ${sanitizeText(request.reason)}`,
        ...preview,
        `Enter y for yes${lasting}, n for no, n REASON to say why not.`,
      ]);
    } else if (question !== undefined) {
      const options = question.options.map((option, index) => `${index + 1} ${sanitizeText(option)}`);
      ask(question.requestId, [`Question: ${sanitizeText(question.question)}`, ...options, 'Enter a number or your answer.']);
    } else asked = '';
    const todos = todoSummary(view.todos.items);
    const said =
      todos === undefined ? '' : `Todos ${todos.count.replace('/', ' of ')} done${todos.current === '' ? '' : `, now: ${todos.current}`}`;
    if (said !== progress && said !== '') say(said);
    progress = said;
    if (engine.kind === 'counting' && !wasCounting)
      say(`Continuing in ${Math.ceil(engine.remainingMs / 1000)} seconds, ${engine.open} open. Ctrl+C stops.`);
    wasCounting = engine.kind === 'counting';
    const busy = isBusy(state);
    if (busy !== wasBusy) say(busy ? 'Working. Ctrl+C stops.' : 'Ready. Enter your text.');
    wasBusy = busy;
  });

  return {
    line(text) {
      const { approval, view } = store.get();
      const [question] = view.questions;
      const early = timers.now() - askedAt < inertMs;
      if (approval !== undefined && !early) {
        const { request } = approval;
        const answer = answerOf(text, request.rule);
        if (answer !== undefined) {
          link.current().questions.approve(request.requestId, answer);
          return;
        }
      }
      const option = question === undefined || early ? undefined : question.options[Number(text.trim()) - 1];
      if (question !== undefined && option !== undefined) link.current().questions.answer(question.requestId, option);
      else if (text.trim() !== '') {
        deps.remember(text.trim());
        dispatcher.submit(text);
      }
    },
    interrupt() {
      if (dispatcher.stopAside()) return;
      const now = timers.now();
      if (isBusy(store.get())) link.current().service.interrupt();
      else if (now - interruptedAt <= exitWindowMs) deps.onQuit();
      else say('Ctrl+C again to exit');
      interruptedAt = now;
    },
    close: stop,
  };
}
