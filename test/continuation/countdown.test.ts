import { describe, expect, it } from 'vitest';
import { type CountdownInput, newCountdown, nextTickMs, reduceCountdown } from '../../src/continuation/countdown.ts';

const passed = (ms: number): CountdownInput => ({ kind: 'passed', ms });
const typing = (hasText: boolean): CountdownInput => ({ kind: 'typing', hasText });

describe('reduceCountdown', () => {
  it.each<[string, readonly CountdownInput[], number, boolean]>([
    ['time passes', [passed(700)], 1300, false],
    ['never below zero', [passed(5000)], 0, false],
    ['typing starts it anew and holds it', [passed(700), typing(true), passed(5000)], 2000, true],
    ['more typing changes nothing', [typing(true), typing(true)], 2000, true],
    ['an emptied line lets it run in full', [passed(700), typing(true), passed(900), typing(false), passed(500)], 1500, false],
    ['an empty line that stays empty changes nothing', [passed(700), typing(false)], 1300, false],
  ])('%s', (_name, inputs, remainingMs, heldByTyping) => {
    expect(inputs.reduce(reduceCountdown, newCountdown(2000, false))).toEqual({ totalMs: 2000, remainingMs, heldByTyping });
  });

  it.each([
    [2000, 1000],
    [1500, 500],
    [1000, 1000],
    [300, 300],
    [2001, 1],
  ])('with %d ms left the next tick comes after %d ms', (remainingMs, tickMs) => {
    expect(nextTickMs({ totalMs: 5000, remainingMs, heldByTyping: false })).toBe(tickMs);
  });
});
