import { describe, expect, it } from 'vitest';
import type { EngineState } from '../../src/continuation/state.ts';
import { createStore } from '../../src/lib/store.ts';
import { App } from '../../src/ui/components/App.tsx';
import { Countdown } from '../../src/ui/components/Countdown.tsx';
import { createRowSlots } from '../../src/ui/row-slots.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { addItem } from '../../src/ui/view-state.ts';
import { renderFrame } from '../helpers/frame.tsx';
import { createScriptedSession } from '../helpers/scripted-session.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

/** Lets React commit what a store announced. */
async function commit(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

describe('App', () => {
  it('writes finished rows once, in order, above the live part', async () => {
    const timers = createTestTimers();
    const store = createUiStore({ ...emptyUi, size: { columns: 60, rows: 12 } }, { timers, paint: plainPaint, highlight: (code) => code });
    const slots = createRowSlots();
    const { session } = createScriptedSession();
    const frame = renderFrame(<App store={store} service={session.service} paint={plainPaint} slots={slots} />);
    for (const text of ['one', 'two', 'three']) {
      store.update((state) => ({ ...state, view: addItem(state.view, { kind: 'notice', level: 'info', text }) }));
      timers.advance(50);
      await commit();
    }
    const live = '\n> Ask for something, or / for commands\ndefault';
    const written = frame.texts().map((text) => slots.fill(text));
    expect(written).toEqual([live, `· one\n${live}`, `· two\n${live}`, `· three\n${live}`]);
    frame.unmount();
  });

  it('loses nothing when two frames fall together', async () => {
    const timers = createTestTimers();
    const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
    const slots = createRowSlots();
    const frame = renderFrame(<App store={store} service={createScriptedSession().session.service} paint={plainPaint} slots={slots} />);
    for (const text of ['one', 'two', 'three']) {
      store.update((state) => ({ ...state, view: addItem(state.view, { kind: 'notice', level: 'info', text }) }));
      store.flush();
    }
    await commit();
    expect(slots.fill(frame.text())).toContain('· one\n· two\n· three\n');
    frame.unmount();
  });
});

describe('Countdown', () => {
  it('watches the service, and offers to hold and to cancel', async () => {
    const engine = createStore<EngineState>({ kind: 'counting', remainingMs: 2000, open: 3, heldByTyping: false });
    const service = { state: engine, typing: () => {}, interrupt: () => {} };
    const slotOf = (row: string): string => row;
    const frame = renderFrame(<Countdown service={service} width={80} paint={plainPaint} slotOf={slotOf} />);
    expect(frame.text()).toBe('Continuing in 2 s · 3 open · Esc to stop');
    engine.set({ kind: 'counting', remainingMs: 1000, open: 3, heldByTyping: true });
    await commit();
    expect(frame.text()).toBe('Continuing in 1 s · 3 open · held while you type · Esc to stop');
    frame.unmount();
  });
});
