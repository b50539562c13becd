import { createElement, type ReactNode } from 'react';

/** The pieces of Ink that are in use: nothing else imports it, so that another renderer could take its place. */
export { Box, render, Text, useCursor } from 'ink';

/**
 * Writes its children above the live part in the commit that brings them; the next commit has to leave them out. Ink's own `Static` does the
 * same, but takes a second commit of its own to forget its children: half of the work of every frame while text streams.
 */
export function Once({ children }: { readonly children: ReactNode }): ReactNode {
  const props = { internal_static: true, style: { position: 'absolute', flexDirection: 'column' } };
  return createElement('ink-box', props, children);
}
