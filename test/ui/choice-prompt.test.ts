import { describe, expect, it } from 'vitest';
import { choiceLines, stepChoice } from '../../src/ui/choice-prompt.ts';
import type { Key } from '../../src/ui/keys.ts';

const question = {
  choices: [
    { choice: 'trust', text: 'Trust' },
    { choice: 'restricted', text: 'Restricted' },
    { choice: 'quit', text: 'Quit' },
  ],
};
const press = (name: string, ctrl = false): Key => ({ kind: 'press', name, ctrl, alt: false, shift: false });

describe('a question with numbered choices', () => {
  it.each<{ rule: string; selected: number; key: Key; step: unknown }>([
    { rule: 'Enter takes the selected one', selected: 1, key: press('enter'), step: { chosen: 'restricted' } },
    { rule: 'a number takes that one', selected: 0, key: { kind: 'text', text: '2' }, step: { chosen: 'restricted' } },
    { rule: 'a number beyond the last does nothing', selected: 0, key: { kind: 'text', text: '4' }, step: { selected: 0 } },
    { rule: 'another letter does nothing', selected: 0, key: { kind: 'text', text: 'y' }, step: { selected: 0 } },
    { rule: 'pasted text never answers', selected: 0, key: { kind: 'paste', text: '1' }, step: { selected: 0 } },
    { rule: 'down moves', selected: 0, key: press('down'), step: { selected: 1 } },
    { rule: 'down stops at the last', selected: 2, key: press('down'), step: { selected: 2 } },
    { rule: 'up stops at the first', selected: 0, key: press('up'), step: { selected: 0 } },
    { rule: 'Esc is the last one', selected: 0, key: press('escape'), step: { chosen: 'quit' } },
    { rule: 'Ctrl+C is the last one', selected: 0, key: press('c', true), step: { chosen: 'quit' } },
  ])('$rule', ({ selected, key, step }) => {
    expect(stepChoice(question, selected, key)).toEqual(step);
  });

  it('marks the selected one', () => {
    expect(choiceLines(question, 1)).toEqual(['  1. Trust', '> 2. Restricted', '  3. Quit']);
  });
});
