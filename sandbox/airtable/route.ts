import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';

/** `oauth` routes refuse as in RFC 6749; `page` routes are for browsers. */
export type Route = RoutePath & {
  readonly kind: 'data' | 'oauth' | 'page';
  readonly handle: (request: SimulatedRequest) => Reply;
};
