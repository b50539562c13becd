import { expect, it } from 'vitest';
import { isGoAhead } from '../../src/follow-through/go-ahead.ts';

it.each([
  ...['continue', 'go on', 'proceed', 'resume', 'keep going', 'yes', 'ok', 'Go on.', ' CONTINUE! ', 'ok …'.replace(' …', '')].map(
    (text) => [text, true] as const,
  ),
  ...['', 'continue with the tests', 'yes but use tabs', 'no', 'ok?', 'go', 'what does foo() do?', 'do not continue'].map(
    (text) => [text, false] as const,
  ),
])('%j: %s', (text, expected) => {
  expect(isGoAhead(text)).toBe(expected);
});
