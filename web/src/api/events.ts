import { queryOptions } from '@tanstack/react-query';
import type { EventDelivery } from '#client';
import type { EventSelector } from '../../../src/vocabulary/event-selectors.ts';
import { api } from './client.ts';
import { paged } from './queries.ts';

const PENDING_MS = 3_000;
/** An event is fanned out shortly after it was written. */
const FIRST_LOOKS = 3;
const A_FEW = 10;

/** Newest first; of one kind or family if one is given. */
export function events(type: EventSelector | undefined) {
  const filters = type === undefined ? {} : { type: [type] };
  return paged(['events', 'pages', filters], (page, options) =>
    api.events.list({ ...filters, ...page }, options),
  );
}

/** The first few of these kinds and families. */
export function latestEvents(selectors: readonly EventSelector[]) {
  return queryOptions({
    queryKey: ['events', 'latest', selectors],
    queryFn: async ({ signal }) =>
      (await api.events.list({ limit: A_FEW, type: selectors }, { signal }).page()).data,
  });
}

export function event(id: string) {
  return queryOptions({
    queryKey: ['events', id],
    queryFn: ({ signal }) => api.events.get({ id }, { signal }),
  });
}

/** The deliveries of an event; refetched while one is about to be sent. */
export function eventDeliveries(id: string) {
  return queryOptions({
    queryKey: ['events', id, 'deliveries'],
    queryFn: ({ signal }) => api.events.listDeliveries({ id }, { signal }).all(),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isUnderWay(data) || (data?.length === 0 && dataUpdateCount < FIRST_LOOKS) ? PENDING_MS : false,
  });
}

/** Not for a delivery that is minutes away. */
function isUnderWay(deliveries: readonly EventDelivery[] | undefined): boolean {
  return (
    deliveries?.some(({ status, attempt_count: attempts }) => status === 'pending' && attempts < 2) === true
  );
}

export const eventDestinations = queryOptions({
  queryKey: ['event_destinations'],
  queryFn: ({ signal }) => api.eventDestinations.list({ limit: 100 }, { signal }).all(),
});

export function eventDestination(id: string) {
  return queryOptions({
    queryKey: ['event_destinations', id],
    queryFn: ({ signal }) => api.eventDestinations.get({ id }, { signal }),
  });
}
