import { useCallback, useSyncExternalStore } from 'react';
import type { ContinuationService } from '../../continuation/session.ts';

/** What the hook watches and offers of the service. */
export type ContinuationSource = Pick<ContinuationService, 'state' | 'typing' | 'interrupt'>;

export type TodoContinuation = {
  /** The countdown before the next continuation, while there is one. */
  readonly countdown: { readonly remainingMs: number; readonly open: number; readonly held: boolean } | undefined;
  readonly running: boolean;
  /** Keeps the countdown where it is while the user writes; without text it starts again. */
  hold(hasText: boolean): void;
  /** Ends the countdown; nothing is sent until the user acts. */
  cancel(): void;
};

/**
 * Watches how the list is followed through. It decides nothing: the service does, with or without anything mounted; this is its view and its two
 * handles.
 */
export function useTodoContinuation(service: ContinuationSource): TodoContinuation {
  const engine = useSyncExternalStore(service.state.subscribe, service.state.get);
  const hold = useCallback((hasText: boolean) => service.typing(hasText), [service]);
  const cancel = useCallback(() => service.interrupt(), [service]);
  const countdown =
    engine.kind === 'counting' ? { remainingMs: engine.remainingMs, open: engine.open, held: engine.heldByTyping } : undefined;
  return { countdown, running: engine.kind !== 'idle', hold, cancel };
}
