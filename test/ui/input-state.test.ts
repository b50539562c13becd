import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPaste, emptyInput, expandInput, type InputAction, type InputState, reduceInput } from '../../src/ui/input-state.ts';

/** `|` marks the cursor. */
function state(marked: string): InputState {
  return { ...emptyInput, text: marked.replace('|', ''), cursor: marked.indexOf('|') };
}
function show({ text, cursor }: InputState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}
function run(start: InputState, ...actions: readonly InputAction[]): InputState {
  return actions.reduce(reduceInput, start);
}
type Simple = Extract<InputAction, { type: 'left' | 'undo' | 'up' | 'kill-to-end' | 'yank' }>['type'];

const family = '👨‍👩‍👧‍👦';

describe('reduceInput', () => {
  it.each<[name: string, before: string, actions: readonly (Simple | string)[], after: string]>([
    ['inserts at the cursor', 'a|c', ['+b'], 'ab|c'],
    ['backspace takes a whole family', `x${family}|`, ['backspace'], 'x|'],
    ['backspace takes an accent with its letter', 'e\u0301|', ['backspace'], '|'],
    ['delete takes a flag', '|🇩🇪x', ['delete'], '|x'],
    ['left steps over a family', `${family}|`, ['left'], `|${family}`],
    ['right steps over a line end', 'a|\nb', ['right'], 'a\n|b'],
    ['word left', 'one two-three|', ['word-left'], 'one two-|three'],
    ['word right', '|one two', ['word-right'], 'one| two'],
    ['start and end of the line, not of the text', 'a\nb|c\nd', ['line-start'], 'a\n|bc\nd'],
    ['up keeps the column', 'abc\nde|f', ['up'], 'ab|c\ndef'],
    ['down is cut by a shorter line', 'abc|\nd', ['down'], 'abc\nd|'],
    ['kill to the end of the line', 'a|b\nc', ['kill-to-end'], 'a|\nc'],
    ['kill at the end of the line joins lines', 'a|\nc', ['kill-to-end'], 'a|c'],
    ['kill to the start', 'ab|c', ['kill-to-start'], '|c'],
    ['Ctrl+W kills up to white space', 'x foo-bar |', ['kill-space-word-left'], 'x |'],
    ['kill and yank', 'one |two', ['kill-to-end', 'line-start', 'yank'], 'two|one '],
    ['kills in a row are one', 'one two|', ['kill-word-left', 'kill-word-left', 'yank'], 'one two|'],
    ['yank pop takes the kill before', 'a|', ['kill-to-start', '+b', 'kill-to-start', 'yank', 'yank-pop'], 'a|'],
    ['transpose at the end', 'ab|', ['transpose'], 'ba|'],
    ['typing is undone in one piece', '|', ['+a', '+b', '+c', 'undo'], '|'],
    ['undo and redo', 'ab|', ['backspace', 'undo', 'redo'], 'a|'],
    ['undo brings a cleared line back', 'long line|', ['clear', 'undo'], 'long line|'],
  ])('%s', (_name, before, actions, after) => {
    const steps = actions.map(
      (action): InputAction => (action.startsWith('+') ? { type: 'insert', text: action.slice(1) } : { type: action as Simple }),
    );
    expect(show(run(state(before), ...steps))).toBe(after);
  });

  it('folds a long paste, sends it whole, and deletes it in one step', () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const pasted = run(state('see: |'), { type: 'paste', text });
    expect(pasted.text).toBe('see: [Pasted #1: 40 lines]');
    expect(expandInput(pasted)).toBe(`see: ${text}`);
    expect(show(run(pasted, { type: 'backspace' }))).toBe('see: |');
    expect(show(run(pasted, { type: 'left' }))).toBe('see: |[Pasted #1: 40 lines]');
    expect(expandInput(run(pasted, { type: 'backspace' }, { type: 'undo' }))).toContain('see: [Pasted');
  });

  it('keeps `$` in a paste as it is', () => {
    const text = "$& $1 $' ".repeat(200);
    expect(expandInput(run(emptyInput, { type: 'paste', text }))).toBe(text);
  });

  it('takes control characters out of a paste and line ends as LF', () => {
    expect(cleanPaste('a\r\nb\rc\u001b[31m\u0007\td')).toBe('a\nb\nc[31m\td');
  });

  it('leafs through history and comes back to the draft', () => {
    const start = run(emptyInput, { type: 'load-history', lines: ['one', 'two'] }, { type: 'insert', text: 'draft' });
    const up = run(start, { type: 'up' });
    expect(up.text).toBe('two');
    expect(run(up, { type: 'up' }).text).toBe('one');
    expect(run(up, { type: 'up' }, { type: 'up' }).text).toBe('one');
    expect(run(up, { type: 'down' }).text).toBe('draft');
  });

  it('remembers a sent line once, newest last, and empties the line', () => {
    const sent = run(
      emptyInput,
      { type: 'insert', text: 'x' },
      { type: 'sent', line: 'x' },
      { type: 'sent', line: 'x' },
      { type: 'sent', line: 'y' },
    );
    expect(sent.history).toEqual(['x', 'y']);
    expect(sent.text).toBe('');
  });

  it('never leaves the cursor inside a grapheme or outside of the text', () => {
    const types = [
      'backspace',
      'delete',
      'left',
      'right',
      'word-left',
      'word-right',
      'up',
      'down',
      'line-start',
      'line-end',
      'kill-to-end',
      'kill-word-left',
      'yank',
      'yank-pop',
      'undo',
      'redo',
      'transpose',
      'clear',
      'history-previous',
      'history-next',
    ] as const;
    const action: fc.Arbitrary<InputAction> = fc.oneof(
      fc.constantFrom(...types).map((type) => ({ type })),
      fc.constantFrom('a', ' ', '\n', '漢字', family, 'e\u0301', '🇩🇪').map((text) => ({ type: 'insert' as const, text })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const end = run(emptyInput, ...actions);
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(/^(?:\p{M}|\u200d)/u.test(end.text.slice(end.cursor))).toBe(false);
        expect(end.text.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1), seed: Number(process.env.TILLDONE_SEED ?? 1) },
    );
  });
});
