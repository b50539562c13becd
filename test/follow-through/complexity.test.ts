import { describe, expect, it } from 'vitest';
import { analyzeComplexity, type ComplexityState, decideComplexity, neverAsked } from '../../src/follow-through/complexity.ts';

const complex = 'First add a login page, then write tests for it, update the docs, and finally deploy it.';

describe('analyzeComplexity', () => {
  it.each([
    ['nothing', '', false],
    ['a question', 'What does foo() do?', false],
    ['one task', 'Fix the bug in the parser.', false],
    ['two tasks', 'Fix the bug and add a test.', false],
    ['a long story with one task', `Please look at this. ${'It was a dark and stormy night in the server room. '.repeat(2)}`, false],
    ['a list of three with a sequence word', '- add a login page\n- write tests\n- update the docs\nThen deploy it.', true],
    ['a numbered list of four', '1. add a\n2. add b\n3. add c\n4. add d', true],
    ['check boxes', '[ ] add a\n[ ] add b\n[x] add c\n[ ] add d', true],
    ['prose in sequence', complex, true],
    ['four clauses of verbs', 'Create the schema, implement the endpoint, write the tests, update the readme, and run the linter.', false],
    [
      'the second of the manual tests',
      'copy README.md to ./tmp/README.jp.md using shell and translate to Japanese, keeping code blocks in English',
      false,
    ],
  ])('%s', (_name, request, isComplex) => {
    expect(analyzeComplexity(request).isComplex).toBe(isComplex);
  });

  it('the score lies between 0 and 1 and counts no more than the first 20,000 characters', () => {
    expect(analyzeComplexity('').score).toBe(0);
    expect(analyzeComplexity('- add a\nThen, next, finally? ok?\n'.repeat(5_000)).score).toBe(1);
    expect(analyzeComplexity(`${'x'.repeat(20_000)}\n${complex}`).isComplex).toBe(false);
  });
});

describe('decideComplexity', () => {
  type Prompt = { readonly at: number; readonly request?: string; readonly hasList?: boolean; readonly madeList?: boolean };
  const minute = 60_000;

  function asks(...prompts: readonly Prompt[]): readonly string[] {
    let state: ComplexityState = neverAsked;
    return prompts.map(({ at, request = complex, hasList = false, madeList = false }) => {
      const decided = decideComplexity(state, { request, hasList, madeList, now: at * minute });
      state = decided.state;
      return decided.ask ?? '-';
    });
  }

  it.each<[string, readonly Prompt[], readonly string[]]>([
    ['a complex prompt is asked for a list', [{ at: 0 }], ['gentle']],
    ['a simple one is not', [{ at: 0, request: 'hello' }], ['-']],
    ['nor one with an active list', [{ at: 0, hasList: true }], ['-']],
    ['not again for five minutes', [{ at: 0 }, { at: 4.99 }, { at: 5.01 }], ['gentle', '-', 'gentle']],
    [
      'stronger after three in a row without a list',
      [{ at: 0 }, { at: 10 }, { at: 20 }, { at: 30 }],
      ['gentle', 'gentle', 'gentle', 'escalated'],
    ],
    [
      'a simple prompt in between starts anew',
      [{ at: 0 }, { at: 10 }, { at: 20, request: 'hello' }, { at: 30 }],
      ['gentle', 'gentle', '-', 'gentle'],
    ],
    [
      'a list that was made in between starts anew, also when it is finished',
      [{ at: 0 }, { at: 10 }, { at: 20 }, { at: 30, madeList: true }],
      ['gentle', 'gentle', 'gentle', 'gentle'],
    ],
  ])('%s', (_name, prompts, expected) => {
    expect(asks(...prompts)).toEqual(expected);
  });
});
