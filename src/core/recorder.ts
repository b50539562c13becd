import type { AgentEvent, DurableEvent } from '../types/events.ts';
import { isDurable } from '../types/events.ts';
import { applyEvent, type SessionState } from './session-state.ts';

/** Where durable events are kept. `append` never rejects; `sync` asks for the disk. */
export type EventSink = { append(event: DurableEvent, options: { sync: boolean }): Promise<void> };

/** The one way by which anything becomes part of a session: folded into its state, kept, and shown. */
export type Recorder = {
  readonly state: SessionState;
  /** Resolves when the event is kept; with `sync`, when it is on disk. Only the four points of the log's contract wait for it. */
  record(event: AgentEvent, options?: { readonly sync: boolean }): Promise<void>;
  subscribe(listener: (event: AgentEvent) => void): () => void;
};

const kept = Promise.resolve();

export function createRecorder(state: SessionState, sink: EventSink): Recorder {
  const listeners = new Set<(event: AgentEvent) => void>();
  return {
    state,
    record(event, options = { sync: false }) {
      applyEvent(state, event);
      const appended = isDurable(event) ? sink.append(event, options) : kept;
      for (const listener of listeners) listener(event);
      return appended;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
