import { type Static, Type } from 'typebox';
import type { OpenedDestinationLink } from '../../features/destinations/destination-links.ts';
import { DESTINATION_TYPES } from '../../vocabulary/destination-kinds.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { DESTINATION_LINK_STATUSES } from '../../vocabulary/states.ts';
import { permitTargetChange } from '../admit.ts';
import { type Operation, operation } from '../operation.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, exampleId } from './docs/examples.ts';
import {
  fieldId,
  idOf,
  idParams,
  livemode,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  pathId,
  resource,
  returnUrl,
  timestamp,
} from './schema/conventions.ts';

/** docs/resources.md#destination-link, with the fields of a link session. */
export const destinationLinkSchema = resource('destination_link', {
  id: idOf('destination_link'),
  object: Type.Literal('destination_link'),
  type: oneOf(DESTINATION_TYPES),
  status: oneOf(DESTINATION_LINK_STATUSES),
  url: Type.String(),
  destination: nullable(idOf('destination')),
  return_url: Type.String(),
  failure_reason: nullable(Type.String()),
  expires_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const createDestinationLinkBody = Type.Object({
  type: oneOf(DESTINATION_TYPES),
  return_url: returnUrl,
  destination: Type.Optional(nullable(idOf('destination'))),
});

/** `destination` is the link's result: `null` until it is completed, also for a link that connects one again. */
export function presentDestinationLink({
  row,
  status,
  url,
}: OpenedDestinationLink): Static<typeof destinationLinkSchema> {
  return {
    id: publicId('destination_link', row.id),
    object: 'destination_link',
    type: row.type,
    status,
    url,
    destination: row.destination === null ? null : publicId('destination', row.destination),
    return_url: row.return_url,
    failure_reason: row.failure_reason,
    expires_at: moment(row.expires_at),
    completed_at: momentOrNull(row.completed_at),
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

const linkExample: Static<typeof destinationLinkSchema> = {
  id: exampleId('destination_link'),
  object: 'destination_link',
  type: 'sheets',
  status: 'pending',
  url: 'https://hub.invalid/destination-link/EXAMPLE',
  destination: null,
  return_url: 'https://app.invalid/connected',
  failure_reason: null,
  expires_at: '2026-11-02T03:44:15.926Z',
  completed_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const destinationLinksDocs: Readonly<Record<string, ResourceDocs>> = {
  destination_link: {
    description: "One person's authorisation at a vendor's sign-in. It lives 30 minutes.",
    fields: {
      url: 'The hosted page to send the person to.',
      destination: 'Once completed: the draft destination, which needs a target, or the one linked again.',
      return_url: 'Where the person is sent afterwards.',
      failure_reason: 'Why it failed, once it has.',
    },
    example: linkExample,
  },
};

const path = '/v2/destination_links';
const write = 'destinations:write';

export const destinationLinkOperations: readonly Operation[] = [
  operation({
    id: 'create_destination_link',
    summary: 'Start connecting a destination, or connecting one again; send the person to url',
    docs: {
      description: 'With `destination`, that one is linked again. A webhook is created directly instead.',
      body: { type: 'sheets', return_url: 'https://app.invalid/connected' },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    freshSignIn: true,
    audit: 'destination_link.created',
    body: createDestinationLinkBody,
    response: destinationLinkSchema,
    errors: ['resource_missing', 'not_supported', 'destination_link_create_failed'],
    handle: async ({ body, caller, services }) => {
      const { type, return_url: returnUrl } = body;
      const destination =
        body.destination == null ? null : fieldId('destination', body.destination, 'destination');
      // The person who opens the link connects a place of their own.
      if (destination !== null) await permitTargetChange({ caller, services }, destination);
      const link = await services.destinationLinks.create(caller.accountRecord.id, {
        type,
        returnUrl,
        destination,
      });
      return presentDestinationLink(link);
    },
  }),
  operation({
    id: 'get_destination_link',
    summary: 'Read a destination link; once completed it carries its destination',
    method: 'GET',
    path: `${path}/:id`,
    scope: write,
    tier: 'cheap',
    params: idParams('destination_link'),
    response: destinationLinkSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('destination_link', params.id);
      return presentDestinationLink(await services.destinationLinks.read(caller.accountRecord.id, id));
    },
  }),
];
