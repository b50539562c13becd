import { describe, expect, it } from 'vitest';
import { anchorFrame } from '../../src/ui/frame-motion.ts';

const hide = '\u001b[?25l';
const show = '\u001b[3G\u001b[?25h';
const cut = '\u001b[?7l';
const wrap = '\u001b[?7h';

describe('anchorFrame', () => {
  it.each<[name: string, ink: string, ours: string]>([
    [
      'a changed row: up from the input, down by line feeds, and from the input on nothing wraps',
      `${hide}\u001b[2B\u001b[1G\u001b[5A\u001b[E\u001b[1G\u001b[Knew\n\u001b[E\u001b[E\u001b[E\u001b[2A${show}`,
      `${hide}\u001b[1G\u001b[3A\n\u001b[1G\u001b[Knew\n\n${cut}\n\n${wrap}\u001b[2A${show}`,
    ],
    [
      'the input is the last row',
      `${hide}\u001b[1G\u001b[2A\u001b[E\u001b[E\u001b[1G\u001b[Kx${show}`,
      `${hide}\u001b[1G\u001b[2A\n\n${cut}\u001b[1G\u001b[Kx${wrap}${show}`,
    ],
    [
      'the input is the first row',
      `${hide}\u001b[2B\u001b[1G\u001b[2A\u001b[Kx\n\u001b[E\u001b[2A${show}`,
      `${hide}\u001b[1G${cut}\u001b[Kx\n\n${wrap}\u001b[2A${show}`,
    ],
    [
      'fewer rows: what is left over goes after the last one',
      `${hide}\u001b[1B\u001b[1G\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[G\u001b[2A\u001b[1G\u001b[Ka\n\u001b[E\u001b[1A${show}`,
      `${hide}\u001b[1G\u001b[3A\u001b[1G\u001b[Ka\n${cut}\n${wrap}\u001b[J\u001b[1A${show}`,
    ],
    ['only the cursor moves, down', `${hide}\u001b[3B\u001b[1G\u001b[1A${show}`, `${hide}\u001b[1G\u001b[2B${show}`],
    ['a frame on an empty place', `first\ninput\nlast\n\u001b[2A${show}`, `first\n${cut}input\nlast\n${wrap}\u001b[2A${show}`],
    ['a frame without an input', 'first\nlast\n', 'first\nlast\n'],
    ['no frame', '\u001b[?2026h', '\u001b[?2026h'],
  ])('%s', (_name, ink, ours) => {
    expect(anchorFrame(ink)).toBe(ours);
  });
});
