import { describe, expect, it } from 'vitest';
import { createInputPump } from '../../src/ui/input-pump.ts';
import type { Key } from '../../src/ui/keys.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

function createPumped(early = '') {
  const timers = createTestTimers();
  const pump = createInputPump(timers, early);
  const keys: string[] = [];
  const onKey = (key: Key): void => {
    keys.push(key.kind === 'press' ? key.name : key.kind === 'text' || key.kind === 'paste' ? key.text : key.kind);
  };
  return { timers, pump, keys, start: () => pump.start(onKey) };
}

describe('createInputPump', () => {
  it('keeps what comes before the start, after what was typed before it', () => {
    const { pump, keys, start } = createPumped('ear');
    pump.push('ly');
    expect(keys).toEqual([]);
    start();
    expect(keys).toEqual(['early']);
  });

  it('puts a sequence together that comes in two pieces', () => {
    const { timers, pump, keys, start } = createPumped();
    start();
    pump.push('\u001b');
    timers.advance(20);
    pump.push('[D');
    timers.advance(100);
    expect(keys).toEqual(['left']);
  });

  it('takes a lone ESC for the key after a short wait', () => {
    const { timers, pump, keys, start } = createPumped();
    start();
    pump.push('\u001b');
    timers.advance(24);
    expect(keys).toEqual([]);
    timers.advance(2);
    expect(keys).toEqual(['escape']);
  });

  it('lets the rest in that is there when the wait ends late, in a busy program', () => {
    const { timers, pump, keys, start } = createPumped();
    start();
    pump.push('\u001b');
    timers.after(25, () => pump.push('[D'));
    timers.advance(100);
    expect(keys).toEqual(['left']);
  });
});
