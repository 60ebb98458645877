import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import type { Credentials } from './credentials.ts';
import type { ConsentPages } from './pages.ts';
import type { SignIns } from './sign-ins.ts';
import type { Transactions } from './transactions.ts';
import type { UserCalls } from './user-calls.ts';
import type { User } from './users.ts';
import type { Webhooks } from './webhooks.ts';

type Route = RoutePath & {
  /** `oauth` errors have codes; `page` routes are for browsers. */
  readonly kind: 'data' | 'oauth' | 'page';
  readonly handle: (request: SimulatedRequest) => Reply;
};

/** What answers. */
type Parts = {
  readonly credentials: Credentials;
  readonly signIns: SignIns;
  readonly pages: ConsentPages;
  readonly userCalls: UserCalls;
  readonly transactions: Transactions;
  readonly webhooks: Webhooks;
};

/** Everything the simulator answers, as data. */
export function routesOf(parts: Parts): readonly Route[] {
  const { credentials, signIns, pages, userCalls, transactions, webhooks } = parts;
  const forUser = (
    method: string,
    path: string,
    handle: (request: SimulatedRequest, user: User) => Reply,
  ): Route => ({
    method,
    path: `/v1${path}`,
    kind: 'data',
    handle: (request) => {
      credentials.requireApp(request);
      return handle(request, credentials.userOf(request));
    },
  });
  const forApp = (path: string, handle: (request: SimulatedRequest) => Reply): Route => ({
    method: 'GET',
    path: `/v1${path}`,
    kind: 'data',
    handle: (request) => {
      credentials.requireApp(request);
      credentials.requireSecret(request);
      return handle(request);
    },
  });
  const forBrowser = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path,
    kind: 'page',
    handle,
  });
  return [
    {
      method: 'POST',
      path: '/v1/token',
      kind: 'oauth',
      handle: (request) => signIns.exchange(request),
    },
    forUser('DELETE', '/token', (request, user) => userCalls.revoke(request, user)),
    forUser('GET', '/me', (request, user) => userCalls.me(request, user)),
    forUser('GET', '/accounts', (request, user) => userCalls.accounts(request, user)),
    forUser('GET', '/accounts/:id', (request, user) => userCalls.account(request, user)),
    forUser('GET', '/accounts/:id/transactions', (request, user) => transactions.ofAccount(request, user)),
    forUser('GET', '/accounts/:id/transactions/pending', (request, user) =>
      transactions.pendingOfAccount(request, user),
    ),
    forUser('GET', '/transactions', (request, user) => transactions.ofUser(request, user)),
    forUser('GET', '/transactions/pending', (request, user) => transactions.pendingOfUser(request, user)),
    forUser('POST', '/transactions/ids', (request, user) => transactions.byIds(request, user)),
    forUser('GET', '/transactions/:id', (request, user) => transactions.one(request, user)),
    forUser('DELETE', '/authorisations/:id', (request, user) => userCalls.endAuthorisation(request, user)),
    forUser('POST', '/refresh', (request, user) => userCalls.refresh(request, user)),
    forUser('POST', '/refresh/:id', (request, user) => userCalls.refresh(request, user)),
    forUser('GET', '/webhooks', (request, user) => webhooks.list(request, user)),
    forUser('POST', '/webhooks', (request, user) => webhooks.subscribe(request, user)),
    forUser('DELETE', '/webhooks/:id', (request, user) => webhooks.unsubscribe(request, user)),
    forApp('/connections', (request) => userCalls.connections(request)),
    forApp('/connections/:id', (request) => userCalls.connection(request)),
    forApp('/categories', (request) => userCalls.categories(request)),
    forApp('/categories/:id', (request) => userCalls.category(request)),
    forApp('/webhook-events', (request) => webhooks.events(request)),
    forApp('/keys/:id', (request) => webhooks.key(request)),
    forBrowser('GET', '/oauth', (request) => pages.start(request)),
    forBrowser('POST', '/oauth/:id/login', (request) => pages.login(request)),
    forBrowser('POST', '/oauth/:id/complete', (request) => pages.complete(request)),
    forBrowser('GET', '/logos/:file', (request) => pages.logo(request)),
  ];
}
