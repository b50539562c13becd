import { expect, it } from 'vitest';
import { readOnlyPaths } from '../../src/permissions/read-only.ts';

it.each([
  ['pwd', []],
  ['pwd -P', []],
  ['pwd x', undefined],
  ['ls', []],
  ['ls -la src', ['src']],
  ['ls src -la', ['src']],
  ['ls --color=always --all', []],
  ['ls --colour', undefined],
  ['ls --al', undefined],
  ['ls -- -x', ['-x']],
  ['cat a b -', ['a', 'b']],
  ['cat -n a', ['a']],
  ['cat -z a', undefined],
  ['head -20 a', ['a']],
  ['head -n 20 a', ['a']],
  ['head -n20 a', ['a']],
  ['head -qn 20 a', ['a']],
  ['head --lines=5 a', ['a']],
  ['head -n', undefined],
  ['tail -f a', undefined],
  ['tail -c 10 a', ['a']],
  ['wc -l a', ['a']],
  ['wc --files0-from=a', undefined],
  ['stat -c %n a', ['a']],
  ['which -a node', []],
  ['which ./x', undefined],
  ['true', []],
  ['false', []],
  ['true x', undefined],
  ['echo -n anything --at -all', []],
  ['cmp -s a b', ['a', 'b']],
  ['cat /dev/null', []],
  ...'find sort uniq sed awk xargs env tee tar file diff git rg npm toString constructor'
    .split(' ')
    .map((name) => [name, undefined] as const),
] as const)('%s reads %j', (command, paths) => {
  expect(readOnlyPaths(command.split(' '))).toEqual(paths);
});
