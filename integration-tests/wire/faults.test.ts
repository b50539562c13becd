import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultRuns, startFaultRuns } from '../../test/providers/fault-runs.ts';

const factor = Math.min(100, Number(process.env.TILLDONE_SOAK_FACTOR ?? 1));
const timeout = 120_000 * factor;

describe('faulty streams, all of them', () => {
  let runs: FaultRuns;
  beforeAll(async () => {
    runs = await startFaultRuns(Number(process.env.TILLDONE_SEED ?? 1));
  });
  afterAll(() => runs.close());

  it.each(['openai', 'gemini'] as const)(
    'the recorded stream cut at every byte (%s): no call unless the response is whole',
    async (dialect) => {
      expect(await runs.cutEvery(dialect, 1)).toEqual([]);
    },
    timeout,
  );
  it(
    '500 seeded faults of ten more streams',
    async () => {
      expect(await runs.seededFaults(50 * factor)).toEqual([]);
    },
    timeout,
  );
  it(
    '1,000 fuzzed streams: no crash, one end each',
    async () => {
      expect(await runs.fuzz(1000 * factor)).toEqual([]);
    },
    timeout,
  );
});
