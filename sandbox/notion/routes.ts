import type { OAuthPages } from '../shared/oauth-pages.ts';
import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import type { Credentials } from './credentials.ts';
import type { DatabaseCalls } from './database-calls.ts';
import { succeeded } from './errors.ts';
import type { OAuthCalls } from './oauth-calls.ts';
import { botJson } from './objects.ts';
import type { TablePages } from './pages.ts';
import type { RowCalls } from './row-calls.ts';
import type { SearchCalls } from './search-calls.ts';

type Route = RoutePath & { readonly handle: (request: SimulatedRequest) => Reply };

/** What answers. */
interface Parts {
  readonly credentials: Credentials;
  readonly oauth: OAuthCalls;
  readonly consent: OAuthPages;
  readonly tables: TablePages;
  readonly databases: DatabaseCalls;
  readonly rows: RowCalls;
  readonly search: SearchCalls;
}

/** Everything the simulator answers, as data. */
export function routesOf(parts: Parts): readonly Route[] {
  const { credentials, oauth, consent, tables, databases, rows, search } = parts;
  const forBot = (
    method: string,
    path: string,
    handle: (request: SimulatedRequest, bot: string) => Reply,
  ): Route => ({
    method,
    path: `/v1${path}`,
    handle: (request) => handle(request, credentials.botOf(request)),
  });
  return [
    forBot('GET', '/users/me', (_request, bot) => succeeded(botJson(bot))),
    forBot('POST', '/search', (request) => search.search(request)),
    forBot('GET', '/databases/:id', (request) => databases.database(request)),
    forBot('POST', '/databases', (request) => databases.create(request)),
    forBot('GET', '/data_sources/:id', (request) => databases.source(request)),
    forBot('PATCH', '/data_sources/:id', (request) => databases.changeSource(request)),
    forBot('POST', '/data_sources/:id/query', (request) => rows.query(request)),
    forBot('GET', '/blocks/:id/children', (request) => databases.children(request)),
    forBot('POST', '/pages', (request) => rows.create(request)),
    forBot('GET', '/pages/:id', (request) => rows.page(request)),
    forBot('PATCH', '/pages/:id', (request) => rows.update(request)),
    { method: 'POST', path: '/v1/oauth/token', handle: (request) => oauth.token(request) },
    { method: 'POST', path: '/v1/oauth/revoke', handle: (request) => oauth.revoke(request) },
    { method: 'POST', path: '/v1/oauth/introspect', handle: (request) => oauth.introspect(request) },
    { method: 'GET', path: '/v1/oauth/authorize', handle: (request) => consent.start(request) },
    { method: 'POST', path: '/oauth/:id/complete', handle: (request) => consent.complete(request) },
    { method: 'GET', path: '/', handle: () => tables.list() },
    { method: 'GET', path: '/databases', handle: () => tables.list() },
    { method: 'GET', path: '/databases/:id', handle: (request) => tables.table(request) },
    { method: 'GET', path: '/pages/:id', handle: (request) => tables.row(request) },
  ];
}
