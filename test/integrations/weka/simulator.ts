import { SimulatorControl } from '../../../sandbox/shared/control.ts';
import { page } from '../../../sandbox/shared/html.ts';
import { json, type Reply } from '../../../sandbox/shared/reply.ts';
import type { SimulatedRequest } from '../../../sandbox/shared/request.ts';
import type { RoutePath } from '../../../sandbox/shared/router.ts';
import { SimulatorTools, startSimulator } from '../../../sandbox/shared/start-simulator.ts';
import { unauthorized } from '../../../sandbox/shared/vendor-error.ts';
import { WEKA_SECRET } from './integration.ts';

type Route = RoutePath & { readonly handle: (request: SimulatedRequest) => Reply };

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
export function startWeka() {
  const tools = new SimulatorTools({ clock: { now: () => 0 } });
  return startSimulator(tools, {
    routes: {
      routes: ROUTES,
      handle: (route, request) => route.handle(request),
      refuse: ({ status, message }) => json(status, { success: false, message }),
      expireToken: () => undefined,
    },
    state: { kept: null, saved: 'at_once' },
    control: { actions: new SimulatorControl(tools.faults, tools.log), routes: [] },
  });
}
