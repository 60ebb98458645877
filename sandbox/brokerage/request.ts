import type { SimulatedRequest } from '../shared/request.ts';

/** One request as the handlers see it. */
export type BrokerageRequest = SimulatedRequest & {
  /** The user; null for a request with only the key. */
  readonly user: User | null;
};

/** The parameters of every signed request. */
export const KEY_PARAMETERS = ['clientId', 'timestamp'] as const;
/** Additional parameters of a request for a user. */
export const USER_PARAMETERS = ['userId', 'userSecret'] as const;

/** A user of the vendor, with the secret for their data. */
export type User = {
  readonly userId: string;
  userSecret: string;
  /** The previous secret, which only a reset still accepts; usually null. */
  outdated: string | null;
  /** When a queued deletion happens; null if none was requested. */
  deletedAt: number | null;
};
