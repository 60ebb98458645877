import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  createDestinationBody,
  createTargetBody,
  destinationSchema,
  updateDestinationBody,
} from '../../../src/operations/v2/destinations/resource.ts';
import { ask } from './client.ts';
import { everyItem } from './lists.ts';

export type Destination = Static<typeof destinationSchema>;

const pathOf = (id: string) => `destinations/${encodeURIComponent(id)}`;

export const destinations = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => everyItem<Destination>({ path: 'destinations', signal }),
});

export function destination(id: string) {
  return queryOptions({
    queryKey: ['destinations', id],
    queryFn: ({ signal }) => ask<Destination>({ path: pathOf(id), signal }),
  });
}

/** A webhook's answer has its signing secret in `config`, this once. */
export function createDestination(body: Static<typeof createDestinationBody>): Promise<Destination> {
  return ask({ method: 'POST', path: 'destinations', body });
}

export function updateDestination(
  id: string,
  body: Static<typeof updateDestinationBody>,
): Promise<Destination> {
  return ask({ method: 'POST', path: pathOf(id), body });
}

/** Makes a spreadsheet, database or table at the vendor. Asked again after a failure, it finds what was made before. */
export function createTarget(id: string, body: Static<typeof createTargetBody>): Promise<Destination> {
  return ask({ method: 'POST', path: `${pathOf(id)}/create_target`, body });
}

/** The answer has the new signing secret in `config`, this once. */
export function rotateDestinationSecret(id: string): Promise<Destination> {
  return ask({ method: 'POST', path: `${pathOf(id)}/rotate_secret` });
}

export function enableDestination(id: string): Promise<Destination> {
  return ask({ method: 'POST', path: `${pathOf(id)}/enable` });
}

export function deleteDestination(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: pathOf(id) });
}
