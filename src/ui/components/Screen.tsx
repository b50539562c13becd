import type { ReactNode } from 'react';
import type { Frame } from '../frame.ts';
import { useCursor } from '../ink.ts';
import { Rows } from './Rows.tsx';

type ScreenProps = { readonly frame: Frame /** Takes the place of the activity row during a countdown. */; readonly countdown?: ReactNode };

/** The live part: sections from top to bottom, and the real cursor in the input, where input methods draw. */
export function Screen({ frame, countdown }: ScreenProps): ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor);
  return (
    <>
      <Section rows={frame.transcript} />
      {countdown ?? <Section rows={frame.activity} />}
      <Section rows={frame.panel} />
      <Section rows={frame.box} />
      <Section rows={frame.waiting} />
      <Section rows={frame.editor} />
      <Section rows={frame.menu} />
      <Section rows={frame.status} />
    </>
  );
}

function Section({ rows }: { readonly rows: readonly string[] }): ReactNode {
  return rows.length === 0 ? null : <Rows text={rows.join('\n')} />;
}
