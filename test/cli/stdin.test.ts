import { expect, it } from 'vitest';
import { joinPrompt } from '../../src/cli/stdin.ts';

it.each<[string, string | undefined, string, string]>([
  ['only typed', 'do it', '', 'do it'],
  ['only piped', undefined, '1. a\n', '1. a\n'],
  ['both: the pipe is a labelled block below', 'do it', '1. a\n', 'do it\n\n<stdin>\n1. a\n</stdin>'],
  ['an empty pipe adds nothing', 'do it', ' \n', 'do it'],
  ['nothing', undefined, '', ''],
])('%s', (_name, typed, piped, prompt) => {
  expect(joinPrompt(typed, piped)).toBe(prompt);
});
