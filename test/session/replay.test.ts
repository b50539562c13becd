import { describe, expect, it } from 'vitest';
import { decodeEntry, encodeEntry } from '../../src/session/entries.ts';
import { replay } from '../../src/session/replay.ts';
import { type DurableEvent, nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { encodeLog, sampleEvents, seed, soakFactor } from './sample-log.ts';

const origin = { provider: 'builtin', model: 'checklist' };
const place = { runId: 'r', turn: 1, attempt: 1 };
const call = (callId: string, name = 'shell') => ({ type: 'tool-call' as const, callId, name, arguments: { command: 'make' }, origin });
const turnEnd = (...callIds: string[]): DurableEvent => ({
  type: 'turn-end',
  ...place,
  message: { role: 'assistant', parts: callIds.map((id) => call(id)) },
  finish: 'tool-calls',
});
const start = (callId: string): DurableEvent => ({
  type: 'tool-start',
  ...place,
  callId,
  name: 'shell',
  effects: [{ kind: 'command', command: 'make', cwd: '/w' }],
  acting: true,
});
const result = (callId: string): DurableEvent => ({
  type: 'tool-result',
  ...place,
  callId,
  name: 'shell',
  arguments: { command: 'make' },
  output: 'ok',
  isError: false,
  acting: true,
  working: true,
});
const steer: DurableEvent = { type: 'user-message', ...nowhere, kind: 'steer', text: 'and then', promptId: 'p' };
const prompt: DurableEvent = { type: 'user-message', ...nowhere, kind: 'prompt', text: 'next', promptId: 'p2' };
const turnStart: DurableEvent = { type: 'turn-start', ...place, turn: 2, reminded: false, elapsedMs: 0 };

/** Type and call of each event; a synthetic result is marked. */
const outline = (events: readonly DurableEvent[]): readonly string[] =>
  events.map((event) => {
    if (event.type !== 'tool-result') return event.type;
    return `${event.output.startsWith('Interrupted') ? 'synthetic' : 'result'} ${event.callId}`;
  });
const isSynthetic = (event: DurableEvent): boolean => event.type === 'tool-result' && event.output.startsWith('Interrupted');

describe('replay of a whole log', () => {
  it('gives every event back, in order, with nothing to report', () => {
    const events = sampleEvents(5);
    const replayed = replay(encodeLog(events));
    expect(replayed.events).toEqual(events);
    expect(replayed).toMatchObject({ report: [], pendingCalls: [], lastSeq: events.length, terminated: true, newer: false });
    expect(replayed.times).toHaveLength(events.length);
  });
  it('takes an empty log', () => {
    expect(replay('')).toMatchObject({ events: [], report: [], lastSeq: 0, length: 0, terminated: true });
  });
  it('keeps text that is no valid Unicode', () => {
    const event: DurableEvent = { ...prompt, text: 'half a pair \ud83d and NUL \0 and \u2028' } as DurableEvent;
    expect(replay(encodeLog([event])).events).toEqual([event]);
  });
});

describe('dangling calls get a synthetic result', () => {
  it.each<[string, readonly DurableEvent[], readonly string[]]>([
    ['a call with its result needs none', [turnEnd('a'), start('a'), result('a')], ['turn-end', 'tool-start', 'result a']],
    ['a started call at the end', [turnEnd('a'), start('a')], ['turn-end', 'tool-start', 'synthetic a']],
    ['a call that was never started', [turnEnd('a')], ['turn-end', 'synthetic a']],
    [
      'one of two',
      [turnEnd('a', 'b'), start('a'), result('a'), start('b')],
      ['turn-end', 'tool-start', 'result a', 'tool-start', 'synthetic b'],
    ],
    ['before the next turn', [turnEnd('a'), turnStart], ['turn-end', 'synthetic a', 'turn-start']],
    ['before the next prompt', [turnEnd('a'), prompt], ['turn-end', 'synthetic a', 'user-message']],
    ['not before steering, which comes between results', [turnEnd('a'), steer, result('a')], ['turn-end', 'user-message', 'result a']],
    ['an id used again in a later turn', [turnEnd('a'), result('a'), turnEnd('a')], ['turn-end', 'result a', 'turn-end', 'synthetic a']],
  ])('%s', (_name, events, expected) => {
    expect(outline(replay(encodeLog(events)).events)).toEqual(expected);
  });
  it('names a command that was running, and only that', () => {
    const { report, pendingCalls } = replay(encodeLog([turnEnd('a', 'b'), start('a')]));
    expect(report).toEqual([
      "The command 'make' was running when the session was interrupted. Its outcome is unknown and it is not run again.",
    ]);
    expect(pendingCalls).toEqual([
      { callId: 'a', name: 'shell', started: true, command: 'make' },
      { callId: 'b', name: 'shell', started: false, command: undefined },
    ]);
  });
  it('marks the result as a failed acting call', () => {
    const [, last] = replay(encodeLog([turnEnd('a')])).events;
    expect(last).toMatchObject({ type: 'tool-result', isError: true, acting: true, arguments: { command: 'make' } });
  });
});

describe('a damaged log', () => {
  const events = sampleEvents(3);
  const lines = events.map((event, index) => encodeEntry(event, { seq: index + 1, at: 1 }));
  const withoutLine = (index: number): Buffer => Buffer.concat(lines.filter((_, at) => at !== index));
  it.each<[string, Buffer, RegExp, number]>([
    ['a line that is gone', withoutLine(4), /^Entry 5 of the session log is damaged or missing/u, events.length - 1],
    ['two lines that are gone', Buffer.concat(lines.filter((_, at) => at < 4 || at > 5)), /^Entries 5 to 6 /u, events.length - 2],
    ['a line that came twice', Buffer.concat([...lines.slice(0, 2), ...lines.slice(1)]), /^1 entry .* came twice/u, events.length],
    [
      'rubbish between two lines',
      Buffer.concat([...lines.slice(0, 3), Buffer.from('rubbish\n'), ...lines.slice(4)]),
      /^Entry 4 /u,
      events.length - 1,
    ],
    [
      'rubbish after the last line',
      Buffer.concat([...lines, Buffer.from('rubbish\n')]),
      /^The last 1 line .* cannot be read/u,
      events.length,
    ],
    ['zeros after the last line', Buffer.concat([...lines, Buffer.alloc(512)]), /cut off \(512 bytes\) and dropped/u, events.length],
  ])('%s is named and costs nothing else', (_name, log, sentence, kept) => {
    const { events: found, report } = replay(log);
    expect(found.filter((event) => !isSynthetic(event))).toHaveLength(kept);
    expect(report[0]).toMatch(sentence);
  });
  it('keeps a last line that lacks only its line feed', () => {
    const log = encodeLog(events).subarray(0, -1);
    expect(replay(log)).toMatchObject({ events, report: [], terminated: false, length: log.length });
  });
  it('opens read-only when a newer version wrote to it', () => {
    const unknown = encodeEntry({ type: 'hologram', ...nowhere } as unknown as DurableEvent, { seq: events.length + 1, at: 1 }); // not ours
    expect(replay(Buffer.concat([encodeLog(events), unknown]))).toMatchObject({ events, newer: true });
    const bumped = unknown.toString().replace('{"v":1', '{"v":2');
    expect(decodeEntry(Buffer.from(bumped.trimEnd()))).toBeUndefined();
  });
});

describe('cut and flipped bytes', () => {
  const keyOf = (event: DurableEvent): string => `${event.type} ${event.turn} ${'callId' in event ? event.callId : ''}`;
  const keys = (events: readonly DurableEvent[]): readonly string[] => events.filter((event) => !isSynthetic(event)).map(keyOf);
  /** For each offset, the line that it is in. */
  const linesAt = (log: Buffer): Uint32Array => {
    let line = 0;
    return Uint32Array.from(log, (byte) => (byte === 0x0a ? line++ : line));
  };

  // every single byte: integration-tests/sessions
  it('survives a cut at every 61st byte of a 64 KiB log, losing only the line that was cut', () => {
    const log = encodeLog(sampleEvents(24, 500)).subarray(0, 65_536);
    const whole = keys(replay(log).events);
    const lines = linesAt(log);
    for (let length = 0; length < log.length; length += 61) {
      const { events, report, length: kept } = replay(log.subarray(0, length));
      const complete = lines[length] ?? 0;
      const real = keys(events);
      // a line that lacks only its line feed is whole
      expect(real.length - complete).toBe(log[length] === 0x0a ? 1 : 0);
      expect(real).toEqual(whole.slice(0, real.length));
      expect(report.some((sentence) => sentence.includes('cut off'))).toBe(kept < length);
    }
  });

  it('survives 2,000 byte flips, losing only the line that was touched', () => {
    const log = encodeLog(sampleEvents(7, 100));
    const whole = replay(log).events;
    const wholeKeys = keys(whole);
    const lines = linesAt(log);
    const clock = createFakeClock(0, seed);
    for (let round = 0; round < 2000 * soakFactor; round += 1) {
      const offset = Math.floor(clock.random() * log.length);
      const flipped = Buffer.from(log);
      flipped[offset] = (flipped[offset] ?? 0) ^ (1 << Math.floor(clock.random() * 8));
      const { events, report } = replay(flipped);
      const touched = log[offset] === 0x0a ? -1 : lines[offset];
      expect(keys(events)).toEqual(wholeKeys.filter((_, index) => index !== touched));
      if (touched !== -1) expect(report.join(' ')).toMatch(/damaged|cannot be read|cut off/u);
      else expect(events).toEqual(whole);
    }
  });
});
