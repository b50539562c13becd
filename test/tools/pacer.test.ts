import { expect, it } from 'vitest';
import { createPacer } from '../../src/tools/pacer.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

it('lets the first piece through at once and joins the next ones until the interval is over', async () => {
  const clock = createFakeClock();
  const shown: string[] = [];
  const pacer = createPacer(clock, (text) => shown.push(text), { intervalMs: 50, maxChars: 10 });
  pacer.push('a');
  expect(shown).toEqual(['a']);
  pacer.push('b');
  pacer.push('c');
  expect(shown).toEqual(['a']);
  await clock.advance(50);
  expect(shown).toEqual(['a', 'bc']);
  pacer.push('d');
  pacer.flush();
  pacer.flush();
  expect(shown).toEqual(['a', 'bc', 'd']);
});

it('passes on only the newest of a flood', async () => {
  const clock = createFakeClock();
  const shown: string[] = [];
  const pacer = createPacer(clock, (text) => shown.push(text), { intervalMs: 50, maxChars: 10 });
  pacer.push('x');
  for (let number = 100; number < 1000; number += 1) pacer.push(`${number},`);
  await clock.advance(50);
  expect(shown).toEqual(['x', '7,998,999,']);
});
