import { expect, it } from 'vitest';
import { composeFrame, type Frame } from '../../src/ui/frame.ts';
import { eraseFrame } from '../../src/ui/resize.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';

const empty = composeFrame(emptyUi, { paint: plainPaint, highlight: (code) => code, now: 0 });
const frame: Frame = { ...empty, transcript: ['x'.repeat(50), ''], editor: ['> ab'], status: ['y'.repeat(70)], cursor: { x: 4, y: 2 } };

it.each<[name: string, columns: number, drifts: boolean, cursor: Frame['cursor'], up: number]>([
  ['a wide window: one row each', 80, false, frame.cursor, 2],
  ['a narrow one: what wrapped above the cursor counts', 20, false, frame.cursor, 4],
  ['xterm.js counts what wrapped below as well', 20, true, frame.cursor, 7],
  ['without a cursor it stands below the frame', 20, false, undefined, 9],
])('%s', (_name, columns, drifts, cursor, up) => {
  expect(eraseFrame({ ...frame, cursor }, columns, { drifts })).toBe(`\r\u001b[${up}A\u001b[J`);
});
