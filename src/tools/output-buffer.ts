import { headOf, tailOf } from '../lib/text.ts';

/** Text of any length in bounded memory: the first part, the last part, and the count of what lay between. */
export type OutputBuffer = {
  push(text: string): void;
  /** Everything, or head and tail with the gap named between them. */
  text(): string;
  /** Characters pushed since the start or the last `clear`. */
  length(): number;
  clear(): void;
};

export function createOutputBuffer(limits: { headChars: number; tailChars: number }): OutputBuffer {
  let head = '';
  let tail: string[] = [];
  let tailLength = 0;
  let total = 0;

  const squeeze = (): void => {
    const joined = tailOf(tail.join(''), limits.tailChars);
    tail = [joined];
    tailLength = joined.length;
  };

  return {
    push(text) {
      total += text.length;
      const room = limits.headChars - head.length;
      const taken = tailLength > 0 || room <= 0 ? '' : headOf(text, room);
      head += taken;
      const rest = taken === '' ? text : text.slice(taken.length);
      if (rest === '') return;
      tail.push(rest);
      tailLength += rest.length;
      // squeezed at twice the limit, so that each character is copied about once
      if (tailLength > 2 * limits.tailChars) squeeze();
    },
    text() {
      if (tailLength > limits.tailChars) squeeze();
      const left = total - head.length - tailLength;
      return left === 0 ? head + tail.join('') : `${head}\n… ${left} characters left out …\n${tail.join('')}`;
    },
    length: () => total,
    clear() {
      head = '';
      tail = [];
      tailLength = 0;
      total = 0;
    },
  };
}
