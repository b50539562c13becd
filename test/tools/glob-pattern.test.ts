import { expect, it } from 'vitest';
import { compileGlob, splitGlob } from '../../src/tools/glob-pattern.ts';

it.each([
  ['*.ts', false, 'a.ts', true],
  ['*.ts', false, 'deep/in/a.ts', true],
  ['*.ts', true, 'deep/a.ts', false],
  ['*.ts', false, 'a.tsx', false],
  ['*.ts', false, '.ts', true],
  ['src/*.ts', true, 'src/a.ts', true],
  ['src/*.ts', true, 'src/b/a.ts', false],
  ['**/*.ts', true, 'a.ts', true],
  ['**/*.ts', true, 'x/y/a.ts', true],
  ['src/**', true, 'src/a/b', true],
  ['src/**', true, 'src', false],
  ['src/**/b.ts', true, 'src/b.ts', true],
  ['src/**/b.ts', true, 'src/a/c/b.ts', true],
  ['src/**/b.ts', true, 'srcb.ts', false],
  ['a**b', true, 'axxb', true],
  ['a**b', true, 'a/b', false],
  ['*.{ts,tsx}', false, 'a.tsx', true],
  ['{a,b{c,d}}.x', false, 'bd.x', true],
  ['{a', false, '{a', true],
  ['a}', false, 'a}', true],
  ['[ab].ts', false, 'b.ts', true],
  ['[!ab].ts', false, 'b.ts', false],
  ['[!ab].ts', false, 'c.ts', true],
  ['a[!x]b', true, 'a/b', false],
  ['[]]', false, ']', true],
  ['[a-c]1', false, 'b1', true],
  ['[z-a]', false, 'b', false],
  ['[a', false, '[a', true],
  ['a?c', false, 'abc', true],
  ['a?c', true, 'a/c', false],
  ['\\*.ts', false, '*.ts', true],
  ['\\*.ts', false, 'a.ts', false],
  ['a.b+c(d)|e^f$', false, 'a.b+c(d)|e^f$', true],
  ['ü*', false, 'über', true],
  ['😀?', false, '😀😀', true],
])('glob %s (anchored %s) on %s: %s', (glob, anchored, path, expected) => {
  expect(compileGlob(glob, anchored)(path)).toBe(expected);
});

it.each([
  ['**/*.ts', '', '**/*.ts'],
  ['*.ts', '', '*.ts'],
  ['src/a/*.ts', 'src/a', '*.ts'],
  ['src/a.ts', 'src', 'a.ts'],
  ['a.ts', '', 'a.ts'],
  ['/abs/x/**', '/abs/x', '**'],
  ['/*', '/', '*'],
  ['../up/*.md', '../up', '*.md'],
])('splits %s', (glob, base, rest) => {
  expect(splitGlob(glob)).toEqual({ base, rest });
});
