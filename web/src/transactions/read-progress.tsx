import { useSyncExternalStore } from 'react';
import { TRANSACTIONS } from '../text/transactions.ts';
import type { ReadCounter } from './reads.ts';

/** How many rows have arrived so far. It changes too often to be announced; only the result is. */
export function ReadProgress({ counter }: { readonly counter: ReadCounter }) {
  const count = useSyncExternalStore(counter.subscribe, counter.get);
  return <p>{count === 0 ? TRANSACTIONS.loading : TRANSACTIONS.reading(count)}</p>;
}
