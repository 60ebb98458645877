import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { eventDeliverySchema } from '../../../src/operations/v2/events/resource.ts';
import { ask } from './client.ts';
import type { ServiceEvent } from './event-feed.ts';
import type { List } from './lists.ts';
import { paged } from './paged.ts';

export type EventDelivery = Static<typeof eventDeliverySchema>;

const PATH = 'events';
const PENDING_MS = 3_000;
/** An event is handed on a moment after it was written. */
const FIRST_LOOKS = 3;
const A_FEW = 10;

/** The newest first; of one kind or family where one is named. */
export function events(type: string | undefined) {
  return paged<ServiceEvent>(PATH, type === undefined ? {} : { 'type[]': [type] });
}

/** The first few of these kinds and families. */
export function latestEvents(selectors: readonly string[]) {
  return queryOptions({
    queryKey: [PATH, 'latest', selectors],
    queryFn: async ({ signal }) => {
      const query = { limit: A_FEW, 'type[]': selectors };
      return (await ask<List<ServiceEvent>>({ path: PATH, query, signal })).data;
    },
  });
}

export function event(id: string) {
  return queryOptions({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => ask<ServiceEvent>({ path: one(id), signal }),
  });
}

/** What was sent of an event; asked for again while something is about to be sent. */
export function eventDeliveries(id: string) {
  return queryOptions({
    queryKey: [PATH, id, 'deliveries'],
    queryFn: ({ signal }) => readDeliveries(id, signal),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isUnderWay(data) || (data?.length === 0 && dataUpdateCount < FIRST_LOOKS) ? PENDING_MS : false,
  });
}

/** What was sent of an event until now, to each event destination. They come at once, and take no `limit`. */
export async function readDeliveries(
  id: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly EventDelivery[]> {
  return (await ask<List<EventDelivery>>({ path: `${one(id)}/deliveries`, signal })).data;
}

/** A delivery that waits for minutes is not waited for. */
function isUnderWay(deliveries: readonly EventDelivery[] | undefined): boolean {
  return (
    deliveries?.some(({ status, attempt_count: attempts }) => status === 'pending' && attempts < 2) === true
  );
}

export function redeliverEvent(id: string): Promise<ServiceEvent> {
  return ask({ method: 'POST', path: `${one(id)}/redeliver` });
}

function one(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
