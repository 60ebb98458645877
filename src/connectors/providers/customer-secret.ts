import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/**
 * What opens a customer's data at the vendor: a user's secret, a token, a pair of tokens as an adapter writes it. It is
 * stored once, sealed, and shared by every connection of the customer.
 */
export interface CustomerSecret {
  /** As it was last read or renewed here; null if the vendor has none, or gives it at sign-in. */
  readonly value: string | null;
  /**
   * Replaces the secret. Of all who call this at the same time, in this process or in others, one runs `ask`; what it
   * returns is stored before anybody is given it, and everybody is given that. Where the stored secret is not `used`
   * any more, it was renewed meanwhile: then it is returned and nobody is asked.
   *
   * `ask` gets the stored secret and returns the next. It is not called off by the caller's `signal`, because a vendor
   * that rotates a token may have spent the old one; its own signal ends at the deadline of a read. Raises what `ask`
   * raises, and an UpstreamFailure (`grant_rejected`) where there is no customer any more.
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

/** Of customers whose id alone opens their data, together with our own credentials. */
export const NO_SECRET: CustomerSecret = new NoSecret();
