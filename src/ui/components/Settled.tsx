import { memo, type ReactNode, useLayoutEffect } from 'react';
import { Static } from '../ink.ts';
import { slotOf } from '../row-slots.ts';
import { Rows } from './Rows.tsx';

type SettledProps = { readonly id: number; readonly onWritten: (id: number) => void };

/** Rows that leave for the scrollback: written once, above the live part, and forgotten. A new id is a new piece. */
export const Settled = memo(function Settled({ id, onWritten }: SettledProps): ReactNode {
  useLayoutEffect(() => onWritten(id), [id, onWritten]);
  return (
    <Static key={id} items={id === 0 ? [] : [slotOf(id)]}>
      {(slot) => <Rows key={id} text={slot} />}
    </Static>
  );
});
