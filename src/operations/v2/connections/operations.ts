import { Type } from 'typebox';
import { isProviderIdentifier } from '../../../vocabulary/provider-kinds.ts';
import { CONNECTION_STATUSES } from '../../../vocabulary/states.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { providerSchema } from '../institutions.ts';
import {
  linkSessionExample,
  linkSessionSchema,
  presentLinkSession,
  reauthorizeBody,
} from '../link-sessions.ts';
import { deletedAnswer, deletedSchema, idParams, oneOf, pathId } from '../schema/conventions.ts';
import { connectionExample, connectionSchema, presentConnection, updateConnectionBody } from './resource.ts';

const path = '/v2/connections';
const read = 'connections:read';
const write = 'connections:write';
const includes = ['accounts'];

export const connectionOperations: readonly Operation[] = [
  operation({
    id: 'list_connections',
    summary: 'List connections; revoked ones only when asked for by status',
    docs: {
      description: 'Revoked connections are listed only where `status[]=revoked` asks for them.',
    },
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object({
      ...pagingQuery,
      status: Type.Optional(Type.Array(oneOf(CONNECTION_STATUSES), { maxItems: CONNECTION_STATUSES.length })),
      provider: Type.Optional(providerSchema),
    }),
    includes,
    response: listOf(connectionSchema),
    handle: async (request) => {
      const { caller, services, include } = request;
      const paging = new ListRequest(request, 'list_connections', path, request.query);
      const statuses = new Set<string>(paging.filterList('status'));
      const provider = paging.filter('provider') ?? '';
      const page = await services.connections.list(
        caller.accountRecord.id,
        {
          statuses: CONNECTION_STATUSES.filter((status) => statuses.has(status)),
          provider: isProviderIdentifier(provider) ? provider : null,
        },
        paging.pageRequest,
      );
      return paging.envelope(page, (linked) => presentConnection(linked, services, include));
    },
  }),
  operation({
    id: 'get_connection',
    summary: 'Read a connection',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('connection'),
    includes,
    response: connectionSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services, include }) => {
      const linked = await services.connections.read(
        caller.accountRecord.id,
        pathId('connection', params.id),
      );
      return presentConnection(linked, services, include);
    },
  }),
  operation({
    id: 'update_connection',
    summary: "Change a connection's metadata, or settle its chosen_institution",
    docs: {
      description: 'A metadata key set to null is removed.',
      sent: { chosen_institution: 'Only null: the bank that was linked is the right one.' },
      body: { metadata: { household: 'Elm Street' } },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('connection'),
    body: updateConnectionBody,
    includes,
    response: connectionSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services, include }) => {
      const id = pathId('connection', params.id);
      const linked = await services.connections.update(caller.accountRecord.id, id, {
        metadata: body.metadata ?? {},
        settlesChoice: body.chosen_institution === null,
      });
      return presentConnection(linked, services, include);
    },
  }),
  operation({
    id: 'reauthorize_connection',
    summary: 'Start renewing a connection in place; send the person to the url of the answer',
    docs: {
      description:
        'The connection and its accounts keep their ids. Takes no connection slot. Without `return_url` the person is sent to the web application.',
      sent: { provider: "The connection's own, if it is named at all." },
      body: { return_url: 'https://app.invalid/renewed' },
      answer: { ...linkSessionExample, connection: connectionExample.id },
    },
    method: 'POST',
    path: `${path}/:id/reauthorize`,
    scope: write,
    tier: 'mutating',
    params: idParams('connection'),
    body: reauthorizeBody,
    response: linkSessionSchema,
    errors: [
      'resource_missing',
      'provider_mismatch',
      'not_supported',
      'subscription_required',
      'professional_required',
      'link_session_create_failed',
    ],
    handle: async ({ params, body, caller, services }) =>
      presentLinkSession(
        await services.linkSessions.reauthorize(caller.accountRecord.id, pathId('connection', params.id), {
          provider: body.provider ?? null,
          returnUrl: body.return_url ?? null,
          metadata: body.metadata ?? null,
          actor: caller,
        }),
      ),
  }),
  operation({
    id: 'delete_connection',
    summary: 'Revoke a connection: withdraw the consent, stop its syncs, delete the stored credentials',
    docs: {
      description:
        'Withdraws the consent at the provider, disables the syncs that read the connection and deletes the stored credentials. Data already delivered to destinations stays there.',
    },
    method: 'DELETE',
    // It waits for the bank to end the consent; revoking a revoked connection resumes where the last attempt stopped.
    effect: 'reaches_out',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'connection.deleted',
    params: idParams('connection'),
    response: deletedSchema('connection', 'connection'),
    errors: ['resource_missing', 'connection_delete_failed'],
    handle: async ({ params, caller, services, signal }) => {
      await services.connectionRevocation.revoke(
        caller.accountRecord.id,
        pathId('connection', params.id),
        caller,
        signal,
      );
      return deletedAnswer(params.id, 'connection');
    },
  }),
];
