import { Type } from 'typebox';
import { DESTINATION_RESOURCE_TYPES } from '../../vocabulary/destinations.ts';
import { permitTargetChange } from '../brokerage-access.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentDestination, presentDestinationResource } from '../presenters/destinations.ts';
import { deletedAnswer, deletedSchema, oneOf } from '../schemas/conventions.ts';
import {
  createDestinationBody,
  createTargetBody,
  destinationResourceSchema,
  destinationSchema,
  updateDestinationBody,
} from '../schemas/destinations.ts';

const path = '/v2/destinations';
const read = 'destinations:read';
const write = 'destinations:write';
/** What a service that receives data can answer when it is asked what there is. */
const UPSTREAM_ERRORS = [
  'upstream_auth_failed',
  'upstream_bad_request',
  'upstream_failed',
  'upstream_rate_limited',
  'upstream_timeout',
  'upstream_unavailable',
] as const;
/** What trying a secret or a target can end with. */
export const TRYING_ERRORS = ['not_supported', 'too_many_concurrent_requests', ...UPSTREAM_ERRORS] as const;

export const destinationOperations: readonly Operation[] = [
  operation({
    id: 'list_destinations',
    summary: 'List destinations',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    params: none,
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(destinationSchema),
    handle: async (request) => {
      const walk = new Walk(request, 'list_destinations', path, request.query);
      const { caller, services } = request;
      const page = await services.destinations.list(caller.accountRecord.id, walk.pageRequest);
      return walk.envelope(page, presentDestination);
    },
  }),
  operation({
    id: 'create_destination',
    summary: 'Create a webhook, or connect a server of your own with a secret',
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'destination.created',
    params: none,
    query: none,
    body: createDestinationBody,
    response: destinationSchema,
    errors: ['destination_exists', 'destination_create_failed', 'parameter_missing', ...TRYING_ERRORS],
    handle: async ({ body, caller, services, signal }) => {
      const { type, name = null, target = null, secret, metadata = null } = body;
      const owner = caller.accountRecord.id;
      const signedIn = await services.destinationSignIns.check(owner, type, secret, signal);
      return presentDestination(
        await services.destinations.create(owner, { type, name, target, signedIn, metadata }, signal),
      );
    },
  }),
  operation({
    id: 'get_destination',
    summary: 'Read a destination',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('destination'),
    query: none,
    body: none,
    response: destinationSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('destination', params.id);
      return presentDestination(await services.destinations.read(caller.accountRecord.id, id));
    },
  }),
  operation({
    id: 'update_destination',
    summary: "Change a destination's name, target, secret or metadata; a target makes a draft active",
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    freshSignIn: ['target', 'secret'],
    audit: 'destination.updated',
    params: idParams('destination'),
    query: none,
    body: updateDestinationBody,
    response: destinationSchema,
    errors: [
      'resource_missing',
      'parameter_missing',
      'destination_exists',
      'destination_in_use',
      ...TRYING_ERRORS,
    ],
    handle: async ({ params, body, caller, services, signal }) => {
      const id = pathId('destination', params.id);
      const { secret, ...patch } = body;
      const owner = caller.accountRecord.id;
      if (secret !== undefined || patch.target !== undefined) {
        await permitTargetChange({ caller, services }, id);
      }
      if (secret === undefined)
        return presentDestination(await services.destinations.update(owner, id, patch, signal));
      const signedIn = await services.destinationSignIns.checkAgain(owner, id, secret, signal);
      return presentDestination(
        await services.destinations.update(
          owner,
          id,
          { ...patch, ...(signedIn !== null && { signedIn }) },
          signal,
        ),
      );
    },
  }),
  operation({
    id: 'delete_destination',
    summary: 'Delete a destination and the syncs that write to it',
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'destination.deleted',
    params: idParams('destination'),
    query: none,
    body: none,
    response: deletedSchema('destination', 'destination'),
    errors: ['resource_missing', 'destination_in_use'],
    handle: async ({ params, caller, services }) => {
      await services.destinations.delete(caller.accountRecord.id, pathId('destination', params.id));
      return deletedAnswer(params.id, 'destination');
    },
  }),
  operation({
    id: 'rotate_destination_secret',
    summary: "Replace a webhook's signing secret; for a day both sign",
    method: 'POST',
    path: `${path}/:id/rotate_secret`,
    scope: write,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'destination.secret_rotated',
    params: idParams('destination'),
    query: none,
    body: none,
    response: destinationSchema,
    errors: ['resource_missing', 'not_a_webhook', 'destination_rotate_failed'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('destination', params.id);
      return presentDestination(await services.destinations.rotateSecret(caller.accountRecord.id, id));
    },
  }),
  operation({
    id: 'enable_destination',
    summary: 'Enable a webhook that was disabled because its deliveries failed',
    method: 'POST',
    path: `${path}/:id/enable`,
    scope: write,
    tier: 'mutating',
    params: idParams('destination'),
    query: none,
    body: none,
    response: destinationSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('destination', params.id);
      return presentDestination(await services.destinations.enable(caller.accountRecord.id, id));
    },
  }),
  operation({
    id: 'create_destination_target',
    summary: 'Make a spreadsheet, database or table for a draft destination, and aim it there',
    method: 'POST',
    path: `${path}/:id/create_target`,
    // What nobody knows the end of stays recorded, and no transaction is open while the vendor makes it.
    effect: 'reaches_out',
    scope: write,
    tier: 'mutating',
    freshSignIn: true,
    audit: 'destination.target_created',
    params: idParams('destination'),
    query: none,
    body: createTargetBody,
    response: destinationSchema,
    errors: ['resource_missing', 'not_supported', 'destination_in_use', ...UPSTREAM_ERRORS],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('destination', params.id);
      const { id: owner } = caller.accountRecord;
      const { name, parent = null, type = 'transactions' } = body;
      const wanted = { name, parent, type, mappingMode: 'bulk', accounts: [] } as const;
      await services.destinationCreations.create(owner, id, wanted);
      return presentDestination(await services.destinations.read(owner, id));
    },
  }),
  operation({
    id: 'list_destination_resources',
    summary: 'List the possible targets of a destination; a webhook has none to choose from',
    method: 'GET',
    path: `${path}/:id/resources`,
    scope: read,
    tier: 'mid',
    params: idParams('destination'),
    query: Type.Object({
      type: oneOf(DESTINATION_RESOURCE_TYPES),
      parent: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    }),
    body: none,
    response: listOf(destinationResourceSchema),
    errors: ['resource_missing', 'no_resources', 'not_supported', ...UPSTREAM_ERRORS],
    handle: async ({ params, query, caller, services, signal, header }) => {
      const { type, parent = null } = query;
      const id = pathId('destination', params.id);
      const asked = { type, parent };
      const found = await services.destinationResources.list(caller.accountRecord.id, id, asked, signal);
      if (found.truncated) header('X-Service-Truncated', 'true');
      return {
        object: 'list' as const,
        data: found.items.map((item) => presentDestinationResource(item, found)),
        next_page_url: null,
        previous_page_url: null,
      };
    },
  }),
];
