import { Type } from 'typebox';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { eventSchema, presentEvent } from '../events/resource.ts';
import { deletedAnswer, deletedSchema, idParams, pathId } from '../schema/conventions.ts';
import {
  createEventDestinationBody,
  eventDestinationExample,
  eventDestinationSchema,
  pingExample,
  presentEventDestination,
  updateEventDestinationBody,
  urlExample,
  withSecretExample,
} from './resource.ts';

const path = '/v2/event_destinations';
const read = 'events:read';
const write = 'events:write';

/** What changes one event destination without a body. */
const change = {
  method: 'POST',
  scope: write,
  tier: 'mutating',
  params: idParams('event_destination'),
  response: eventDestinationSchema,
} as const;

export const eventDestinationOperations: readonly Operation[] = [
  operation({
    id: 'list_event_destinations',
    summary: 'List event destinations',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object(pagingQuery),
    response: listOf(eventDestinationSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_event_destinations', path, request.query);
      const { caller, services } = request;
      const page = await services.eventDestinations.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presentEventDestination);
    },
  }),
  operation({
    id: 'create_event_destination',
    summary: 'Subscribe an address to events; its signing secret is shown once',
    docs: {
      description: 'The address must be public and use HTTPS on port 443. An account has at most 10.',
      body: {
        name: eventDestinationExample.name,
        webhook_endpoint: { url: urlExample },
        enabled_events: eventDestinationExample.enabled_events,
      },
      answer: withSecretExample,
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'event_destination.created',
    body: createEventDestinationBody,
    response: eventDestinationSchema,
    errors: ['event_destination_limit_reached', 'event_destination_create_failed'],
    handle: async ({ body, caller, services }) => {
      const { name, webhook_endpoint, enabled_events, metadata = null } = body;
      return presentEventDestination(
        await services.eventDestinations.create(caller.accountRecord.id, {
          name,
          url: webhook_endpoint.url,
          enabledEvents: enabled_events,
          metadata,
        }),
      );
    },
  }),
  operation({
    id: 'get_event_destination',
    summary: 'Read an event destination',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('event_destination'),
    response: eventDestinationSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      return presentEventDestination(await services.eventDestinations.read(caller.accountRecord.id, id));
    },
  }),
  operation({
    id: 'update_event_destination',
    summary: "Change an event destination's name, address, subscriptions or metadata",
    docs: {
      description: 'What waits to be sent goes to the new address. A metadata key set to null is removed.',
      body: { enabled_events: ['*'] },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    freshSignIn: ['webhook_endpoint'],
    audit: 'event_destination.updated',
    params: idParams('event_destination'),
    body: updateEventDestinationBody,
    response: eventDestinationSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services }) => {
      const { webhook_endpoint, enabled_events, ...patch } = body;
      const id = pathId('event_destination', params.id);
      return presentEventDestination(
        await services.eventDestinations.update(caller.accountRecord.id, id, {
          ...patch,
          ...(webhook_endpoint && { url: webhook_endpoint.url }),
          ...(enabled_events && { enabledEvents: enabled_events }),
        }),
      );
    },
  }),
  operation({
    id: 'delete_event_destination',
    summary: 'Delete an event destination; nothing more is sent to it',
    docs: { description: 'What waits to be sent is not sent any more.' },
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'event_destination.deleted',
    params: idParams('event_destination'),
    response: deletedSchema('event_destination', 'event_destination'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      await services.eventDestinations.delete(caller.accountRecord.id, id);
      return deletedAnswer(params.id, 'event_destination');
    },
  }),
  operation({
    ...change,
    id: 'enable_event_destination',
    summary: 'Enable an event destination; what waited is sent',
    docs: { description: 'Forgets earlier failures, and sends what waited.' },
    path: `${path}/:id/enable`,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      return presentEventDestination(await services.eventDestinations.enable(caller.accountRecord.id, id));
    },
  }),
  operation({
    ...change,
    id: 'disable_event_destination',
    summary: 'Disable an event destination until it is enabled again',
    docs: {
      description:
        'What waits to be sent waits until it is enabled; what happens until then is not sent to it.',
      answer: { ...eventDestinationExample, status: 'disabled', disabled_reason: 'owner' },
    },
    path: `${path}/:id/disable`,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      return presentEventDestination(await services.eventDestinations.disable(caller.accountRecord.id, id));
    },
  }),
  operation({
    ...change,
    id: 'rotate_event_destination_secret',
    summary: 'Replace the signing secret of an event destination; for a day both sign',
    docs: { answer: withSecretExample },
    path: `${path}/:id/rotate_secret`,
    answersSecret: true,
    freshSignIn: true,
    audit: 'event_destination.secret_rotated',
    errors: ['resource_missing', 'event_destination_rotate_failed'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      return presentEventDestination(
        await services.eventDestinations.rotateSecret(caller.accountRecord.id, id),
      );
    },
  }),
  operation({
    ...change,
    id: 'ping_event_destination',
    summary: 'Send an event to one event destination, to see whether it arrives',
    docs: {
      description: 'Answers with the event, so that the receiver can be asked whether it came.',
      answer: pingExample,
    },
    path: `${path}/:id/ping`,
    response: eventSchema,
    errors: ['resource_missing', 'destination_disabled', 'ping_failed'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('event_destination', params.id);
      return presentEvent(await services.eventDestinations.ping(caller.accountRecord.id, id));
    },
  }),
];
