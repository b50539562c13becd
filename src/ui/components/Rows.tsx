import { memo, type ReactNode } from 'react';
import { Text } from '../ink.ts';

/** Rows that are laid out already, as their slots, one a line. */
export const Rows = memo(function Rows({ slots }: { readonly slots: string }): ReactNode {
  return <Text>{slots}</Text>;
});
