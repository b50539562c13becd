import { expect, it } from 'vitest';
import { replay } from '../../src/session/replay.ts';
import { encodeLog, sampleEvents } from '../../test/session/sample-log.ts';

it('a 64 KiB log cut at every single byte opens, and loses only the line that was cut', { timeout: 300_000 }, () => {
  const log = encodeLog(sampleEvents(8, 3800)).subarray(0, 65_536);
  expect(log).toHaveLength(65_536);
  let complete = 0;
  for (let length = 0; length < log.length; length += 1) {
    const { events, report, lastSeq, length: kept } = replay(log.subarray(0, length));
    // a line that lacks only its line feed is whole
    const expected = complete + (log[length] === 0x0a ? 1 : 0);
    const synthetic = events.filter((event) => event.type === 'tool-result' && event.output.startsWith('Interrupted')).length;
    if (
      lastSeq !== expected ||
      events.length - synthetic !== expected ||
      report.some((each) => each.includes('cut off')) !== kept < length
    ) {
      expect({ length, lastSeq, events: events.length - synthetic, report }).toEqual({
        length,
        lastSeq: expected,
        events: expected,
        report: [],
      });
    }
    if (log[length] === 0x0a) complete += 1;
  }
  expect(complete).toBeGreaterThan(30);
});
