import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { addItem } from '../../src/ui/view-state.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

function createCounted() {
  const timers = createTestTimers();
  const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
  let frames = 0;
  store.subscribe(() => {
    frames += 1;
  });
  const change = (when: 'frame' | 'now'): void => store.update((state) => ({ ...state, todoIndex: (state.todoIndex ?? 0) + 1 }), when);
  return { timers, store, change, frames: () => frames };
}

describe('createUiStore', () => {
  it('draws at most one frame in 33 ms, however much comes', () => {
    const { timers, change, frames } = createCounted();
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let event = 0; event < 20; event += 1) change('frame');
      timers.advance(1);
    }
    expect(frames()).toBeGreaterThan(25);
    expect(frames()).toBeLessThanOrEqual(31);
  });

  it.each([
    ['every line as it comes', 1, 100, 9, 11],
    ['a flood at a third of the rate', 5, 10, 9, 12],
  ])('draws %s', (_name, rows, everyMs, least, most) => {
    const { timers, store, frames } = createCounted();
    for (let ms = 0; ms < 1000; ms += everyMs) {
      const lines = Array.from({ length: rows }, (_, index) => `row ${ms} ${index}`);
      store.update((state) => ({ ...state, view: addItem(state.view, { kind: 'page', title: '', lines }) }));
      timers.advance(everyMs);
    }
    expect(frames()).toBeGreaterThanOrEqual(least);
    expect(frames()).toBeLessThanOrEqual(most);
  });

  it('draws what is urgent at once, but never two frames within 5 ms', () => {
    const { timers, change, frames } = createCounted();
    change('frame');
    timers.advance(0);
    expect(frames()).toBe(1);
    change('frame');
    change('now');
    timers.advance(4);
    expect(frames()).toBe(1);
    timers.advance(1);
    expect(frames()).toBe(2);
    timers.advance(100);
    expect(frames()).toBe(2);
  });

  it('does not draw for a change that changes nothing', () => {
    const { timers, store, frames } = createCounted();
    store.update((state) => state);
    timers.advance(100);
    expect(frames()).toBe(0);
  });
});
