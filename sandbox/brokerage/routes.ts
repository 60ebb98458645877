import type { Reply } from '../shared/reply.ts';
import type { RoutePath } from '../shared/router.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { Accounts } from './accounts.ts';
import type { Authorizations } from './authorizations.ts';
import { type Brokers, brokerJson } from './brokers.ts';
import type { PortalPages } from './pages.ts';
import type { PortalSessions } from './portal-sessions.ts';
import type { BrokerageRequest } from './request.ts';
import type { Users } from './users.ts';
import { reply200 } from './wire-json.ts';

type Parts = {
  readonly users: Users;
  readonly sessions: PortalSessions;
  readonly pages: PortalPages;
  readonly authorizations: Authorizations;
  readonly accounts: Accounts;
  readonly brokers: Brokers;
  readonly pagesUrl: () => string;
  readonly now: () => number;
};

export type Route = RoutePath & {
  /** `open`: unsigned; `key`: signed with only the key; `user`: also for a user; `page`: for browsers. */
  readonly kind: 'open' | 'key' | 'user' | 'page';
  /** Query parameters other than those of the key and the user. */
  readonly query: readonly string[];
  readonly handle: (request: BrokerageRequest) => Reply;
};

/** The older prefix of every path of the API, which still works. */
export const OLD_PREFIX = '/api/v1';

/** Everything the simulator answers, as data. */
export function routesOf(parts: Parts): readonly Route[] {
  const api = apiRoutes(parts);
  const old = api.map((route) => ({ ...route, path: `${OLD_PREFIX}${route.path}` }));
  return [...api, ...old, ...pageRoutes(parts)];
}

function apiRoutes({
  users,
  sessions,
  authorizations,
  accounts,
  brokers,
  pagesUrl,
  now,
}: Parts): readonly Route[] {
  const key = (
    method: string,
    path: string,
    handle: Route['handle'],
    query: readonly string[] = [],
  ): Route => ({
    method,
    path,
    kind: 'key',
    query,
    handle,
  });
  const user = (
    method: string,
    path: string,
    handle: Route['handle'],
    query: readonly string[] = [],
  ): Route => ({
    ...key(method, path, handle, query),
    kind: 'user',
  });
  const gone = (path: string): Route => user('GET', path, () => deprecated());
  const listed = () => brokers.all().map((broker) => brokerJson(broker, pagesUrl()));
  return [
    {
      method: 'GET',
      path: '/',
      kind: 'open',
      query: [],
      handle: () => reply200({ version: 151, timestamp: new Date(now()).toISOString(), online: true }),
    },
    key('POST', '/snapTrade/registerUser', (request) => users.register(request)),
    key('DELETE', '/snapTrade/deleteUser', (request) => users.remove(request), ['userId']),
    key('GET', '/snapTrade/listUsers', () => users.list()),
    key('POST', '/snapTrade/resetUserSecret', (request) => users.reset(request)),
    key('GET', '/snapTrade/partners', () => reply200(partnerJson(listed()))),
    key('GET', '/brokerages', () => reply200(listed())),
    user('POST', '/snapTrade/login', (request) => sessions.create(request)),
    user('GET', '/authorizations', (request) => authorizations.list(request)),
    user('GET', '/authorizations/:id', (request) => authorizations.detail(request)),
    user('DELETE', '/authorizations/:id', (request) => authorizations.remove(request)),
    user('DELETE', '/connection/:id', (request) => authorizations.queueDeletion(request)),
    user('POST', '/authorizations/:id/refresh', (request) => authorizations.refresh(request)),
    user('POST', '/authorizations/:id/transactions/sync', (request) =>
      authorizations.syncTransactions(request),
    ),
    user('POST', '/authorizations/:id/disable', (request) => authorizations.disable(request)),
    user('GET', '/authorizations/:id/accounts', (request) => accounts.ofConnection(request)),
    user('GET', '/connections/:id/accounts', (request) => accounts.ofConnection(request)),
    user('GET', '/accounts', (request) => accounts.list(request)),
    user('GET', '/accounts/:id', (request) => accounts.detail(request)),
    user('GET', '/accounts/:id/balances', (request) => accounts.balances(request)),
    user('GET', '/accounts/:id/positions/all', (request) => accounts.positions(request), [
      'page',
      'page_size',
    ]),
    user('GET', '/accounts/:id/activities', (request) => accounts.activities(request), [
      'startDate',
      'endDate',
      'offset',
      'limit',
      'type',
    ]),
    user('GET', '/accounts/:id/returnRates', () => {
      throw new VendorError(501, '', 'The returnRates endpoint is not yet implemented for brokerage sandbox');
    }),
    gone('/accounts/:id/positions'),
    gone('/accounts/:id/options'),
    gone('/accounts/:id/holdings'),
    gone('/holdings'),
    gone('/activities'),
  ];
}

function pageRoutes({ pages, brokers }: Parts): readonly Route[] {
  const page = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path,
    kind: 'page',
    query: [],
    handle,
  });
  return [
    page('GET', '/portal/:session', (request) => pages.start(request)),
    page('POST', '/portal/:session/institution', (request) => pages.institution(request)),
    page('POST', '/portal/:session/login', (request) => pages.login(request)),
    page('POST', '/portal/:session/second-factor', (request) => pages.secondFactor(request)),
    page('POST', '/portal/:session/complete', (request) => pages.complete(request)),
    page('GET', '/assets/brokers/:file', (request) => brokers.logo(request)),
  ];
}

/** What customers who signed up after 25 April 2026 get from the routes that the unified ones replaced. */
function deprecated(): Reply {
  throw new VendorError(410, '1000', 'This endpoint is no longer available. Use the unified endpoint.');
}

function partnerJson(allowed: ReturnType<typeof brokerJson>[]): ReturnType<typeof brokerJson> {
  return {
    slug: 'SANDBOX-CLIENT',
    name: 'Sandbox client',
    logo_url: null,
    allowed_brokerages: allowed,
    can_access_trades: false,
    can_access_holdings: true,
    can_access_account_history: true,
    can_access_reference_data: true,
    can_access_portfolio_management: false,
    can_access_orders: false,
    redirect_uri: null,
    pin_required: false,
  };
}
