/** The time before a continuation is sent. It stands still while the user's line has text, and starts again in full when it is emptied. */
export type Countdown = { readonly totalMs: number; readonly remainingMs: number; readonly heldByTyping: boolean };

export function newCountdown(totalMs: number, heldByTyping: boolean): Countdown {
  return { totalMs, remainingMs: totalMs, heldByTyping };
}

export type CountdownInput = { readonly kind: 'passed'; readonly ms: number } | { readonly kind: 'typing'; readonly hasText: boolean };

export function reduceCountdown(state: Countdown, input: CountdownInput): Countdown {
  if (input.kind === 'passed') {
    return state.heldByTyping ? state : { ...state, remainingMs: Math.max(0, state.remainingMs - input.ms) };
  }
  if (input.hasText === state.heldByTyping) return state;
  return { ...state, heldByTyping: input.hasText, remainingMs: state.totalMs };
}

/** Ms until the next visible change: a second has passed, or it is over. */
export function nextTickMs(state: Countdown): number {
  const rest = state.remainingMs % 1000;
  return rest === 0 ? Math.min(1000, state.remainingMs) : rest;
}
