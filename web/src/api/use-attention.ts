import { useQueries } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type AttentionItem, attentionItems } from './attention.ts';
import { connections } from './connections.ts';
import { destinations } from './destinations.ts';
import { dismissedRows, isDismissed, watchDismissed } from './dismissed-rows.ts';
import { eventDestinations } from './events.ts';
import { useAsideCounts } from './rows-aside.ts';
import { rejectedRows, syncs } from './syncs.ts';

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
  const aside = useAsideCounts();
  const dismissed = useSyncExternalStore(watchDismissed, dismissedRows);
  const rejecting = (copies.data ?? []).flatMap(({ latest_run: run }) =>
    run === null || run.counts.rejected === 0 ? [] : [run],
  );
  const unsure = rejecting.filter((run) => isDismissed(run, dismissed, undefined) === null);
  const rejected = useQueries({
    queries: unsure.map((run) => ({ ...rejectedRows(run), enabled: read })),
  });
  if (read && rejected.some(({ isPending }) => isPending)) return null;
  // Those that could not be read are listed: they may be others.
  const listed = new Map(
    unsure.map(({ id }, at) => [id, rejected[at]?.isError === true ? UNKNOWN : rejected[at]?.data?.data]),
  );
  if (banks.data === undefined || places.isPending || events.isPending || copies.isPending) return null;
  return attentionItems({
    connections: banks.data,
    destinations: places.data ?? [],
    eventDestinations: events.data ?? [],
    syncs: copies.data ?? [],
    aside,
    dismissed: new Set(
      rejecting
        .filter((run) => isDismissed(run, dismissed, listed.get(run.id)) !== false)
        .map(({ id }) => id),
    ),
  });
}

/** A row that no one has dismissed. */
const UNKNOWN: readonly { readonly id: string }[] = [{ id: '' }];
