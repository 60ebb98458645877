import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/**
 * What gives access to a customer's data at the vendor: a user's secret, a token, or a pair of tokens as an adapter
 * serialises it. It is stored once, sealed, and shared by every connection of the customer.
 */
export interface CustomerSecret {
  /** As it was last read or renewed here; null if the vendor has none, or gives it at sign-in. */
  readonly value: string | null;
  /**
   * Replaces the secret. Of all concurrent callers, in this process or others, one runs `ask`; its result is stored
   * before anyone gets it, and all get it. If the stored secret is no longer `used`, it has already been renewed: it is
   * returned without a call.
   *
   * `ask` gets the stored secret and returns the next. It is not aborted by the caller's `signal`, because a vendor
   * that rotates a token may have invalidated the old one; its own signal aborts at the deadline of a read. Raises what
   * `ask` raises, and an UpstreamFailure (`grant_rejected`) if there is no customer any more.
   */
  renew(used: string, ask: RenewSecret, signal: AbortSignal): Promise<string>;
}

export type RenewSecret = (current: string, signal: AbortSignal) => Promise<string>;

class NoSecret implements CustomerSecret {
  readonly value = null;

  renew(): Promise<string> {
    return Promise.reject(
      new UpstreamFailure('grant_rejected', 'This customer has no credentials to renew.'),
    );
  }
}

/** For customers whose data is accessible with only their id and our own credentials. */
export const NO_SECRET: CustomerSecret = new NoSecret();
