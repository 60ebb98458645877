import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { bodyOf } from './bodies.ts';
import type { Credentials } from './credentials.ts';
import { invalidValue, succeeded } from './errors.ts';

/** Who has grants: one person shares pages, so there is one bot. */
export const BOT_ID = '3f6d2b0a-1c9e-4b7d-9a53-6e0c8f417d21';
const WORKSPACE_ID = '5b8e1f40-7a2c-4d96-8c31-2f0e9d6b4a17';
const OWNER = {
  type: 'user',
  user: {
    object: 'user',
    id: '7f8d2c1e-5a4b-4c3d-8e9f-0a1b2c3d4e5f',
    name: 'Aroha Example',
    avatar_url: null,
    type: 'person',
    person: { email: 'aroha@example.test' },
  },
} as const;

/** The token endpoints: HTTP Basic and JSON. */
export class OAuthCalls {
  readonly #authorizationServer: AuthorizationServer;
  readonly #credentials: Credentials;

  constructor(authorizationServer: AuthorizationServer, credentials: Credentials) {
    this.#authorizationServer = authorizationServer;
    this.#credentials = credentials;
  }

  /** `POST /v1/oauth/token`: a new pair each time; a refresh token works once. */
  token(request: SimulatedRequest): Reply {
    const client = this.#credentials.requireClient(request);
    const body = bodyOf(request, ['grant_type', 'code', 'redirect_uri', 'refresh_token', 'external_account']);
    const fields = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, textAt(value, `body.${name}`)]),
    );
    const granted = this.#authorizationServer.token(fields, client);
    if (granted === 'invalid_client')
      throw new VendorError(401, 'invalid_client', 'The client is not known.');
    if (granted === 'invalid_grant')
      throw new VendorError(400, 'invalid_grant', 'Invalid code or refresh token.');
    if (typeof granted === 'string')
      throw invalidValue('body.grant_type', 'a known grant type', body.grant_type);
    return succeeded({
      access_token: granted.access,
      token_type: 'bearer',
      refresh_token: granted.refresh,
      bot_id: granted.subject,
      workspace_icon: null,
      workspace_name: 'Aroha’s Notion',
      workspace_id: WORKSPACE_ID,
      owner: OWNER,
      duplicated_template_id: null,
    });
  }

  /** `POST /v1/oauth/revoke` */
  revoke(request: SimulatedRequest): Reply {
    this.#authorizationServer.revoke(this.#tokenOf(request));
    return succeeded({});
  }

  /** `POST /v1/oauth/introspect` */
  introspect(request: SimulatedRequest): Reply {
    const active = this.#authorizationServer.subjectOf(`Bearer ${this.#tokenOf(request)}`) !== null;
    return succeeded({ active });
  }

  #tokenOf(request: SimulatedRequest): string {
    const client = this.#credentials.requireClient(request);
    // For an unknown grant type, the authorization server says whether it knows the client.
    if (this.#authorizationServer.token({}, client) === 'invalid_client')
      throw new VendorError(401, 'invalid_client', 'The client is not known.');
    return textAt(bodyOf(request, ['token']).token, 'body.token');
  }
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidValue(path, 'a string', value);
  return value;
}
