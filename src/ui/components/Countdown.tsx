import type { ReactNode } from 'react';
import { type ContinuationSource, useTodoContinuation } from '../hooks/use-todo-continuation.ts';
import { countdownLine } from '../status-lines.ts';
import type { Paint } from '../theme.ts';
import { Rows } from './Rows.tsx';

type CountdownProps = {
  readonly service: ContinuationSource;
  readonly width: number;
  readonly paint: Paint;
  readonly slotOf: (row: string) => string;
};

/** The banner before a continuation, a visible tick a second. */
export function Countdown({ service, width, paint, slotOf }: CountdownProps): ReactNode {
  const { countdown } = useTodoContinuation(service);
  return countdown === undefined ? null : <Rows slots={slotOf(countdownLine(countdown, { width, paint }))} />;
}
