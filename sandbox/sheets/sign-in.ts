import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';

export const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file';

/** Google's token endpoint. Refresh tokens do not rotate, and a renewal returns none. */
export class GoogleSignIn {
  readonly #authorizationServer: AuthorizationServer;
  /** What people granted: empty if they unticked it. */
  scope = DRIVE_FILE;

  constructor(authorizationServer: AuthorizationServer) {
    this.#authorizationServer = authorizationServer;
  }

  /** `POST /token` */
  token({ body, headers }: SimulatedRequest): Reply {
    const fields = Object.fromEntries(new URLSearchParams(body));
    const answer = this.#authorizationServer.token(fields, headers.authorization);
    if (answer === 'invalid_client') throw new VendorError(401, answer, 'The OAuth client was not found.');
    if (answer === 'invalid_grant') throw new VendorError(400, answer, 'Token has been expired or revoked.');
    if (typeof answer === 'string')
      throw new VendorError(400, answer, `Invalid grant_type: ${fields.grant_type ?? ''}`);
    const { access, refresh, expiresIn } = answer;
    const first = fields.grant_type === 'authorization_code' ? { refresh_token: refresh } : {};
    return json(200, {
      access_token: access,
      expires_in: expiresIn,
      scope: this.scope,
      token_type: 'Bearer',
      ...first,
    });
  }

  /** `POST /revoke` */
  revoke({ body, query }: SimulatedRequest): Reply {
    const token = new URLSearchParams(body).get('token') ?? query.get('token') ?? '';
    if (!this.#authorizationServer.revoke(token))
      throw new VendorError(400, 'invalid_token', 'Token expired or revoked');
    return json(200, {});
  }
}
