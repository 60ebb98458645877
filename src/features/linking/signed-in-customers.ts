import type { ProviderCustomer } from '../../connectors/providers/provider-contract.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Trx } from '../../storage/database.ts';
import {
  type EndUser,
  findEndUser,
  insertEndUser,
  lockEndUserOfCustomer,
  newEndUser,
  updateEndUser,
} from '../../storage/end-users.ts';
import { isVendorCustomerDeleted, lockVendorCustomer } from '../../storage/vendor-customers.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { customerHash } from './linking-secrets.ts';

/**
 * Stores who signed in, for vendors that identify the person only then: once per account record, however often they
 * sign in.
 */
export class SignedInCustomers {
  readonly #deps: Pick<LinkingDependencies, 'clock' | 'secrets'>;

  constructor(deps: Pick<LinkingDependencies, 'clock' | 'secrets'>) {
    this.#deps = deps;
  }

  /**
   * The row of the customer that the grants belong to, with the newest secret; `at.current` is the row of the link. For
   * transactions that have locked the account record. If the person signs in as someone else, the current row stays as
   * it is, because other connections may depend on its secret. Raises `provider_wait` if the customer was being deleted
   * at the vendor during the sign-in, which may have revoked the new grants.
   */
  async place(
    trx: Trx,
    at: {
      readonly owner: OwnerId;
      readonly provider: ProviderIdentifier;
      readonly current: string | null;
      /** Epoch ms; the vendor was asked for the outcome after that. */
      readonly calledBackAt: number;
    },
    customer: ProviderCustomer | null,
  ): Promise<string | null> {
    if (customer === null) return at.current;
    const { clock, secrets } = this.#deps;
    const { owner, provider } = at;
    const hash = customerHash(provider, customer.id);
    await lockVendorCustomer(trx, { provider, hash });
    if (await isVendorCustomerDeleted(trx, { provider, hash }, new Date(at.calledBackAt)))
      throw new ServiceError('provider_wait', { retryAfterSeconds: 5, status: 503 });
    const known = await lockEndUserOfCustomer(trx, owner, provider, hash);
    const current = at.current === null ? null : await findEndUser(trx, owner, at.current);
    const unnamed = current !== null && this.#isFreeFor(current, customer) ? current : null;
    const id = known?.id ?? unnamed?.id ?? newRowId(clock);
    // A renewal in progress was requested with the previous secret, so it no longer counts.
    const change = {
      customer: secrets.sealEndUser(id, customer),
      customer_hash: hash,
      renewing_until: null,
    };
    if (known === null && unnamed === null) {
      const now = new Date(clock.now());
      await insertEndUser(trx, { ...newEndUser({ id, owner, provider, now }), ...change });
    } else {
      await updateEndUser(trx, owner, id, change);
    }
    return id;
  }

  /** Whether the row can be used for the customer: it names no one else and is not being deleted. */
  #isFreeFor(row: EndUser, customer: ProviderCustomer): boolean {
    if (row.customer_hash !== null || row.released_at !== null) return false;
    if (row.customer === null) return true;
    const { id } = this.#deps.secrets.openEndUser(row.id, row.customer);
    // A customer that is known only by its key is not identified yet.
    return id === row.id || id === customer.id;
  }
}
