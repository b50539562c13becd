import { type ReactNode, useCallback, useMemo } from 'react';
import { useSnapshot } from '../hooks/use-snapshot.ts';
import type { ContinuationSource } from '../hooks/use-todo-continuation.ts';
import { Box } from '../ink.ts';
import type { RowSlots } from '../row-slots.ts';
import type { Paint } from '../theme.ts';
import type { UiStore } from '../ui-store.ts';
import { Countdown } from './Countdown.tsx';
import { Screen } from './Screen.tsx';
import { Settled } from './Settled.tsx';

type AppProps = {
  readonly store: UiStore;
  /** None before the first session is open. */
  readonly service: ContinuationSource | undefined;
  readonly paint: Paint;
  readonly slots: RowSlots;
};

/** The whole terminal: what is finished above, what is live below. */
export function App({ store, service, paint, slots }: AppProps): ReactNode {
  const { settled, frame } = useSnapshot(store);
  const { size, engine } = store.get();
  const { slotOf, slotOnce } = slots;
  const slot = useMemo(() => (settled === undefined ? '' : slotOnce(settled.text)), [settled, slotOnce]);
  const onWritten = useCallback((id: number) => store.written(id), [store]);
  const counting = service !== undefined && engine.kind === 'counting' && frame.activity.length > 0;
  const countdown = counting ? <Countdown service={service} width={size.columns} paint={paint} slotOf={slotOf} /> : undefined;
  return (
    <Box flexDirection="column">
      {settled === undefined ? null : <Settled key={settled.id} id={settled.id} slot={slot} onWritten={onWritten} />}
      <Screen frame={frame} slotOf={slotOf} countdown={countdown} />
    </Box>
  );
}
