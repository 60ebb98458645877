import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import type { Api } from './api.ts';
import type { ConsentPages } from './pages.ts';

type Route = RoutePath & { readonly handle: (request: SimulatedRequest) => Reply };

/** Everything the simulator answers, as data. */
export function routesOf(api: Api, pages: ConsentPages): readonly Route[] {
  const call = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path,
    handle: (request) => {
      api.authorize(request);
      return handle(request);
    },
  });
  return [
    call('GET', '/application', () => api.application()),
    call('GET', '/aspsps', (request) => api.aspsps(request)),
    call('POST', '/auth', (request) => api.auth(request)),
    call('POST', '/sessions', (request) => api.open(request)),
    call('GET', '/sessions/:id', (request) => api.session(request)),
    call('DELETE', '/sessions/:id', (request) => api.close(request)),
    call('GET', '/accounts/:id/balances', (request) => api.balances(request)),
    call('GET', '/accounts/:id/transactions', (request) => api.transactions(request)),
    { method: 'GET', path: '/welcome', handle: (request) => pages.start(request) },
    { method: 'POST', path: '/welcome/:id/login', handle: (request) => pages.login(request) },
    { method: 'POST', path: '/welcome/:id/complete', handle: (request) => pages.complete(request) },
    { method: 'GET', path: '/logos/:file', handle: (request) => pages.logo(request) },
  ];
}
