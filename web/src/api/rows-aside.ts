import { useSyncExternalStore } from 'react';
import type { RowAside } from './held-rows.ts';

/** How many rows of an account could not be read, as far as pages of this tab have read; accounts without are absent. */
type AsideCounts = ReadonlyMap<string, number>;

let counts: AsideCounts = new Map();
const listeners = new Set<() => void>();

/** To be called with all that was set aside of the account in the days that are held. */
export function noteAside(account: string, rows: readonly RowAside[]): void {
  if ((counts.get(account) ?? 0) === rows.length) return;
  const changed = new Map(counts);
  if (rows.length === 0) changed.delete(account);
  else changed.set(account, rows.length);
  counts = changed;
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What could not be read of each account; renders again when more is known. */
export function useAsideCounts(): AsideCounts {
  return useSyncExternalStore(watch, () => counts);
}
