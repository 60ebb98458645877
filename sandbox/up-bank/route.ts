import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import type { Customer } from './customer.ts';

/** One operation of the API, for the person whose token calls it. */
export type Route = RoutePath & {
  readonly handle: (request: SimulatedRequest, customer: Customer) => Reply;
};

/** Where Up's API begins on its host. */
export const API = '/api/v1';

/** Asks whether the token works, and nothing else. */
export const PING = `${API}/util/ping`;
