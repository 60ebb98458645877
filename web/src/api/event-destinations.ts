import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  createEventDestinationBody,
  eventDestinationSchema,
  updateEventDestinationBody,
} from '../../../src/operations/v2/event-destinations/resource.ts';
import { ask } from './client.ts';
import type { ServiceEvent } from './event-feed.ts';
import { everyItem } from './lists.ts';

export type EventDestination = Static<typeof eventDestinationSchema>;

const PATH = 'event_destinations';

export const eventDestinations = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => everyItem<EventDestination>({ path: PATH, signal }),
});

export function eventDestination(id: string) {
  return queryOptions({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => ask<EventDestination>({ path: one(id), signal }),
  });
}

/** The answer has the signing secret, which nothing but the page that asked may hold. */
export function createEventDestination(
  body: Static<typeof createEventDestinationBody>,
): Promise<EventDestination> {
  return ask({ method: 'POST', path: PATH, body });
}

export function updateEventDestination(
  id: string,
  body: Static<typeof updateEventDestinationBody>,
): Promise<EventDestination> {
  return ask({ method: 'POST', path: one(id), body });
}

export function switchEventDestination(id: string, to: 'enable' | 'disable'): Promise<EventDestination> {
  return ask({ method: 'POST', path: `${one(id)}/${to}` });
}

/** The answer has the new signing secret. */
export function rotateEventDestinationSecret(id: string): Promise<EventDestination> {
  return ask({ method: 'POST', path: `${one(id)}/rotate_secret` });
}

export function pingEventDestination(id: string): Promise<ServiceEvent> {
  return ask({ method: 'POST', path: `${one(id)}/ping` });
}

export function deleteEventDestination(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: one(id) });
}

function one(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
