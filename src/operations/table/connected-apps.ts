import { Type } from 'typebox';
import { publicId } from '../../vocabulary/ids.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentConnectedApp } from '../presenters/connected-apps.ts';
import { connectedAppSchema } from '../schemas/connected-apps.ts';
import { deletedAnswer, deletedSchema } from '../schemas/conventions.ts';

const path = '/v2/connected_apps';
const scope = 'keys:write';

export const connectedAppOperations: readonly Operation[] = [
  operation({
    id: 'list_connected_apps',
    summary: 'List connected apps',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    params: none,
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(connectedAppSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const walk = new Walk(request, 'list_connected_apps', path, request.query);
      const page = await services.connectedApps.list(caller.accountRecord.id, walk.pageRequest);
      return walk.envelope(page, presentConnectedApp);
    },
  }),
  operation({
    id: 'get_connected_app',
    summary: 'Read a connected app',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('oauth_grant'),
    query: none,
    body: none,
    response: connectedAppSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentConnectedApp(
        await services.connectedApps.find(caller.accountRecord.id, pathId('oauth_grant', params.id)),
      ),
  }),
  operation({
    id: 'revoke_connected_app',
    summary: 'Disconnect an app; its tokens stop working at once, everywhere',
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'connected_app.revoked',
    params: idParams('oauth_grant'),
    query: none,
    body: none,
    response: deletedSchema('connected_app', 'oauth_grant'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('oauth_grant', params.id);
      await services.connectedApps.revoke(caller.accountRecord.id, id);
      return deletedAnswer(publicId('oauth_grant', id), 'connected_app');
    },
  }),
];
