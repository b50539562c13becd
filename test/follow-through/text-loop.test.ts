import { describe, expect, it } from 'vitest';
import { noTextYet, stepTextLoop } from '../../src/follow-through/text-loop.ts';

/** Characters read until the loop is seen, or undefined; streamed in pieces of `size`. */
function seenAfter(text: string, { limit = 10, size = 7 }: { limit?: number; size?: number } = {}): number | undefined {
  let state = noTextYet;
  for (let at = 0; at < text.length; at += size) {
    const step = stepTextLoop(state, text.slice(at, at + size), limit);
    state = step.state;
    if (step.repeats) return at + size;
  }
  return undefined;
}

const sentence = 'I will now look at the file and decide what to do with it. ';
const varied = Array.from({ length: 400 }, (_, at) => `Step ${at} looked at file ${at * 7} and found ${at % 13} lines.`);

describe('stepTextLoop', () => {
  it.each([
    ['eleven times the same sentence', sentence.repeat(11)],
    ['a short word over and over', 'ha '.repeat(400)],
    ['with other text before', `${varied.slice(0, 20).join(' ')} ${sentence.repeat(12)}`],
    ['line by line', `${sentence}\n`.repeat(12)],
    ['with words between', Array.from({ length: 14 }, (_, at) => `${sentence} (${at})`).join(' ')],
    ['after a closed code fence', `\`\`\`\nx\n\`\`\`\n${sentence.repeat(12)}`],
    ['starting with bold text', `**Note** ${sentence}\n`.repeat(12)],
  ])('sees %s', (_name, text) => {
    expect(seenAfter(text)).toBeDefined();
  });

  it.each([
    ['eight times', sentence.repeat(8)],
    ['long text that varies', varied.join(' ')],
    ['a code fence', `\`\`\`ts\n${`${sentence}\n`.repeat(40)}\`\`\`\n`],
    ['a fence of tildes that is still open', `~~~\n${`${sentence}\n`.repeat(40)}`],
    ['a table', '| column | another column | and a third column here |\n'.repeat(40)],
    ['a bullet list', `- ${sentence}\n`.repeat(40)],
    ['a numbered list', Array.from({ length: 40 }, (_, at) => `${at + 1}. ${sentence}`).join('\n')],
    ['lines of dashes', `${'-'.repeat(60)}\n`.repeat(20)],
    ['white space', ' '.repeat(2000)],
    ['far apart', varied.flatMap((line, at) => (at % 20 === 0 ? [sentence] : [line])).join(' ')],
  ])('does not see %s', (_name, text) => {
    expect(seenAfter(text)).toBeUndefined();
  });

  it.each([1, 3, 50, 1000])('sees it in pieces of %d characters', (size) => {
    expect(seenAfter(sentence.repeat(24), { size })).toBeDefined();
  });

  it('sees it in the middle of a large piece', () => {
    const text = `${varied.slice(0, 20).join(' ')} ${sentence.repeat(14)} ${varied.slice(20, 200).join(' ')}`;
    expect(seenAfter(text, { size: text.length })).toBeDefined();
  });

  it('the threshold is a setting, and -1 switches it off', () => {
    expect(seenAfter(sentence.repeat(5), { limit: 3 })).toBeDefined();
    expect(seenAfter(sentence.repeat(100), { limit: -1 })).toBeUndefined();
  });
});
