import { Type } from 'typebox';
import { DIRECTLY_CREATED_TYPES } from '../../../vocabulary/destination-kinds.ts';
import { DESTINATION_RESOURCE_TYPES } from '../../../vocabulary/destinations.ts';
import { permitTargetChange } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery, wholeList } from '../../paging.ts';
import { deletedAnswer, deletedSchema, idParams, oneOf, pathId } from '../schema/conventions.ts';
import {
  configExample,
  createDestinationBody,
  createTargetBody,
  destinationExample,
  destinationResourceSchema,
  destinationSchema,
  madeExample,
  presentDestination,
  presentDestinationResource,
  SECRET,
  updateDestinationBody,
} from './resource.ts';

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
    query: Type.Object(pagingQuery),
    response: listOf(destinationSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_destinations', path, request.query);
      const { caller, services } = request;
      const page = await services.destinations.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presentDestination);
    },
  }),
  operation({
    id: 'create_destination',
    summary: 'Create a webhook, or connect a server of your own with a secret',
    docs: {
      description:
        'A webhook, or a type that connects with a secret. The other types are linked by a person, with a destination link.',
      sent: {
        type: `${DIRECTLY_CREATED_TYPES.slice(0, -1).join(', ')} or ${DIRECTLY_CREATED_TYPES.at(-1)}.`,
        name: 'Required for a webhook; otherwise the name of the server.',
        target: 'All keys of the type at once. Required for a webhook: its url.',
        secret: SECRET,
      },
      body: { type: 'webhook', name: 'Ledger service', target: { url: 'https://ledger.invalid/hooks/bank' } },
      answer: { ...destinationExample, config: configExample, sync_count: 0 },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'destination.created',
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
    docs: {
      sent: { secret: `${SECRET} Replaces the one before.` },
      description: 'A target makes a draft active. A metadata key set to null is removed.',
      body: { name: 'Ledger service, new' },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    freshSignIn: ['target', 'secret'],
    audit: 'destination.updated',
    params: idParams('destination'),
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
    docs: {
      description: 'Also deletes the syncs that wrote only to it. Delivered data stays where it is.',
    },
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'destination.deleted',
    params: idParams('destination'),
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
    docs: { answer: { ...destinationExample, config: configExample } },
    method: 'POST',
    path: `${path}/:id/rotate_secret`,
    scope: write,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'destination.secret_rotated',
    params: idParams('destination'),
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
    docs: {
      sent: {
        name: 'What to call it.',
        parent: "The vendor's id of what it is to lie in, for vendors that need one.",
        type: 'The type of the sync that is to write there: decides the columns.',
      },
      description:
        'For a linked destination without a target, at vendors that can make one; it is active afterwards. When the vendor did not answer, ask again: what it made is found, not made twice.',
      body: { name: 'My money' },
      answer: { ...destinationExample, ...madeExample, config: null, sync_count: 0 },
    },
    method: 'POST',
    path: `${path}/:id/create_target`,
    // What no one knows the end of stays recorded, and no transaction is open while the vendor makes it.
    effect: 'reaches_out',
    scope: write,
    tier: 'mutating',
    freshSignIn: true,
    audit: 'destination.target_created',
    params: idParams('destination'),
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
    docs: {
      sent: { type: 'What is listed.', parent: 'Id of their parent.' },
      description:
        'Live from the vendor. A kind that has a parent takes `parent`, which defaults to the current target.',
    },
    method: 'GET',
    path: `${path}/:id/resources`,
    scope: read,
    tier: 'mid',
    params: idParams('destination'),
    query: Type.Object({
      type: oneOf(DESTINATION_RESOURCE_TYPES),
      parent: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    }),
    response: listOf(destinationResourceSchema),
    errors: ['resource_missing', 'no_resources', 'not_supported', ...UPSTREAM_ERRORS],
    handle: async ({ params, query, caller, services, signal, header }) => {
      const { type, parent = null } = query;
      const id = pathId('destination', params.id);
      const asked = { type, parent };
      const found = await services.destinationResources.list(caller.accountRecord.id, id, asked, signal);
      if (found.truncated) header('X-Service-Truncated', 'true');
      return wholeList(found.items.map((item) => presentDestinationResource(item, found)));
    },
  }),
];
