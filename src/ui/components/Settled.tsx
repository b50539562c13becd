import { memo, type ReactNode, useLayoutEffect } from 'react';
import { Static } from '../ink.ts';
import { Rows } from './Rows.tsx';

type SettledProps = { readonly id: number; readonly slot: string; readonly onWritten: (id: number) => void };

/** Rows that leave for the scrollback: written once, above the live part, and forgotten. A new id is a new piece. */
export const Settled = memo(function Settled({ id, slot, onWritten }: SettledProps): ReactNode {
  useLayoutEffect(() => onWritten(id), [id, onWritten]);
  return (
    <Static key={id} items={id === 0 ? [] : [slot]}>
      {(piece) => <Rows key={id} slots={piece} />}
    </Static>
  );
});
