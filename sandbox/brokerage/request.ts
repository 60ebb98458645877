import type { SimulatedRequest } from '../shared/request.ts';

/** One request as the handlers see it. */
export type BrokerageRequest = SimulatedRequest & {
  /** Who it is for; null if it is for the key alone. */
  readonly user: User | null;
};

/** The parameters of every signed request. */
export const KEY_PARAMETERS = ['clientId', 'timestamp'] as const;
/** Those of a request for a user besides. */
export const USER_PARAMETERS = ['userId', 'userSecret'] as const;

/** Somebody the vendor knows, and what opens their data. */
export type User = {
  readonly userId: string;
  userSecret: string;
  /** A secret before this one, which only a reset takes any more; null mostly. */
  outdated: string | null;
  /** When a queued deletion happens; null while nobody asked for one. */
  deletedAt: number | null;
};
