import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/lib/terminal.ts';
import { createScreenControl } from '../../src/ui/screen-control.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { createTestTimers } from '../helpers/test-timers.ts';

/** What happens on a terminal, in order: bytes, frames, and what is called. */
function createWatched() {
  const timers = createTestTimers();
  const store = createUiStore(emptyUi, { timers, paint: plainPaint, highlight: (code) => code });
  const seen: string[] = [];
  let muted = false;
  let columns = 80;
  const terminal = {
    size: () => ({ columns, rows: 24 }),
    write: (text: string) => void seen.push(JSON.stringify(text).slice(1, -1)),
    mute(on: boolean) {
      muted = on;
    },
    enter: () => void seen.push('enter'),
    restore: () => void seen.push('restore'),
    suspend: () => void seen.push('suspend'),
  };
  store.subscribe(() => seen.push(`frame ${store.get().size.columns}${muted ? ' into the void' : ''}`));
  const control = createScreenControl({
    terminal: terminal as unknown as Terminal, // what the control uses of it
    store,
    timers,
    forgetFrame: () => void seen.push(muted ? 'forget' : 'forget aloud'),
    reflows: true,
  });
  const resize = (to: number): void => {
    columns = to;
    control.redraw();
  };
  return { timers, store, control, seen, resize, isMuted: () => muted };
}

const erase = '\\r\\u001b[1A\\u001b[J';

describe('createScreenControl', () => {
  it('takes the frame off once, and draws when the window has been still', () => {
    const { timers, seen, resize } = createWatched();
    resize(70);
    timers.advance(50);
    resize(60);
    timers.advance(59);
    expect(seen).toEqual([erase]);
    timers.advance(1);
    expect(seen).toEqual([erase, 'forget', 'frame 60']);
  });

  it('lets nothing be drawn in between, by whom ever', () => {
    const { timers, store, resize, isMuted } = createWatched();
    resize(70);
    store.flush();
    expect(isMuted()).toBe(true);
    timers.advance(60);
    expect(isMuted()).toBe(false);
  });

  it('comes back from a stop below what is there: nothing above is taken off again', () => {
    const { timers, control, seen } = createWatched();
    control.suspend();
    timers.advance(60);
    expect(seen).toEqual([erase, 'suspend', '\\r\\u001b[J', 'forget', 'frame 80']);
  });

  it('draws nothing over another program, whatever the window does', async () => {
    const { timers, control, seen, resize } = createWatched();
    const { promise, resolve } = Promise.withResolvers<string>();
    const away = control.away(() => promise);
    resize(70);
    timers.advance(1_000);
    expect(seen).toEqual([erase, 'restore']);
    resolve('text');
    expect(await away).toBe('text');
    timers.advance(60);
    expect(seen).toEqual([erase, 'restore', 'enter', '\\r\\u001b[J', 'forget', 'frame 70']);
  });
});
