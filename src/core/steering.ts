import type { Place } from '../types/events.ts';
import type { Recorder } from './recorder.ts';

/** What the user typed during a run, until it is delivered at a tool boundary or taken back. */
export type Steering = {
  add(text: string): void;
  isWaiting(): boolean;
  /** Puts it into the conversation, in order. False when there was none. */
  deliver(place: Place): boolean;
  /** Gives it back undelivered. */
  take(): readonly string[];
};

export function createSteering({ record, state }: Recorder): Steering {
  let waiting: readonly string[] = [];
  const take = (): readonly string[] => {
    const texts = waiting;
    waiting = [];
    return texts;
  };
  return {
    add(text) {
      waiting = [...waiting, text];
    },
    isWaiting: () => waiting.length > 0,
    deliver(place) {
      const texts = take();
      for (const text of texts) void record({ type: 'user-message', ...place, kind: 'steer', text, promptId: state.prompt.promptId });
      return texts.length > 0;
    },
    take,
  };
}
