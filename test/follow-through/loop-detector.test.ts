import { describe, expect, it } from 'vitest';
import { type LoopLimits, noLoop, stepLoop } from '../../src/follow-through/loop-detector.ts';

const limits: LoopLimits = { identicalCalls: 5, failingCalls: 3, cycles: 3 };

/** One letter a call, one word a turn; a capital fails. The strikes as `call number: strike`. */
function strikes(calls: string, changed: Partial<LoopLimits> = {}): readonly string[] {
  let state = noLoop;
  let count = 0;
  const found: string[] = [];
  for (const [turn, word] of calls.split(' ').entries()) {
    for (const letter of word) {
      count += 1;
      const step = stepLoop(
        state,
        { key: letter, label: letter, failed: letter !== letter.toLowerCase(), turn },
        { ...limits, ...changed },
      );
      state = step.state;
      if (step.verdict.kind === 'strike') found.push(`${count}: ${step.verdict.strike}`);
    }
  }
  return found;
}

describe('stepLoop', () => {
  it.each<[string, string, readonly string[], Partial<LoopLimits>?]>([
    ['four times the same is no loop', 'a a a a b', []],
    ['five times the same: corrected, then stopped', 'a a a a a a', ['5: 1', '6: 2']],
    ['another call after the correction: no loop', 'a a a a a b', ['5: 1']],
    ['and the same once more after that', 'a a a a a b a', ['5: 1']],
    ['and again five times: corrected again', 'a a a a a b a a a a a a', ['5: 1', '11: 1', '12: 2']],
    ['failing: the third, then the fourth', 'A A A A', ['3: 1', '4: 2']],
    ['five in one turn: the rest of that turn is not counted yet', 'aaaaaaa b', ['5: 1']],
    ['five in one turn, and the same in the next', 'aaaaa a', ['5: 1', '6: 2']],
    ['spread over turns', 'aa aa a a', ['5: 1', '6: 2']],
    ['a cycle of two, three times', 'a b a b a b a', ['6: 1', '7: 2']],
    ['a cycle of two, left after the correction', 'a b a b a b c a b', ['6: 1']],
    ['a cycle of three', 'a b c a b c a b c a', ['9: 1', '10: 2']],
    ['a cycle of five', 'a b c d e a b c d e a b c d e a', ['15: 1', '16: 2']],
    ['a cycle of six is not looked for', 'a b c d e f a b c d e f a b c d e f a', []],
    ['a cycle of two only twice', 'a b a b c', []],
    ['twenty different calls', 'a b c d e f g h i j k l m n o p q r s t', []],
    ['identical calls off', 'a a a a a a a a', [], { identicalCalls: -1 }],
    ['failing off: as the others', 'A A A A A A', ['5: 1', '6: 2'], { failingCalls: -1 }],
    ['cycles off', 'a b a b a b a b', [], { cycles: -1 }],
    ['all off', 'a a a a a a A A A A a b a b a b', [], { identicalCalls: -1, failingCalls: -1, cycles: -1 }],
    ['identical calls at 2', 'a a a', ['2: 1', '3: 2'], { identicalCalls: 2 }],
    ['cycles at 2', 'a b a b a', ['4: 1', '5: 2'], { cycles: 2 }],
  ])('%s', (_name, calls, expected, changed) => {
    expect(strikes(calls, changed)).toEqual(expected);
  });

  it('says what repeats', () => {
    let state = noLoop;
    const details = ['a', 'a', 'a', 'a', 'a'].map((key, turn) => {
      const step = stepLoop(state, { key, label: 'look', failed: false, turn }, limits);
      state = step.state;
      return step.verdict.kind === 'strike' ? step.verdict.detail : '';
    });
    expect(details.at(-1)).toBe('the same call 5 times in a row with the same result (look)');
  });

  it('keeps no more calls than it looks at, however it is set', () => {
    for (const changed of [
      limits,
      { identicalCalls: -1, failingCalls: -1, cycles: -1 },
      { identicalCalls: 1, failingCalls: 1, cycles: -1 },
    ]) {
      let state = noLoop;
      for (let turn = 0; turn < 100; turn += 1)
        ({ state } = stepLoop(state, { key: String(turn), label: '', failed: false, turn }, changed));
      expect(state.calls.length).toBeLessThanOrEqual(15);
    }
  });
});
