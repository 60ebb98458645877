import type { SimulatedRequest } from '../shared/request.ts';
import type { User } from './user.ts';

/** One request as the handlers see it. */
export type BrokerageRequest = SimulatedRequest & {
  /** Who it is for; null where it is for the key alone. */
  readonly user: User | null;
};

/** The parameters of every signed request. */
export const KEY_PARAMETERS = ['clientId', 'timestamp'] as const;
/** Those of a request for a user besides. */
export const USER_PARAMETERS = ['userId', 'userSecret'] as const;
