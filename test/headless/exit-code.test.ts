import { describe, expect, it } from 'vitest';
import { finalExitCode, strongest, subtypeOf } from '../../src/headless/exit-code.ts';
import type { ExitReason } from '../../src/headless/records.ts';

describe('precedence: the strongest code decides, whatever the order', () => {
  const order = [130, 70, 41, 64, 62, 63, 61, 60, 0];
  const pairs = order.flatMap((strong, index) => order.slice(index + 1).map((weak): [number, number] => [strong, weak]));
  it.each(pairs)('%i before %i', (strong, weak) => {
    expect(strongest({ exitCode: strong }, { exitCode: weak }).exitCode).toBe(strong);
    expect(strongest({ exitCode: weak }, { exitCode: strong }).exitCode).toBe(strong);
  });
  it.each([
    [1, 42],
    [53, 62],
    [0, 0],
  ])('of %i and %i the later one', (first, second) => {
    expect(strongest({ exitCode: first }, { exitCode: second }).exitCode).toBe(second);
  });
});

describe('--exit-zero-unfinished', () => {
  it.each([
    [0, 0],
    [1, 1],
    [41, 41],
    [53, 53],
    [60, 0],
    [61, 0],
    [62, 0],
    [63, 0],
    [64, 0],
    [70, 70],
    [130, 130],
  ])('%i becomes %i', (code, expected) => {
    expect(finalExitCode(code, true)).toBe(expected);
    expect(finalExitCode(code, false)).toBe(code);
  });
});

describe('subtype', () => {
  it.each<[ExitReason, number, string]>([
    ['done', 0, 'success'],
    ['turn-limit', 53, 'error_max_turns'],
    ['budget-limit', 62, 'error_max_budget_usd'],
    ['token-limit', 62, 'error_unfinished'],
    ['no-progress', 60, 'error_unfinished'],
    ['permission', 64, 'error_unfinished'],
    ['schema-mismatch', 1, 'error_max_structured_output_retries'],
    ['auth', 41, 'error_during_execution'],
    ['aborted', 130, 'error_during_execution'],
    ['internal', 70, 'error_during_execution'],
  ])('of %s (%i) is %s', (reason, code, expected) => {
    expect(subtypeOf(reason, code)).toBe(expected);
  });
});
