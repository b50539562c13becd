import { useSyncExternalStore } from 'react';
import type { Snapshot, UiStore } from '../ui-store.ts';

/** What is to be drawn now. */
export function useSnapshot(store: UiStore): Snapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
