import type { Reply } from '../shared/reply.ts';
import type { RoutePath } from '../shared/router.ts';
import { notFound, vendorErrorOf } from '../shared/vendor-error.ts';
import type { SimulatedVendor } from '../shared/vendor-http.ts';
import { listAccounts } from './accounts.ts';
import type { AuthSessions } from './auth-session.ts';
import type { Balances } from './balances.ts';
import type { Consents } from './consents.ts';
import type { DataFreshness } from './data-freshness.ts';
import type { EndUsers } from './end-users.ts';
import { type ErrorBody, errorReply } from './errors.ts';
import { type Institutions, logoSvg } from './institutions.ts';
import type { ConsentPages } from './pages.ts';
import { type ApiVersion, type VendorRequest, versionOf } from './request.ts';
import type { SharedAccounts } from './shared-accounts.ts';
import type { Tokens } from './token.ts';
import type { Transactions } from './transactions.ts';

type Parts = {
  readonly tokens: Tokens;
  readonly users: EndUsers;
  readonly sessions: AuthSessions;
  readonly pages: ConsentPages;
  readonly institutions: Institutions;
  readonly consents: Consents;
  readonly freshness: DataFreshness;
  readonly shared: SharedAccounts;
  readonly balances: Balances;
  readonly transactions: Transactions;
};

type Route = RoutePath & {
  /** `page` routes are for browsers: no token, no version. */
  readonly kind: ErrorBody | 'page';
  /** False for the token call itself and for pages. */
  readonly token: boolean;
  readonly handle: (request: VendorRequest, baseUrl: string) => Reply;
};

function api(method: string, path: string, kind: ErrorBody, handle: Route['handle'], token = true): Route {
  return { method, path, kind, token, handle };
}

function forBrowser(method: string, path: string, handle: Route['handle']): Route {
  return { method, path, kind: 'page', token: false, handle };
}

/** Everything the simulator answers, as data. */
export function routesOf(parts: Parts): readonly Route[] {
  const {
    tokens,
    users,
    sessions,
    pages,
    institutions,
    consents,
    freshness,
    shared,
    balances,
    transactions,
  } = parts;
  return [
    api('POST', '/v1/token', 'framework', (request) => tokens.issue(request), false),
    api('POST', '/v1/end-users', 'framework', (request) => users.create(request)),
    api('GET', '/v1/end-users', 'framework', (request, base) => users.list(request, base)),
    api('GET', '/v1/end-users/:id', 'framework', (request) => users.read(request)),
    api('POST', '/v1/end-users/:id', 'framework', (request) => users.update(request)),
    api('DELETE', '/v1/end-users/:id', 'framework', (request) => users.remove(request)),
    api('POST', '/v1/auth/session', 'framework', (request) => sessions.create(request)),
    api('GET', '/v1/institutions', 'data', (request) => institutions.list(request)),
    api('GET', '/v1/institutions/:id', 'data', (request) => institutions.read(request)),
    api('GET', '/v1/consent', 'data', (request, base) => consents.list(request, base)),
    api('DELETE', '/v1/consent/:id', 'data', (request) => consents.remove(request)),
    api('GET', '/v1/data-freshness', 'data', (request, base) => freshness.list(request, base)),
    api('GET', '/v1/banking/accounts', 'data', (request, base) => listAccounts(shared, request, base)),
    api('GET', '/v1/banking/balances', 'data', (request, base) => balances.list(request, base)),
    api('GET', '/v1/banking/transactions', 'data', (request, base) => transactions.list(request, base)),
    api('POST', '/v1/banking/transactions/category', 'data', (request) => transactions.correct(request)),
    forBrowser('GET', '/link/:session', (request) => pages.start(request)),
    forBrowser('POST', '/link/:session/institution', (request) => pages.institution(request)),
    forBrowser('POST', '/link/:session/login', (request) => pages.login(request)),
    forBrowser('POST', '/link/:session/complete', (request) => pages.complete(request)),
    forBrowser('GET', '/assets/institutions/:file', (request) => logo(institutions, request)),
  ];
}

function logo(institutions: Institutions, request: VendorRequest): Reply {
  const institution = institutions.get((request.params.file ?? '').replace(/\.svg$/, ''));
  if (!institution) throw notFound('not_found', 'not found');
  return { status: 200, body: logoSvg(institution), headers: { 'content-type': 'image/svg+xml' } };
}

/** The version for a request that names none. */
const PINNED: ApiVersion = 'v3';

/** How the vendor answers and refuses: by version, with a token, in two forms of errors. Pages use neither. */
export function answering(
  tokens: Tokens,
  baseUrl: () => string,
): Pick<SimulatedVendor<Route>, 'handle' | 'refuse' | 'expireToken'> {
  return {
    handle: (route, request) => {
      if (route.kind === 'page') return route.handle({ ...request, version: PINNED }, baseUrl());
      const version = versionOf(request.headers, PINNED);
      try {
        if (route.token) tokens.check(request.headers.authorization);
        return echo(route.handle({ ...request, version }, baseUrl()), version);
      } catch (error) {
        return echo(errorReply(vendorErrorOf(error), route.kind), version);
      }
    },
    refuse: (error, route) => echo(errorReply(error, route?.kind === 'data' ? 'data' : 'framework'), PINNED),
    expireToken: (authorization) => tokens.expire(authorization),
  };
}

function echo(reply: Reply, version: ApiVersion): Reply {
  return { ...reply, headers: { ...reply.headers, 'x-fiskil-version': version } };
}
