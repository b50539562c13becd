import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJoiner } from '../../src/providers/sse-join.ts';
import { asRecord, listAt, recordAt } from '../../src/providers/wire-values.ts';

const filler = 'x'.repeat(1024);
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', model: filler, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
const text = (content: string): string => chunk({ content });
const join = (...reads: readonly string[]): string => {
  const joiner = createJoiner();
  return Buffer.concat(reads.map((read) => joiner(Buffer.from(read)))).toString();
};

describe('joins', () => {
  it.each<[string, readonly string[], string]>([
    ['neighbouring texts', [text('a') + text('b') + text('c')], text('abc')],
    ['texts with quotes, backslashes and line ends', [text('"a\\') + text('\n"')], text('"a\\\n"')],
    [
      'the halves of a character',
      [`${text('x').replace('"x"', '"\\ud83d"')}${text('x').replace('"x"', '"\\ude00"')}`],
      text('x').replace('"x"', '"\\ud83d\\ude00"'),
    ],
    ['letters beyond ASCII', [text('é') + text('漢')], text('é漢')],
    ['each read by itself', [text('a') + text('b'), text('c') + text('d')], text('ab') + text('cd')],
  ])('%s', (_, reads, expected) => {
    expect(join(...reads)).toBe(expected);
  });
});

describe('leaves alone', () => {
  it.each<[string, readonly string[]]>([
    [
      'texts around a call',
      [text('a') + chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }) + text('b')],
    ],
    ['a finish', [chunk({ content: 'a' }, { finish_reason: 'stop' }).repeat(2)]],
    ['what comes with something else', [chunk({ content: 'a', annotations: [] }).repeat(2)]],
    ['another field', [chunk({ reasoning: 'a' }).repeat(2)]],
    ['several choices', [text('a').replace('}]}', '},{"index":1,"delta":{"content":"b"}}]}').repeat(2)]],
    ['texts of different chunks', [text('a') + text('b').replace('"c"', '"d"')]],
    ['a key that is text', [chunk({ refusal: '"delta":{"content":"' }).repeat(2)]],
    ['a text that never ends', [`${text('a')}${text('b').slice(0, -20)}\n\n`.replaceAll('"}', '')]],
    ['lines that end with CR LF', [(text('a') + text('b')).replaceAll('\n', '\r\n')]],
    ['an event of several lines', [`event: x\n${text('a')}event: x\n${text('b')}`]],
    ['an event that was begun before', ['data: {"a":"', `b"}\n\n${text('a')}`]],
    ['what is not whole', [text('a') + text('b').slice(0, -1)]],
    ['comments and the end', [`: ${filler}\n\n${text('a')}data: [DONE]\n\n`]],
  ])('%s', (_, reads) => {
    expect(join(...reads)).toBe(reads.join(''));
  });
});

/** What an event stream says: the texts one after the other, anything else whole, in order. */
function meaning(stream: string): readonly unknown[] {
  const said: unknown[] = [];
  for (const event of stream.split('\n\n')) {
    const content = event.startsWith('data: {')
      ? recordAt(asRecord(listAt(JSON.parse(event.slice(6)), 'choices')[0]), 'delta').content
      : undefined;
    const last = said.at(-1);
    if (typeof content === 'string' && typeof last === 'string') said[said.length - 1] = last + content;
    else said.push(typeof content === 'string' ? content : { event });
  }
  return said;
}

it('changes nothing that is said, wherever the network cuts', () => {
  const event = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map(text) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map((reasoning) => chunk({ reasoning })) },
    { weight: 1, arbitrary: fc.constantFrom(': ping\n\n', 'data: [DONE]\n\n') },
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), fc.array(fc.nat(20_000), { maxLength: 4 }), (events, cuts) => {
      const bytes = Buffer.from(events.join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((left, right) => left - right), bytes.length];
      const joiner = createJoiner();
      const out = places.slice(1).map((to, index) => joiner(bytes.subarray(places[index] ?? 0, to)));
      expect(meaning(Buffer.concat(out).toString())).toEqual(meaning(bytes.toString()));
    }),
    { numRuns: 300 * Number(process.env.TILLDONE_SOAK_FACTOR ?? 1), seed: Number(process.env.TILLDONE_SEED ?? 1) },
  );
});
