import { systemClock } from '../lib/clock.ts';
import { revealText } from '../lib/sanitize.ts';
import { openTerminal, type Terminal } from '../lib/terminal.ts';
import { createKeyDecoder, type Key } from './keys.ts';

/** Keys before this many ms have passed never answer: they were meant for something else. */
const inertMs = 300;

type Question<Choice extends string> = {
  readonly lines: readonly string[];
  /** The last one is what Esc and Ctrl+C mean. */
  readonly choices: readonly { readonly choice: Choice; readonly text: string }[];
};

export type ChoiceStep<Choice extends string> = { readonly selected: number } | { readonly chosen: Choice };

/** One key of a question with numbered choices: arrows move, Enter or the number chooses. */
export function stepChoice<Choice extends string>(
  question: Pick<Question<Choice>, 'choices'>,
  selected: number,
  key: Key,
): ChoiceStep<Choice> {
  const { choices } = question;
  const at = (index: number): ChoiceStep<Choice> => {
    const found = choices[index];
    return found === undefined ? { selected } : { chosen: found.choice };
  };
  if (key.kind === 'text') return /^[1-9]$/u.test(key.text) ? at(Number(key.text) - 1) : { selected };
  if (key.kind !== 'press') return { selected };
  if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) return at(choices.length - 1);
  if (key.name === 'enter') return at(selected);
  if (key.name === 'up') return { selected: Math.max(0, selected - 1) };
  if (key.name === 'down') return { selected: Math.min(choices.length - 1, selected + 1) };
  return { selected };
}

/** The choices, one a line, the selected one marked. */
export function choiceLines<Choice extends string>(question: Pick<Question<Choice>, 'choices'>, selected: number): readonly string[] {
  return question.choices.map(({ text }, index) => `${index === selected ? '>' : ' '} ${index + 1}. ${text}`);
}

export type LineStep = { readonly text: string } | { readonly done: string | undefined };

/** One key of a one-line answer; done with undefined: the user would rather not say. */
export function stepLine(text: string, key: Key): LineStep {
  if (key.kind === 'text') return { text: text + key.text };
  if (key.kind === 'paste') return { text: text + key.text.replace(/\s+/gu, ' ').trim() };
  if (key.kind !== 'press') return { text };
  if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) return { done: undefined };
  if (key.name === 'enter') return { done: text.trim() };
  if (key.name === 'backspace') return { text: [...text].slice(0, -1).join('') };
  return key.ctrl && key.name === 'u' ? { text: '' } : { text };
}

/** Asks on the bare terminal, before anything else is drawn. What is shown is cleaned here: paths come from outside. */
export function askChoice<Choice extends string>(question: Question<Choice>): Promise<Choice> {
  const last = question.choices.at(-1)?.choice ?? ('' as Choice); // a question has choices
  return onTerminal(last, (terminal, resolve) => {
    const opened = systemClock.now();
    let selected = 0;
    const show = (again: boolean): void => {
      const lines = choiceLines(question, selected);
      terminal.write(`${again ? `\u001b[${lines.length}A\r` : ''}${lines.map((line) => `\u001b[K${revealText(line)}\r\n`).join('')}`);
    };
    terminal.write(`${question.lines.map((line) => `${revealText(line)}\r\n`).join('')}\r\n`);
    show(false);
    return (key) => {
      if (systemClock.now() - opened < inertMs) return;
      const step = stepChoice(question, selected, key);
      if ('chosen' in step) resolve(step.chosen);
      else {
        selected = step.selected;
        show(true);
      }
    };
  });
}

/** Asks for one line; hidden text is shown as its number of characters only. Undefined when the user cancels. */
export function askLine(label: string, options: { readonly hidden: boolean }): Promise<string | undefined> {
  return onTerminal<string | undefined>(undefined, (terminal, resolve) => {
    let text = '';
    const show = (): void => {
      const shown = options.hidden ? (text === '' ? '' : `(${[...text].length} characters)`) : revealText(text);
      terminal.write(`\r\u001b[K${label} ${shown}`);
    };
    show();
    return (key) => {
      const step = stepLine(text, key);
      if ('done' in step) {
        terminal.write('\r\n');
        resolve(step.done === '' ? undefined : step.done);
      } else {
        text = step.text;
        show();
      }
    };
  });
}

async function onTerminal<Answer>(
  whenGone: Answer,
  ask: (terminal: Terminal, resolve: (answer: Answer) => void) => (key: Key) => void,
): Promise<Answer> {
  const terminal = openTerminal({ stdin: process.stdin, stdout: process.stdout });
  const decoder = createKeyDecoder();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  terminal.enter();
  const onKey = ask(terminal, resolve);
  terminal.onInput((text) => {
    for (const key of decoder.push(text)) onKey(key);
    if (decoder.waiting) for (const key of decoder.flush()) onKey(key);
  });
  terminal.onGone(() => resolve(whenGone));
  const answer = await promise;
  terminal.write('\r\n');
  terminal.close();
  return answer;
}
