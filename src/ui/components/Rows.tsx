import { memo, type ReactNode } from 'react';
import { Text } from '../ink.ts';

/** Rows that are already laid out for the width of the window. */
export const Rows = memo(function Rows({ text }: { readonly text: string }): ReactNode {
  // An empty text has no height; one empty row is a row.
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
