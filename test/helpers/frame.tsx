import { EventEmitter } from 'node:events';
import type { ReactNode } from 'react';
import { render } from '../../src/ui/ink.ts';

export type RenderedFrame = {
  /** The last frame, below what left for the scrollback with it. */
  text(): string;
  /** All frames, without repetitions. */
  texts(): readonly string[];
  rerender(node: ReactNode): void;
  unmount(): void;
};

/** Renders a component through Ink on a window of the given size, and gives back the exact frame. */
export function renderFrame(
  node: ReactNode,
  size: { readonly columns: number; readonly rows: number } = { columns: 80, rows: 24 },
): RenderedFrame {
  const texts: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    ...size,
    isTTY: false,
    writable: true,
    destroyed: false,
    writableEnded: false,
    write(written: string, callback?: () => void): boolean {
      if (written.trim() !== '' && written !== texts.at(-1)) texts.push(written);
      callback?.();
      return true;
    },
  });
  const stdin = Object.assign(new EventEmitter(), { isTTY: false });
  const ink = render(node, {
    stdout: stdout as unknown as NodeJS.WriteStream, // the part of a stream that Ink uses
    stdin: stdin as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    text: () => texts.at(-1) ?? '',
    texts: () => texts,
    rerender: ink.rerender,
    unmount: ink.unmount,
  };
}
