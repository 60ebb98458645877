import { Type } from 'typebox';
import { OAUTH_SCOPE_NAMES } from '../../vocabulary/oauth-scopes.ts';
import { CONNECTED_APP_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';

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
