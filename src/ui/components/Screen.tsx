import type { ReactNode } from 'react';
import type { Frame } from '../frame.ts';
import { useCursor } from '../ink.ts';
import { rowsOfFrame } from '../resize.ts';
import { Rows } from './Rows.tsx';

type ScreenProps = {
  readonly frame: Frame;
  readonly slotOf: (row: string) => string;
  /** Takes the place of the activity row during a countdown. */
  readonly countdown?: ReactNode;
};

/** The live part, and the real cursor in the input, where input methods draw. One text for all rows: Ink's work goes with the number of texts. */
export function Screen({ frame, slotOf, countdown }: ScreenProps): ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor);
  const text = (rows: readonly string[]): ReactNode => (rows.length === 0 ? null : <Rows slots={rows.map(slotOf).join('\n')} />);
  if (countdown === undefined) return text(rowsOfFrame(frame));
  return (
    <>
      {text(frame.transcript)}
      {countdown}
      {text(rowsOfFrame({ ...frame, transcript: [], activity: [] }))}
    </>
  );
}
