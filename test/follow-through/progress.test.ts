import { describe, expect, it } from 'vitest';
import { callKey, newlyClosed, noProgressYet, type ProgressMemory, rememberCall, rememberList } from '../../src/follow-through/progress.ts';
import type { Todo, TodoStatus } from '../../src/types/todos.ts';

/** `a:pending b:completed` as a list with ids from 1. */
function list(text: string): readonly Todo[] {
  return text.split(' ').map((word, at) => {
    const [content = '', status = 'pending'] = word.split(':');
    return { id: String(at + 1), content, status: status as TodoStatus, priority: 'medium' };
  });
}

describe('items newly closed', () => {
  /** For each version after the first: the contents that count. */
  function counted(...versions: readonly string[]): readonly string[] {
    let memory: ProgressMemory = noProgressYet;
    return versions.slice(1).map((version, at) => {
      const closed = newlyClosed(memory, list(versions[at] ?? ''), list(version));
      ({ memory } = rememberList(memory, closed));
      return closed.map((todo) => todo.content).join(' ');
    });
  }

  it.each<[string, readonly string[], readonly string[]]>([
    ['completing counts', ['a b', 'a:completed b'], ['a']],
    ['cancelling counts', ['a', 'a:cancelled'], ['a']],
    ['blocking counts', ['a', 'a:blocked'], ['a']],
    ['two at once count', ['a b', 'a:completed b:cancelled'], ['a b']],
    ['starting does not', ['a', 'a:in_progress'], ['']],
    ['rewording does not', ['a', 'aa'], ['']],
    ['re-opening does not', ['a:completed', 'a'], ['']],
    ['arriving closed does not', ['a', 'a b:completed'], ['']],
    ['closing again does not', ['a', 'a:completed', 'a', 'a:completed'], ['a', '', '']],
    ['closing again in another way does not', ['a', 'a:blocked', 'a', 'a:completed'], ['a', '', '']],
    ['blocked, then completed counts once', ['a', 'a:blocked', 'a:completed'], ['a', '']],
    ['toggling does not', ['a', 'a:in_progress', 'a', 'a:in_progress'], ['', '', '']],
    ['another item under the id of a closed one counts', ['a', 'a:completed', 'b', 'b:completed'], ['a', '', 'b']],
  ])('%s', (_name, versions, expected) => {
    expect(counted(...versions)).toEqual(expected);
  });

  it('the first list of a prompt counts once', () => {
    const first = rememberList(noProgressYet, []);
    expect(first.isFirst).toBe(true);
    expect(rememberList(first.memory, [])).toEqual({ memory: first.memory, isFirst: false });
  });
});

describe('calls', () => {
  it.each([
    ['the same call and result', ['look', { at: 'x' }, 'saw x'], false],
    ['another result', ['look', { at: 'x' }, 'saw y'], true],
    ['other arguments', ['look', { at: 'y' }, 'saw x'], true],
    ['another tool', ['read', { at: 'x' }, 'saw x'], true],
  ] as const)('%s: new %s', (_name, [name, args, output], isNew) => {
    const { memory } = rememberCall(noProgressYet, callKey('look', { at: 'x' }, 'saw x'));
    expect(rememberCall(memory, callKey(name, args, output)).isNew).toBe(isNew);
  });

  it('the order of arguments does not matter, at any depth; the order of a list does', () => {
    expect(callKey('t', { a: 1, b: { c: 1, d: 2 } }, '')).toBe(callKey('t', { b: { d: 2, c: 1 }, a: 1 }, ''));
    expect(callKey('t', { a: [1, 2] }, '')).not.toBe(callKey('t', { a: [2, 1] }, ''));
  });

  it('long ones are kept as a hash, so that memory stays small', () => {
    expect(callKey('t', {}, 'x'.repeat(1_000_000)).length).toBeLessThan(60);
    expect(callKey('t', {}, 'x'.repeat(1_000_000))).not.toBe(callKey('t', {}, `${'x'.repeat(999_999)}y`));
  });
});
