import { expect, it } from 'vitest';
import { HeaderList } from '../../src/providers/openai-headers.ts';

type Change = (headers: Headers | HeaderList) => void;

it.each<[string, readonly Change[]]>([
  ['nothing', []],
  ['names of any spelling', [(headers) => headers.set('X-One', 'a'), (headers) => headers.set('x-one', 'b')]],
  ['values joined', [(headers) => headers.append('a', '1'), (headers) => headers.append('A', ' 2 ')]],
  ['values trimmed', [(headers) => headers.set('a', '  1\t')]],
  ['a deleted one', [(headers) => headers.set('a', '1'), (headers) => headers.delete('A')]],
])('is as the standard has it: %s', (_, changes) => {
  const [ours, real] = [new HeaderList(), new Headers()];
  for (const change of changes) for (const headers of [ours, real]) change(headers);
  expect([...ours]).toEqual([...real]);
  expect([...ours.entries()]).toEqual([...real.entries()]);
  for (const name of ['a', 'A', 'X-ONE', 'none']) expect([ours.get(name), ours.has(name)]).toEqual([real.get(name), real.has(name)]);
});
