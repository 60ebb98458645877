import { type Static, Type } from 'typebox';
import type { ConnectedApp } from '../../features/oauth/connected-apps.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { OAUTH_SCOPE_NAMES } from '../../vocabulary/oauth-scopes.ts';
import { CONNECTED_APP_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './docs/examples.ts';
import {
  deletedAnswer,
  deletedSchema,
  idOf,
  idParams,
  livemode,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  pathId,
  resource,
  timestamp,
} from './schema/conventions.ts';

/** docs/oauth.md#connected-apps. */
export const connectedAppSchema = resource('connected_app', {
  id: idOf('oauth_grant'),
  object: Type.Literal('connected_app'),
  name: nullable(Type.String()),
  client_id: Type.String(),
  redirects_to: Type.String(),
  resource: Type.String(),
  scopes: Type.Array(oneOf(OAUTH_SCOPE_NAMES)),
  user: idOf('user'),
  status: oneOf(CONNECTED_APP_STATUSES),
  expires_at: timestamp,
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export function presentConnectedApp(app: ConnectedApp): Static<typeof connectedAppSchema> {
  return {
    id: publicId('oauth_grant', app.id),
    object: 'connected_app',
    name: app.client_name,
    client_id: app.client,
    redirects_to: app.redirect_to,
    resource: app.resource,
    scopes: app.scopes,
    user: publicId('user', app.user_id),
    status: app.status,
    expires_at: moment(app.expires_at),
    last_used_at: momentOrNull(app.last_used_at),
    revoked_at: momentOrNull(app.revoked_at),
    livemode: true,
    created: moment(app.created),
    updated: moment(app.updated),
  };
}

const appExample: Static<typeof connectedAppSchema> = {
  id: exampleId('oauth_grant'),
  object: 'connected_app',
  name: 'Claude',
  client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  redirects_to: 'claude.ai',
  resource: 'https://mcp.tributary.example/mcp',
  scopes: ['mcp:read', 'data:read'],
  user: exampleId('user'),
  status: 'active',
  expires_at: EXAMPLE_UPDATED,
  last_used_at: EXAMPLE_UPDATED,
  revoked_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const connectedAppsDocs: Readonly<Record<string, ResourceDocs>> = {
  connected_app: {
    description: 'What one app may do, because a person allowed it on the consent page.',
    fields: {
      name: 'What the app calls itself; it is not verified.',
      client_id:
        'Its OAuth client id: the https address of its metadata, or an id it was given when it registered.',
      redirects_to: 'The host, or the scheme of an app of the device, that the person was sent back to.',
      resource: 'The one API that its tokens open.',
      user: 'Who let it in.',
      expires_at: 'When the last of its tokens expires; each refresh moves it on.',
      last_used_at: 'When it last used a token, to within seconds.',
    },
    example: appExample,
  },
};

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
    query: Type.Object(pagingQuery),
    response: listOf(connectedAppSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_connected_apps', path, request.query);
      const page = await services.connectedApps.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presentConnectedApp);
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
    docs: {
      description: 'Other apps and API keys go on. A disconnected app stays listed for a while.',
    },
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'connected_app.revoked',
    params: idParams('oauth_grant'),
    response: deletedSchema('connected_app', 'oauth_grant'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('oauth_grant', params.id);
      await services.connectedApps.revoke(caller.accountRecord.id, id);
      return deletedAnswer(publicId('oauth_grant', id), 'connected_app');
    },
  }),
];
