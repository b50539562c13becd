import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import type { EngineState } from '../../../src/continuation/state.ts';
import { createStore } from '../../../src/lib/store.ts';
import { type ContinuationSource, type TodoContinuation, useTodoContinuation } from '../../../src/ui/hooks/use-todo-continuation.ts';
import { Text } from '../../../src/ui/ink.ts';
import { renderFrame } from '../../helpers/frame.tsx';

/** Lets React commit what the store announced. */
async function commit(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

function Probe({
  service,
  onSeen,
}: {
  readonly service: ContinuationSource;
  readonly onSeen: (seen: TodoContinuation) => void;
}): ReactNode {
  const seen = useTodoContinuation(service);
  onSeen(seen);
  const { countdown, running } = seen;
  const shown =
    countdown === undefined ? 'no countdown' : `${countdown.remainingMs} ms, ${countdown.open} open${countdown.held ? ', held' : ''}`;
  return <Text>{`${running ? 'running' : 'idle'}: ${shown}`}</Text>;
}

/** The hook on a service that only records what it is asked for. */
function observe() {
  const state = createStore<EngineState>({ kind: 'idle' });
  const asked: string[] = [];
  const service = {
    state,
    typing: (hasText: boolean) => void asked.push(`typing ${hasText}`),
    interrupt: () => void asked.push('interrupt'),
  };
  let seen: TodoContinuation | undefined;
  const onSeen = (value: TodoContinuation): void => {
    seen = value;
  };
  return { state, asked, frame: renderFrame(<Probe service={service} onSeen={onSeen} />), hook: () => seen };
}

describe('useTodoContinuation', () => {
  it.each<[EngineState, string]>([
    [{ kind: 'idle' }, 'idle: no countdown'],
    [{ kind: 'running' }, 'running: no countdown'],
    [{ kind: 'counting', remainingMs: 2000, open: 3, heldByTyping: false }, 'running: 2000 ms, 3 open'],
    [{ kind: 'counting', remainingMs: 2000, open: 3, heldByTyping: true }, 'running: 2000 ms, 3 open, held'],
    [{ kind: 'waiting', reason: 'background' }, 'running: no countdown'],
  ])('shows $kind as it is', async (engine, text) => {
    const { state, frame, asked } = observe();
    state.set(engine);
    await commit();
    expect(frame.text()).toBe(text);
    expect(asked).toEqual([]);
    frame.unmount();
  });

  it('follows the stream to its end and through the countdown without asking the service for anything', async () => {
    const { state, frame, asked } = observe();
    const states: EngineState[] = [
      { kind: 'running' },
      { kind: 'counting', remainingMs: 2000, open: 1, heldByTyping: false },
      { kind: 'counting', remainingMs: 1000, open: 1, heldByTyping: false },
      { kind: 'running' },
      { kind: 'idle' },
    ];
    for (const engine of states) {
      state.set(engine);
      await commit();
    }
    expect(frame.texts()).toEqual([
      'idle: no countdown',
      'running: no countdown',
      'running: 2000 ms, 1 open',
      'running: 1000 ms, 1 open',
      'running: no countdown',
      'idle: no countdown',
    ]);
    expect(asked).toEqual([]);
    frame.unmount();
  });

  it('hands hold and cancel to the service', () => {
    const { asked, frame, hook } = observe();
    hook()?.hold(true);
    hook()?.hold(false);
    hook()?.cancel();
    expect(asked).toEqual(['typing true', 'typing false', 'interrupt']);
    frame.unmount();
  });

  it('stops watching when it is unmounted; the service goes on', async () => {
    const { state, frame } = observe();
    frame.unmount();
    state.set({ kind: 'running' });
    await commit();
    expect(state.get()).toEqual({ kind: 'running' });
    expect(frame.texts().at(-1)).toBe('idle: no countdown');
  });
});
