/** How many calls a vendor allows in every interval of this length. */
export interface Quota {
  /** Unique among all quotas of the service, for example `airtable-base`. */
  readonly name: string;
  readonly amount: number;
  readonly windowMs: number;
  /** Whether all owners share it: it has one key, and when it is used up, everyone waits. */
  readonly shared?: boolean;
}

/** A quota and what it applies to: a grant's holder, a base, an account record, or the whole service. */
export interface QuotaUse {
  readonly quota: Quota;
  readonly key: string;
}

/** Vendors' quotas, counted across all processes of the installation. */
export interface Quotas {
  /**
   * Counts one call against each of the quotas, waiting if one is used up. Raises QuotaSpent, without waiting any
   * longer, if the wait would end later than `longestWaitMs` from now; rejects with `signal.reason`.
   */
  take(uses: readonly QuotaUse[], longestWaitMs: number, signal: AbortSignal): Promise<void>;
}

/** A quota is used up for longer than the caller can wait. */
export class QuotaSpent extends Error {
  override readonly name = 'QuotaSpent';
  readonly retryAfterMs: number;

  constructor(quota: Quota, retryAfterMs: number) {
    super(`The quota ${quota.name} is used up for another ${Math.ceil(retryAfterMs / 1000)} seconds.`);
    this.retryAfterMs = retryAfterMs;
  }
}
