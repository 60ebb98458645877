import { Type } from 'typebox';
import { DESTINATION_TYPES } from '../../vocabulary/destinations.ts';
import { DESTINATION_LINK_STATUSES } from '../../vocabulary/states.ts';
import { livemode, nullable, oneOf, resource, text, timestamp } from './conventions.ts';

/** docs/resources.md#destination-link, with the fields of a link session. */
export const destinationLinkSchema = resource('destination_link', {
  id: Type.String(),
  object: Type.Literal('destination_link'),
  type: oneOf(DESTINATION_TYPES),
  status: oneOf(DESTINATION_LINK_STATUSES),
  url: Type.String(),
  destination: nullable(Type.String()),
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
  /** Longer than allowed, so that the refusal can say what is wrong with a URL in a message of its own. */
  return_url: text(4096),
  destination: Type.Optional(nullable(text(300))),
});
