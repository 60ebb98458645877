import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { OAuthPages } from '../shared/oauth-pages.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { Api } from './api.ts';
import { ynabError } from './errors.ts';
import type { RegisterPages } from './pages.ts';
import type { Settings } from './settings.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly kind: 'api' | 'token' | 'page';
  readonly handle: (request: SimulatedRequest) => Reply;
}

interface RouteParts {
  readonly api: Api;
  readonly authorizationServer: AuthorizationServer;
  readonly oauth: OAuthPages;
  readonly pages: RegisterPages;
  readonly settings: Settings;
  /** Counts a call of a user; false if none is left. */
  readonly count: (user: string) => boolean;
}

export function routesOf(parts: RouteParts): readonly Route[] {
  const { api, oauth, pages, authorizationServer } = parts;
  const page = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path,
    kind: 'page',
    handle,
  });
  const call = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path: `/v1${path}`,
    kind: 'api',
    handle: (request) => {
      admit(parts, request);
      return handle(request);
    },
  });
  return [
    page('GET', '/', () => pages.plans()),
    page('GET', '/plans/:plan/accounts/:account', (request) => pages.register(request)),
    page('GET', '/oauth/authorize', (request) => oauth.start(request)),
    page('POST', '/oauth/:id/complete', (request) => oauth.complete(request)),
    {
      method: 'POST',
      path: '/oauth/token',
      kind: 'token',
      handle: (request) => tokens(authorizationServer, request),
    },
    call('GET', '/user', () => api.user()),
    call('GET', '/plans', (request) => api.plans(request)),
    call('GET', '/plans/:plan/settings', (request) => api.settings(request)),
    call('GET', '/plans/:plan/accounts', (request) => api.accounts(request)),
    call('POST', '/plans/:plan/accounts', (request) => api.createAccount(request)),
    call('GET', '/plans/:plan/accounts/:account', (request) => api.account(request)),
    call('GET', '/plans/:plan/accounts/:account/transactions', (request) => api.accountTransactions(request)),
    call('GET', '/plans/:plan/categories', (request) => api.categories(request)),
    call('GET', '/plans/:plan/transactions', (request) => api.transactions(request)),
    call('POST', '/plans/:plan/transactions', (request) => api.create(request)),
    call('PATCH', '/plans/:plan/transactions', (request) => api.update(request)),
    call('GET', '/plans/:plan/transactions/:transaction', (request) => api.transaction(request)),
    call('DELETE', '/plans/:plan/transactions/:transaction', (request) => api.remove(request)),
  ];
}

function admit({ authorizationServer, settings, count }: RouteParts, { headers }: SimulatedRequest): void {
  const user = authorizationServer.subjectOf(headers.authorization);
  if (user === null) throw ynabError('not_authorized', 'Unauthorized');
  if (!count(user)) throw ynabError('too_many_requests', 'Too many requests');
  if (settings.refusal !== null) throw ynabError(settings.refusal, 'The request is not allowed');
}

/** Form or JSON. */
function tokens(authorizationServer: AuthorizationServer, { body, headers }: SimulatedRequest): Reply {
  const fields = /json/.test(headers['content-type'] ?? '')
    ? fieldsOf(body)
    : Object.fromEntries(new URLSearchParams(body));
  const given = authorizationServer.token(fields, headers.authorization);
  if (typeof given === 'string')
    throw new VendorError(given === 'invalid_client' ? 401 : 400, given, REASONS[given]);
  const { access, refresh, expiresIn } = given;
  return json(200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refresh,
    scope: 'public',
  });
}

const REASONS = {
  invalid_client: 'Client authentication failed.',
  invalid_grant: 'The authorization grant is invalid, expired, revoked or was issued to another client.',
  unsupported_grant_type: 'The authorization grant type is not supported.',
} as const;

function fieldsOf(body: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null
      ? Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
      : {};
  } catch {
    return {};
  }
}
