import type { Static } from 'typebox';
import type { ConnectedApp } from '../../features/oauth/connected-apps.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { connectedAppSchema } from '../schemas/connected-apps.ts';
import { moment, momentOrNull } from './moments.ts';

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
