/** Thresholds; -1 switches one off. */
export type LoopLimits = { readonly identicalCalls: number; readonly failingCalls: number; readonly cycles: number };

type SeenCall = { readonly key: string; readonly label: string; readonly failed: boolean };

/** The last calls of the prompt, and the pattern that was found, if the latest call completed one. */
export type LoopState = {
  readonly calls: readonly SeenCall[];
  /** Set by the first strike: the call that would continue the pattern, and the turn in which the strike fell. */
  readonly expected: { readonly key: string; readonly turn: number; readonly detail: string } | undefined;
};

export const noLoop: LoopState = { calls: [], expected: undefined };

const longestCycle = 5;

export type LoopVerdict = { readonly kind: 'none' } | { readonly kind: 'strike'; readonly strike: 1 | 2; readonly detail: string };

const none: LoopVerdict = { kind: 'none' };

/**
 * Takes in one call with its result. The first strike asks for a corrective reminder; the first call of a later turn decides: if it continues the
 * pattern, that is the second strike and the end. `key` identifies call, arguments and result; `label` is for people.
 */
export function stepLoop(
  state: LoopState,
  call: SeenCall & { readonly turn: number },
  limits: LoopLimits,
): { readonly state: LoopState; readonly verdict: LoopVerdict } {
  const windowSize = Math.max(limits.identicalCalls, limits.failingCalls, limits.cycles * longestCycle, 1);
  const calls = [...state.calls, { key: call.key, label: call.label, failed: call.failed }].slice(-windowSize);
  if (state.expected !== undefined) {
    if (call.turn === state.expected.turn) return { state: { calls, expected: state.expected }, verdict: none };
    if (call.key === state.expected.key)
      return { state: { calls, expected: undefined }, verdict: { kind: 'strike', strike: 2, detail: state.expected.detail } };
  }
  const pattern = findPattern(calls, limits);
  if (pattern === undefined) return { state: { calls, expected: undefined }, verdict: none };
  return {
    state: { calls, expected: { key: pattern.next, turn: call.turn, detail: pattern.detail } },
    verdict: { kind: 'strike', strike: 1, detail: pattern.detail },
  };
}

function findPattern(calls: readonly SeenCall[], limits: LoopLimits): { next: string; detail: string } | undefined {
  const last = calls.at(-1);
  if (last === undefined) return undefined;
  let run = 0;
  while (run < calls.length && calls[calls.length - 1 - run]?.key === last.key) run += 1;
  const needed = last.failed && limits.failingCalls > 0 ? limits.failingCalls : limits.identicalCalls;
  if (needed > 0 && run >= needed) {
    return {
      next: last.key,
      detail: `the same call ${run} times in a row with the same ${last.failed ? 'failure' : 'result'} (${last.label})`,
    };
  }
  if (limits.cycles <= 0) return undefined;
  for (let period = 2; period <= longestCycle; period += 1) {
    const length = period * limits.cycles;
    if (calls.length < length || run >= period) continue;
    const tail = calls.slice(-length);
    if (!tail.every((call, index) => index < period || call.key === tail[index - period]?.key)) continue;
    const cycle = tail.slice(0, period);
    return {
      next: cycle[0]?.key ?? '',
      detail: `a cycle of ${period} calls ${limits.cycles} times (${cycle.map((call) => call.label).join(', ')})`,
    };
  }
  return undefined;
}
