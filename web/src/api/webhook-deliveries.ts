import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  webhookDeliverySchema,
  webhookReplaySchema,
} from '../../../src/operations/v2/destinations/webhook-deliveries.ts';
import type { backfillBody } from '../../../src/operations/v2/sync-runs/resource.ts';
import { ask } from './client.ts';
import { type List, nextQuery } from './lists.ts';

export type WebhookDelivery = Static<typeof webhookDeliverySchema>;
export type WebhookReplay = Static<typeof webhookReplaySchema>;

const A_PAGE = 50;
/** Null asks for the first page. */
const FIRST: URLSearchParams | null = null;
const LIVE_MS = 10_000;

/** What was sent to a webhook lately, newest first; read again every few seconds while the page is in sight. */
export function webhookDeliveries(destination: string) {
  const path = `destinations/${encodeURIComponent(destination)}/deliveries`;
  return infiniteQueryOptions({
    queryKey: ['webhook-deliveries', destination],
    queryFn: ({ pageParam, signal }) =>
      ask<List<WebhookDelivery>>({ path, query: pageParam ?? { limit: A_PAGE }, signal }),
    initialPageParam: FIRST,
    getNextPageParam: nextQuery,
    // Further pages change no more, so that they are not worth a request each time.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) === 1 ? LIVE_MS : false),
  });
}

/** Sends the rows of a delivery again. It is answered when all is sent, which may take minutes. */
export function replayDelivery({ destination, id }: WebhookDelivery): Promise<WebhookReplay> {
  const path = `destinations/${encodeURIComponent(destination)}/deliveries/${encodeURIComponent(id)}/replay`;
  return ask({ method: 'POST', path });
}

/** Sends again what was delivered of a range of days. */
export function replayDays(sync: string, days: Static<typeof backfillBody>): Promise<WebhookReplay> {
  return ask({ method: 'POST', path: `syncs/${encodeURIComponent(sync)}/replay`, body: days });
}
