import { type ReactNode, useLayoutEffect } from 'react';
import { Once } from '../ink.ts';
import { Rows } from './Rows.tsx';

type SettledProps = { readonly id: number; readonly slot: string; readonly onWritten: (id: number) => void };

/** Rows that leave for the scrollback: written once, above the live part. A new id is a new piece. */
export function Settled({ id, slot, onWritten }: SettledProps): ReactNode {
  useLayoutEffect(() => onWritten(id), [id, onWritten]);
  return (
    <Once key={id}>
      <Rows slots={slot} />
    </Once>
  );
}
