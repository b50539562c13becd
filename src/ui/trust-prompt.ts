import { systemClock } from '../lib/clock.ts';
import { revealText } from '../lib/sanitize.ts';
import { openTerminal } from '../lib/terminal.ts';
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

/** Asks on the bare terminal, before anything else is drawn. What is shown is cleaned here: paths come from outside. */
export async function askChoice<Choice extends string>(question: Question<Choice>): Promise<Choice> {
  const terminal = openTerminal({ stdin: process.stdin, stdout: process.stdout });
  const decoder = createKeyDecoder();
  const { promise, resolve } = Promise.withResolvers<Choice>();
  const last = question.choices.at(-1);
  const opened = systemClock.now();
  let selected = 0;
  const show = (again: boolean): void => {
    const lines = choiceLines(question, selected);
    terminal.write(`${again ? `\u001b[${lines.length}A\r` : ''}${lines.map((line) => `\u001b[K${line}\r\n`).join('')}`);
  };
  const onKey = (key: Key): void => {
    if (systemClock.now() - opened < inertMs) return;
    const step = stepChoice(question, selected, key);
    if ('chosen' in step) {
      resolve(step.chosen);
      return;
    }
    selected = step.selected;
    show(true);
  };
  terminal.enter();
  terminal.onInput((text) => {
    for (const key of decoder.push(text)) onKey(key);
    if (decoder.waiting) for (const key of decoder.flush()) onKey(key);
  });
  terminal.onGone(() => {
    if (last !== undefined) resolve(last.choice);
  });
  terminal.write(`${question.lines.map((line) => `${revealText(line)}\r\n`).join('')}\r\n`);
  show(false);
  const choice = await promise;
  terminal.write('\r\n');
  terminal.close();
  return choice;
}
