import { Type } from 'typebox';
import type { EventStream } from '../../../features/event-destinations/event-stream.ts';
import type { EventRow } from '../../../storage/events.ts';
import { EVENT_SELECTORS, kindsNamed } from '../../../vocabulary/event-selectors.ts';
import { publicIdPattern } from '../../../vocabulary/ids.ts';
import { type Operation, operation, streamedOperation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery, wholeList } from '../../paging.ts';
import { refusedAs } from '../schema/bounds.ts';
import { idParams, oneOf, pathId } from '../schema/conventions.ts';
import { eventDeliverySchema, eventSchema, presentEvent, presentEventDelivery } from './resource.ts';

const path = '/v2/events';
const read = 'events:read';

/** Its refusal is that of an event that is not there any more (event-feed.ts). */
const eventId = Type.String({
  pattern: publicIdPattern('event'),
  ...refusedAs('parameter_invalid', 'Last-Event-ID names no event. Begin a stream without it.'),
});
const type = Type.Optional(
  Type.Array(oneOf(EVENT_SELECTORS), { minItems: 1, maxItems: EVENT_SELECTORS.length }),
);

export const eventOperations: readonly Operation[] = [
  operation({
    id: 'list_events',
    summary: 'List events of the last 30 days',
    docs: { sent: { type: 'Kinds of events, or families such as sync_run.*.' } },
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object({
      ...pagingQuery,
      type,
    }),
    response: listOf(eventSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_events', path, request.query);
      const { caller, services } = request;
      const selectors = paging.filterList('type');
      const kinds = selectors === undefined ? null : kindsNamed(selectors);
      const page = await services.events.list(caller.accountRecord.id, kinds, paging.pageRequest);
      return paging.envelope(page, presentEvent);
    },
  }),
  streamedOperation({
    id: 'stream_events',
    summary: 'Receive events as they happen',
    docs: {
      description:
        'Server-sent events: each with its id, its type as `event`, and its body as `data`. Without `Last-Event-ID` the stream begins with what happens from now on. It ends when the key is no longer valid or the service stops; connect again with the id of the last event.',
      sent: {
        type: 'Kinds of events, or families such as sync_run.*.',
        last_event_id: 'The same as the header Last-Event-ID, for clients that cannot set it.',
      },
    },
    path: `${path}/stream`,
    scope: read,
    alsoScopes: [],
    tier: 'mid',
    longest: null,
    live: true,
    query: Type.Object({ type, last_event_id: Type.Optional(eventId) }),
    mediaTypes: ['text/event-stream'],
    errors: ['too_many_concurrent_requests'],
    handle: async ({ query, caller, services, lastEventId, header }) => {
      const owner = caller.accountRecord.id;
      const event = lastEventId ?? query.last_event_id;
      const behind = event === undefined ? null : { event };
      const kinds = query.type === undefined ? null : kindsNamed(query.type);
      header('cache-control', 'no-store');
      header('x-accel-buffering', 'no');
      return {
        mediaType: 'text/event-stream',
        fileName: null,
        text: async (signal) => eventStreamText(await services.eventFeed.open(owner, behind, kinds, signal)),
      };
    },
  }),
  operation({
    id: 'get_event',
    summary: 'Read an event',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('event'),
    response: eventSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentEvent(await services.events.read(caller.accountRecord.id, pathId('event', params.id))),
  }),
  operation({
    id: 'list_event_deliveries',
    summary: 'List what was sent of an event, and what is still to be, by event destination',
    method: 'GET',
    path: `${path}/:id/deliveries`,
    scope: read,
    tier: 'cheap',
    params: idParams('event'),
    response: listOf(eventDeliverySchema),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event', params.id);
      const found = await services.events.deliveries(caller.accountRecord.id, id);
      return wholeList(found.map(presentEventDelivery));
    },
  }),
  operation({
    id: 'redeliver_event',
    summary: 'Send an event again to the event destinations that subscribe to it',
    docs: {
      description:
        'To every enabled event destination that subscribes to it now, whether or not it has received it before.',
    },
    method: 'POST',
    path: `${path}/:id/redeliver`,
    scope: 'events:write',
    tier: 'mutating',
    params: idParams('event'),
    response: eventSchema,
    errors: ['resource_missing', 'no_subscribed_destination'],
    handle: async ({ params, caller, services }) =>
      presentEvent(await services.events.redeliver(caller.accountRecord.id, pathId('event', params.id))),
  }),
];

/** How long a client waits before it connects again. */
const RETRY_MS = 3_000;
/** A connection that is silent for longer is closed by many proxies. */
export const HEARTBEAT_MS = 15_000;

/**
 * A stream of events as server-sent events (HTML Living Standard, section 9.2), with a comment after each while in which
 * nothing happens. Closes the stream at its end.
 */
export async function* eventStreamText(stream: Pick<EventStream, 'next' | 'close'>): AsyncIterable<string> {
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    for (;;) {
      const events = await stream.next(HEARTBEAT_MS);
      if (events === null) return;
      yield events.length === 0 ? ':\n\n' : events.map(serverSent).join('');
    }
  } finally {
    stream.close();
  }
}

function serverSent(row: EventRow): string {
  const event = presentEvent(row);
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
