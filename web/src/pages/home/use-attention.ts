import { useQueries } from '@tanstack/react-query';
import type { Connection } from '#client';
import { destinations } from '../../api/destinations.ts';
import { eventDestinations } from '../../api/events.ts';
import { syncs } from '../../api/syncs.ts';
import { type AttentionItem, attentionItems } from './attention-items.ts';

/**
 * What has to be looked at; null until all of it is known, so that it does not push down what is being read. What cannot
 * be read is left out here, and fails on its own page.
 */
export function useAttention(
  connections: readonly Connection[] | undefined,
): readonly AttentionItem[] | null {
  const [places, events, copies] = useQueries({ queries: [destinations, eventDestinations, syncs] });
  if (connections === undefined || places.isPending || events.isPending || copies.isPending) return null;
  return attentionItems({
    connections,
    destinations: places.data ?? [],
    eventDestinations: events.data ?? [],
    syncs: copies.data ?? [],
  });
}
