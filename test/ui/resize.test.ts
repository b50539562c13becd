import { expect, it } from 'vitest';
import { composeFrame, type Frame } from '../../src/ui/frame.ts';
import { eraseFrame, reflowsIn } from '../../src/ui/resize.ts';
import { plainPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';

const empty = composeFrame(emptyUi, { paint: plainPaint, highlight: (code) => code, now: 0 });
const frame: Frame = { ...empty, transcript: ['x'.repeat(50), ''], editor: ['> ab'], status: ['y'.repeat(70)], cursor: { x: 4, y: 2 } };

it.each<[name: string, columns: number, reflows: boolean, cursor: Frame['cursor'], up: number]>([
  ['a wide window: one row each', 80, true, frame.cursor, 2],
  ['a narrow one: what wrapped above the cursor counts', 20, true, frame.cursor, 4],
  ['a terminal that cuts rows instead', 20, false, frame.cursor, 2],
  ['without a cursor it stands below the frame', 20, true, undefined, 9],
])('%s', (_name, columns, reflows, cursor, up) => {
  expect(eraseFrame({ ...frame, cursor }, columns, { reflows })).toBe(`\r\u001b[${up}A\u001b[J`);
});

it.each([
  [{ TERM: 'xterm-256color' }, true],
  [{ TERM: 'linux' }, false],
  [{ TERM: 'xterm', XTERM_VERSION: 'XTerm(390)' }, false],
  [{ TERM: 'screen' }, false],
  [{ TERM: 'screen-256color', TMUX: '/tmp/t,1,0' }, true],
])('reflowsIn(%j)', (environment, reflows) => {
  expect(reflowsIn(environment)).toBe(reflows);
});
