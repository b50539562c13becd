import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../src/session/index.ts';
import { ageOf, runSessions } from '../../src/subcommands/sessions.ts';

const now = 1_700_000_000_000;
const summary = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  updatedAt: now - 60_000,
  firstPrompt: 'Fix the build',
  openTodos: 0,
  total: 0,
  ...more,
});

async function run(list: readonly SessionSummary[], options: { format?: 'text' | 'json'; columns?: number } = {}) {
  let out = '';
  const { format = 'text', columns = 80 } = options;
  const write = async (text: string): Promise<void> => {
    out += text;
  };
  const code = await runSessions({ list: async () => list, workspace: '/w', format, columns, now, write });
  expect(code).toBe(0);
  return out;
}

describe('tilldone sessions', () => {
  it('shows id, age, todos and what it is about, in columns', async () => {
    expect(
      await run([summary('abc-1', { openTodos: 2, total: 7 }), summary('b', { name: 'release', updatedAt: now - 3 * 86_400_000 })]),
    ).toBe('abc-1  1 minute ago  5/7  Fix the build\nb      3 days ago         [release] Fix the build\n');
  });
  it('cuts at the width of the terminal', async () => {
    expect(await run([summary('abc-1', { firstPrompt: 'x'.repeat(200) })], { columns: 40 })).toMatch(/^.{39}…\n$/u);
  });
  it('shows no control character of a prompt', async () => {
    expect(await run([summary('a', { firstPrompt: '\u001b[31mred\u0007' })])).toBe('a  1 minute ago    red\n');
  });
  it('says so when there is none', async () => {
    expect(await run([])).toBe('No sessions for /w yet.\n');
  });
  it('prints one record a line as JSON', async () => {
    expect(await run([summary('a')], { format: 'json' })).toBe(`${JSON.stringify(summary('a'))}\n`);
    expect(await run([], { format: 'json' })).toBe('');
  });
  it.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [7_200_000, '2 hours ago'],
    [86_400_000, '1 day ago'],
    [-5, 'just now'],
  ])('%i ms is %s', (age, expected) => {
    expect(ageOf(age)).toBe(expected);
  });
});
