import { useQueries } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type AttentionItem, attentionItems } from './attention.ts';
import { connections } from './connections.ts';
import { destinations } from './destinations.ts';
import { dismissedRows, watchDismissed } from './dismissed-rows.ts';
import { eventDestinations } from './events.ts';
import { syncs } from './syncs.ts';

/**
 * What needs a person; null until all of it is known, so that it does not push down what the person is reading. What
 * cannot be loaded is left out here, and fails on its own page. With `read` false, nothing is requested: it is what
 * other parts of the page have read so far.
 */
export function useAttention(read: boolean): readonly AttentionItem[] | null {
  const [banks, places, events, copies] = useQueries({
    queries: [
      { ...connections, enabled: read },
      { ...destinations, enabled: read },
      { ...eventDestinations, enabled: read },
      { ...syncs, enabled: read },
    ],
  });
  const dismissed = useSyncExternalStore(watchDismissed, dismissedRows);
  if (banks.data === undefined || places.isPending || events.isPending || copies.isPending) return null;
  return attentionItems({
    connections: banks.data,
    destinations: places.data ?? [],
    eventDestinations: events.data ?? [],
    syncs: copies.data ?? [],
    dismissed,
  });
}
