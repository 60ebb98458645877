import type { Static } from 'typebox';
import type { connectedAppSchema } from '../schemas/connected-apps.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const app: Static<typeof connectedAppSchema> = {
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

export const connectedAppsNoun: Noun = {
  tag: 'connected_apps',
  description: 'Apps and agents that a person has let in by OAuth.',
  resources: {
    connected_app: {
      description: 'What one app may do, because a person allowed it on the consent page.',
      fields: {
        name: 'What the app calls itself; nobody has checked it.',
        client_id:
          'Its OAuth client id: the https address of its metadata, or an id it was given when it registered.',
        redirects_to: 'The host, or the scheme of an app of the device, that the person was sent back to.',
        resource: 'The one API that its tokens open.',
        user: 'Who let it in.',
        expires_at: 'When the last of its tokens expires; each refresh moves it on.',
        last_used_at: 'When it last used a token, to within seconds.',
      },
      example: app,
    },
  },
  operations: {
    revoke_connected_app: {
      description: 'Other apps and API keys go on. A disconnected app stays listed for a while.',
    },
  },
};
