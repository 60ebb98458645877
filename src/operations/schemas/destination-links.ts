import { Type } from 'typebox';
import { DESTINATION_TYPES } from '../../vocabulary/destinations.ts';
import { DESTINATION_LINK_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, returnUrl, timestamp } from './conventions.ts';

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
