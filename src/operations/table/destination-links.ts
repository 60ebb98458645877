import { permitTargetChange } from '../brokerage-access.ts';
import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentDestinationLink } from '../presenters/destination-links.ts';
import { createDestinationLinkBody, destinationLinkSchema } from '../schemas/destination-links.ts';

const path = '/v2/destination_links';
const write = 'destinations:write';

export const destinationLinkOperations: readonly Operation[] = [
  operation({
    id: 'create_destination_link',
    summary: 'Start connecting a destination, or connecting one again; send the person to url',
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    freshSignIn: true,
    audit: 'destination_link.created',
    params: none,
    query: none,
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
    query: none,
    body: none,
    response: destinationLinkSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('destination_link', params.id);
      return presentDestinationLink(await services.destinationLinks.read(caller.accountRecord.id, id));
    },
  }),
];
