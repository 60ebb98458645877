import { SimulatorControl } from '../../../sandbox/shared/control.ts';
import { serveControl } from '../../../sandbox/shared/control-api.ts';
import { Faults } from '../../../sandbox/shared/faults.ts';
import { page } from '../../../sandbox/shared/html.ts';
import { addressOf, listen, shut } from '../../../sandbox/shared/listener.ts';
import { json, type Reply } from '../../../sandbox/shared/reply.ts';
import type { SimulatedRequest } from '../../../sandbox/shared/request.ts';
import { RequestLog } from '../../../sandbox/shared/request-log.ts';
import type { RoutePath } from '../../../sandbox/shared/router.ts';
import { unauthorized } from '../../../sandbox/shared/vendor-error.ts';
import { serveVendor } from '../../../sandbox/shared/vendor-http.ts';
import { WEKA_SECRET } from './party.ts';

type Route = RoutePath & { readonly handle: (request: SimulatedRequest) => Reply };

const HOST = '127.0.0.1';
const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/banks',
    handle: ({ headers }) => {
      const [, sent = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
      if (!Buffer.from(sent, 'base64').toString().endsWith(`:${WEKA_SECRET}`)) throw unauthorized('no');
      return json(200, { items: [{ _id: 'conn_1', name: 'Weka Bank' }] });
    },
  },
  {
    method: 'GET',
    path: '/sign-in/:id',
    handle: ({ params }) => ({
      status: 200,
      body: page('Sign in to Weka', `<p>${params.id}</p>`),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    }),
  },
];

/** A simulator in no more than what it alone knows. */
export async function startWeka() {
  const [faults, log, closing] = [new Faults(1), new RequestLog(), new AbortController()];
  const control = new SimulatorControl(faults, log);
  const vendor = {
    routes: ROUTES,
    faults,
    log,
    now: () => 0,
    handle: (route: Route, request: SimulatedRequest) => route.handle(request),
    refuse: ({ status, message }: { status: number; message: string }) =>
      json(status, { success: false, message }),
    expireToken: () => undefined,
    closing: closing.signal,
    changed: () => undefined,
  };
  const servers = [
    await listen((request, response) => serveVendor(vendor, request, response), HOST, 0),
    await listen((request, response) => serveControl(control, [], request, response), HOST, 0),
  ] as const;
  return {
    url: addressOf(servers[0], HOST),
    controlUrl: addressOf(servers[1], HOST),
    control,
    close: async () => {
      closing.abort();
      await Promise.all(servers.map(shut));
    },
  };
}
