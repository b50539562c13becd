import type { Clock } from '../lib/clock.ts';
import type { ErrorInfo } from '../types/errors.ts';
import type { Provider, ProviderEvent } from './provider.ts';

export const retryLimits = { tries: 5, maxWaitMs: 60_000, baseDelayMs: 500, maxDelayMs: 16_000 } as const;

export type TryDecision = { readonly kind: 'wait'; readonly delayMs: number } | { readonly kind: 'stop'; readonly error: ErrorInfo };

/**
 * Whether a failed transport is tried again, and when. `tries` have been made. What the server asks for is honoured up to 60 s (RFC 9110
 * 10.2.3), else the wait doubles from half a second, with up to a quarter of jitter on top.
 */
export function decideTry(
  error: ErrorInfo,
  state: { readonly tries: number; readonly called: boolean; readonly random: number },
): TryDecision {
  if (!error.retryable || state.called) return { kind: 'stop', error };
  if (error.retryAfterMs !== undefined && error.retryAfterMs > retryLimits.maxWaitMs) {
    return {
      kind: 'stop',
      error: { ...error, message: `${error.message} It asks to wait ${inWords(error.retryAfterMs)}; try again then.` },
    };
  }
  if (state.tries >= triesFor(error)) {
    return {
      kind: 'stop',
      error: state.tries === 1 ? error : { ...error, message: `${error.message} Gave up after ${state.tries} tries.` },
    };
  }
  const backoff = Math.min(retryLimits.maxDelayMs, retryLimits.baseDelayMs * 2 ** (state.tries - 1));
  const delayMs = Math.max(error.retryAfterMs ?? 0, error.retryAfterMs === undefined ? backoff : 0);
  return { kind: 'wait', delayMs: Math.min(retryLimits.maxWaitMs, Math.ceil(delayMs + backoff * 0.25 * state.random)) };
}

/** A server that is not there, or that was silent for minutes, gets one more try only. */
function triesFor(error: ErrorInfo): number {
  return error.kind === 'timeout' || /ECONNREFUSED|ENOTFOUND/u.test(error.message) ? 2 : retryLimits.tries;
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/**
 * Tries the transport again, visibly (`retry-wait`), as long as no call of this response was handed out: after that a tool may have run. An
 * abort ends the wait at once.
 */
export function withRetry(provider: Provider, { clock }: { readonly clock: Clock }): Provider {
  return {
    ...provider,
    async *stream(request, signal): AsyncGenerator<ProviderEvent> {
      for (let tries = 1; ; tries += 1) {
        let streamed = false;
        let called = false;
        let error: ErrorInfo | undefined;
        for await (const event of provider.stream(request, signal)) {
          if (event.type === 'error') {
            error = event.error;
            break;
          }
          if (event.type === 'tool-call') called = true;
          else if (event.type !== 'usage' && event.type !== 'finish') streamed = true;
          yield event;
        }
        if (error === undefined) return;
        const decision = decideTry(error, { tries, called, random: clock.random() });
        if (decision.kind === 'stop') {
          yield { type: 'error', error: decision.error };
          return;
        }
        yield { type: 'retry-wait', delayMs: decision.delayMs, cause: error.message, voids: streamed };
        await clock.sleep(decision.delayMs, signal);
        if (signal.aborted) {
          yield { type: 'finish', finish: 'aborted' };
          return;
        }
      }
    },
  };
}
