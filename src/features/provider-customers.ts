import { newRowId } from '../platform/row-id.ts';
import {
  claimProviderCustomer,
  findProviderCustomer,
  settleProviderCustomer,
} from '../storage/provider-customers.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/** Longer than the gateway's deadline, so a claim runs out only when its process is gone. */
const CLAIM_MS = 60_000;

/** Makes each account record known to each vendor once. */
export class ProviderCustomers {
  readonly #deps: Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'secrets'>;

  constructor(deps: Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'secrets'>) {
    this.#deps = deps;
  }

  /**
   * The vendor's id of the account record. The vendor is told the row's id and nothing of the person. Of several
   * callers one asks; the others are refused with `provider_wait` until it has answered. Raises the gateway's errors.
   */
  async ensure(
    owner: RowId<'account_record'>,
    provider: ProviderIdentifier,
    signal: AbortSignal,
  ): Promise<string> {
    const { db, clock, gateway, secrets } = this.#deps;
    const known = await this.#known(owner, provider);
    if (known !== null) return known;
    const now = clock.now();
    const claim = await claimProviderCustomer(db, {
      id: newRowId(clock),
      owner,
      provider,
      now: new Date(now),
      until: new Date(now + CLAIM_MS),
    });
    if (claim === null) {
      const answered = await this.#known(owner, provider);
      if (answered !== null) return answered;
      throw new ServiceError('provider_wait', {
        message: 'Another request is setting up this provider for you; try again in a moment.',
        retryAfterSeconds: 5,
        status: 503,
      });
    }
    try {
      const customer = await gateway.createCustomer(provider, claim.id, signal);
      await settleProviderCustomer(db, owner, provider, secrets.sealCustomer(claim.id, customer));
      return customer;
    } catch (error) {
      // The claim's id stays, so the next attempt asks for the same person under the same name.
      await settleProviderCustomer(db, owner, provider, null);
      throw error;
    }
  }

  async #known(owner: RowId<'account_record'>, provider: ProviderIdentifier): Promise<string | null> {
    const row = await findProviderCustomer(this.#deps.db, owner, provider);
    return row === null || row.customer === null
      ? null
      : this.#deps.secrets.openCustomer(row.id, row.customer);
  }
}
