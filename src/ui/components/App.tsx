import type { ReactNode } from 'react';
import { useSnapshot } from '../hooks/use-snapshot.ts';
import type { ContinuationSource } from '../hooks/use-todo-continuation.ts';
import { Box } from '../ink.ts';
import type { Paint } from '../theme.ts';
import type { UiStore } from '../ui-store.ts';
import { Countdown } from './Countdown.tsx';
import { Screen } from './Screen.tsx';
import { Settled } from './Settled.tsx';

type AppProps = { readonly store: UiStore; readonly service: ContinuationSource; readonly paint: Paint };

/** The whole terminal: what is finished above, what is live below. */
export function App({ store, service, paint }: AppProps): ReactNode {
  const { settled, frame } = useSnapshot(store);
  const { size, engine } = store.get();
  const counting = engine.kind === 'counting' && frame.activity.length > 0;
  return (
    <Box flexDirection="column">
      <Settled id={settled.id} onWritten={store.written} />
      <Screen frame={frame} countdown={counting ? <Countdown service={service} width={size.columns} paint={paint} /> : undefined} />
    </Box>
  );
}
