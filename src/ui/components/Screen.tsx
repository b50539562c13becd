import type { ReactNode } from 'react';
import type { Frame } from '../frame.ts';
import { useCursor } from '../ink.ts';
import { Rows } from './Rows.tsx';

type ScreenProps = {
  readonly frame: Frame;
  readonly slotOf: (row: string) => string;
  /** Takes the place of the activity row during a countdown. */
  readonly countdown?: ReactNode;
};

/** The live part: sections from top to bottom, and the real cursor in the input, where input methods draw. */
export function Screen({ frame, slotOf, countdown }: ScreenProps): ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor);
  const section = (rows: readonly string[]): ReactNode => (rows.length === 0 ? null : <Rows slots={rows.map(slotOf).join('\n')} />);
  return (
    <>
      {section(frame.transcript)}
      {countdown ?? section(frame.activity)}
      {section(frame.panel)}
      {section(frame.box)}
      {section(frame.waiting)}
      {section(frame.editor)}
      {section(frame.menu)}
      {section(frame.status)}
    </>
  );
}
