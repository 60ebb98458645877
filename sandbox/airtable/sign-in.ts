import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { page } from '../shared/html.ts';
import type { OAuthPages } from '../shared/oauth-pages.ts';
import { htmlReply, json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';

/** The person whose grants these are. */
export const PERSON = 'usrSandboxPerson1';
export const SCOPES = [
  'data.records:read',
  'data.records:write',
  'schema.bases:read',
  'schema.bases:write',
] as const;
const REFRESH_SECONDS = 60 * 24 * 3600;
const NO_STORE = { 'cache-control': 'no-store' };

/** The vendor's sign-in: PKCE, and refresh tokens that work once. */
export class SignIn {
  readonly #authorizationServer: AuthorizationServer;
  readonly #pages: OAuthPages;
  /** Refresh tokens that were used after they were no longer valid. */
  refusedRenewals = 0;

  constructor(authorizationServer: AuthorizationServer, pages: OAuthPages) {
    this.#authorizationServer = authorizationServer;
    this.#pages = pages;
  }

  /** `GET /oauth2/v1/authorize` */
  authorize(request: SimulatedRequest): Reply {
    const problem = problemOf(request.query);
    return problem === null
      ? this.#pages.start(request)
      : htmlReply(400, page('This link does not work', `<p>${problem}</p>`));
  }

  /** `POST /oauth2/v1/token`: an integration with a secret authenticates in the header. */
  token({ headers, body }: SimulatedRequest): Reply {
    if (!/^application\/x-www-form-urlencoded\b/.test(headers['content-type'] ?? ''))
      throw new VendorError(400, 'invalid_request', 'Send application/x-www-form-urlencoded.');
    const { authorization } = headers;
    if (authorization === undefined) throw new VendorError(401, 'invalid_client', 'The client is not known.');
    const fields = Object.fromEntries(new URLSearchParams(body));
    const granted = this.#authorizationServer.token(fields, authorization);
    if (typeof granted === 'string') {
      if (fields.grant_type === 'refresh_token' && granted === 'invalid_grant') this.refusedRenewals += 1;
      throw new VendorError(granted === 'invalid_client' ? 401 : 400, granted, 'The token was not granted.');
    }
    const answer = json(200, {
      access_token: granted.access,
      refresh_token: granted.refresh,
      token_type: 'Bearer',
      scope: SCOPES.join(' '),
      expires_in: granted.expiresIn,
      refresh_expires_in: REFRESH_SECONDS,
    });
    return { ...answer, headers: { ...answer.headers, ...NO_STORE } };
  }
}

function problemOf(query: URLSearchParams): string | null {
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  const known: ReadonlySet<string> = new Set(SCOPES);
  if (scopes.length === 0 || scopes.some((scope) => !known.has(scope)))
    return 'The application asked for a scope that it is not registered for.';
  if ((query.get('state') ?? '').length < 16)
    return 'The application sent no state, or one that is too short.';
  const address = URL.parse(query.get('redirect_uri') ?? '');
  const isLocal = address !== null && ['localhost', '127.0.0.1'].includes(address.hostname);
  if (address !== null && address.protocol !== 'https:' && !isLocal)
    return 'The address to return to must be https.';
  return null;
}
