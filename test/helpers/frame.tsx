import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';

export type RenderedFrame = {
  /** The last frame, below what left for the scrollback with it. */
  text(): string;
  /** All frames, without repetitions and empty ones. */
  texts(): readonly string[];
  rerender(node: ReactElement): void;
  unmount(): void;
};

/** Renders a component through Ink on a window of 100 columns, and gives back the exact frames. */
export function renderFrame(node: ReactElement): RenderedFrame {
  const rendered = render(node);
  const texts = (): readonly string[] =>
    rendered.frames.filter((frame, index, frames) => frame.trim() !== '' && frame !== frames[index - 1]);
  return { text: () => texts().at(-1) ?? '', texts, rerender: rendered.rerender, unmount: rendered.unmount };
}
