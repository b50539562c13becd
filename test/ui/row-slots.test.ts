import { expect, it } from 'vitest';
import { createRowSlots } from '../../src/ui/row-slots.ts';
import { widthOf } from '../../src/ui/text.ts';

it('gives equal rows one slot, other rows another, each one column wide', () => {
  const { slotOf, fill } = createRowSlots();
  expect(slotOf('one')).toBe(slotOf('one'));
  expect(slotOf('one')).not.toBe(slotOf('two'));
  expect(widthOf(slotOf('one'))).toBe(1);
  expect(fill(`\u001b[K${slotOf('one')}\n${slotOf('')}\n${slotOf('two')}x`)).toBe('\u001b[Kone\n\ntwox');
});

it('leaves icons and unknown slots alone, in rows too', () => {
  const { slotOf, fill } = createRowSlots();
  expect(fill('\ue0b0 \u{f0001} \u{10ff00}')).toBe('\ue0b0 \u{f0001} \u{10ff00}');
  const other = slotOf('secret');
  expect(fill(slotOf(`has ${other} inside`))).toBe(`has ${other} inside`);
});

it('puts rows that leave in once; where they come by again, their line goes', () => {
  const { slotOnce, slotOf, fill } = createRowSlots();
  const [first, second] = [slotOnce('same'), slotOnce('same')];
  expect(first).not.toBe(second);
  expect(fill(`${first}\n${slotOf('live')}\n`)).toBe('same\nlive\n');
  expect(fill(`${first}\n${slotOf('live')}\n`)).toBe('live\n');
  expect(fill(`${second}\n`)).toBe('same\n');
});

it('keeps what is in use, however many rows come and go', () => {
  const { slotOf, fill } = createRowSlots();
  const status = slotOf('status');
  for (let index = 0; index < 200_000; index += 1) {
    slotOf(`row ${index}`);
    if (index % 100 === 0) expect(slotOf('status')).toBe(status);
  }
  expect(fill(status)).toBe('status');
});
