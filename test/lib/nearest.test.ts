import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/lib/nearest.ts';

const keys = ['todo-continuation', 'max-turns', 'max-total-tokens', 'timeout', 'theme'];

it.each<[string, string, string | undefined]>([
  ['two letters exchanged', 'todo-continuatoin', 'todo-continuation'],
  ['another way to separate words', 'maxTurns', 'max-turns'],
  ['underscores', 'MAX_TOTAL_TOKENS', 'max-total-tokens'],
  ['a letter too few', 'them', 'theme'],
  ['a unique beginning', 'max-to', 'max-total-tokens'],
  ['a beginning of several', 'max', undefined],
  ['another word', 'colour', undefined],
  ['nothing', '', undefined],
  ['a very long word', 'x'.repeat(100_000), undefined],
])('%s', (_name, word, expected) => {
  expect(nearest(word, keys)).toBe(expected);
});

it('asks in one phrase', () => {
  expect(didYouMean('timeot', keys)).toBe(" Did you mean 'timeout'?");
  expect(didYouMean('colour', keys)).toBe('');
});
