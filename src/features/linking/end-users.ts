import type { CustomerAccess } from '../../connectors/providers/provider-contract.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Trx } from '../../storage/database.ts';
import {
  deleteEndUser,
  deleteOrphanedEndUsers,
  type EndUser,
  endUsersToDelete,
  findEndUser,
  insertEndUser,
  newEndUser,
  releaseEndUser,
  updateEndUser,
} from '../../storage/end-users.ts';
import type { LinkSession } from '../../storage/link-sessions.ts';
import { persistently, STORING_MS } from '../../storage/retryable-transaction.ts';
import { isVendorCustomerNeeded, lockVendorCustomer } from '../../storage/vendor-customers.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { customerHash } from './linking-secrets.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'limits' | 'gateway' | 'secrets' | 'customerSecrets'
>;

const DAY_MS = 86_400_000;
const SWEEP_BATCH = 50;
/** A person who starts and cancels hundreds of links does not delay others. */
const SWEEP_OF_ONE_OWNER = 5;
const LEAST_WAIT_MS = 60_000;
const MOST_WAIT_MS = 6 * 3_600_000;
/** Longer than a callback takes to store the vendor's answer. */
const REMEMBERED_MS = 600_000;

/**
 * Who consents, as the vendor sees it: one end user for each link, so that every consent under it came from this link.
 * The vendor learns the row's id and nothing about the person. Deletion at the vendor is recorded first and retried
 * until it succeeds, so a crash leaves no end user without a record.
 */
export class EndUsers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A new row for the session, because someone may already have consented under the current one. */
  async replace(trx: Trx, session: LinkSession): Promise<EndUser> {
    const { clock } = this.#deps;
    const { account_record: owner, provider } = session;
    const now = new Date(clock.now());
    if (session.end_user !== null) await releaseEndUser(trx, owner, session.end_user, now, null);
    const row = newEndUser({ id: newRowId(clock), owner, provider, now });
    await insertEndUser(trx, row);
    return row;
  }

  /**
   * The customer at the vendor, created if it is not known yet. Its row is marked before the vendor is called: if no
   * answer comes, it is unknown whether it was created, and its key is not used again. Raises the gateway's errors.
   */
  async customerOf(row: EndUser, signal: AbortSignal): Promise<CustomerAccess> {
    const { db, clock, gateway, secrets, customerSecrets } = this.#deps;
    const { id, account_record: owner, provider } = row;
    const known = customerSecrets.open(row);
    if (known !== null) return known;
    await updateEndUser(db, owner, id, { asked_at: new Date(clock.now()) });
    const customer = await gateway.createCustomer({ provider, owner }, id, signal);
    // One that is known only by its key has no name at the vendor until someone signs in.
    const named = customer.id === id ? {} : { customer_hash: customerHash(provider, customer.id) };
    await updateEndUser(db, owner, id, { customer: secrets.sealEndUser(id, customer), ...named });
    return customerSecrets.access(row, customer);
  }

  /** Deletes what is due at the vendors; failures are retried later. Returns how many were tried. */
  async sweep(signal: AbortSignal): Promise<number> {
    const { db, clock } = this.#deps;
    const due = await endUsersToDelete(db, new Date(clock.now()), SWEEP_OF_ONE_OWNER, SWEEP_BATCH);
    for (const row of due) {
      signal.throwIfAborted();
      await this.delete(row, signal).catch(() => this.#postpone(row));
    }
    return due.length;
  }

  /**
   * Ends everything under a released end user and deletes it at the vendor. A page of the vendor that is still open may
   * outlive it, so the deletion is repeated when that page has expired. If the person, whom the vendor knows as one
   * customer, has linked it again, here or under another account record, only the row is deleted. Raises the gateway's
   * errors.
   */
  async delete(released: EndUser, signal: AbortSignal): Promise<void> {
    const { db, clock, gateway, customerSecrets } = this.#deps;
    const row = await this.#identified(released, signal);
    const { id, account_record: owner, provider, pages_until: pages, customer_hash: hash } = row;
    const ended = () => ({ renewing_until: new Date(clock.now()) });
    if (hash !== null && !(await this.#claimDeletion(row, hash))) return;
    try {
      await gateway.deleteCustomer({ provider, owner }, id, customerSecrets.open(row), signal);
    } catch (error) {
      // It may have taken effect.
      if (hash !== null) await updateEndUser(db, owner, id, ended());
      throw error;
    }
    if (pages !== null && pages.getTime() > clock.now()) {
      await updateEndUser(db, owner, id, { ...ended(), delete_at: pages });
    } else if (hash !== null && !gateway.providers.capabilities(provider).has('customers')) {
      const deleteAt = new Date(clock.now() + REMEMBERED_MS);
      await updateEndUser(db, owner, id, { ...ended(), customer: null, delete_at: deleteAt });
    } else {
      await deleteEndUser(db, owner, id);
    }
  }

  /**
   * Seals a secret that the session's callback received, in its own row, which is due for deletion once the callback
   * must have ended. Returns the row's id, for `drop`.
   */
  keep({ account_record: owner, provider }: LinkSession, secret: string): Promise<string> {
    const { db, clock, secrets } = this.#deps;
    return persistently(clock, async () => {
      const now = new Date(clock.now());
      const id = newRowId(clock);
      await insertEndUser(db, {
        ...newEndUser({ id, owner, provider, now }),
        customer: secrets.sealEndUser(id, { id, secret }),
        asked_at: now,
        released_at: now,
        delete_at: new Date(now.getTime() + REMEMBERED_MS),
      });
      return id;
    });
  }

  /** Discards what was kept, once the outcome of the callback is stored. */
  drop({ account_record: owner }: LinkSession, kept: string): Promise<void> {
    return deleteEndUser(this.#deps.db, owner, kept);
  }

  /** Gives up on those of deleted account records whose vendor has not answered within the time allowed. */
  async forgetOrphans(): Promise<void> {
    const { db, clock, limits } = this.#deps;
    const days = limits.account_removal_days;
    await deleteOrphanedEndUsers(db, new Date(clock.now() - days * DAY_MS));
  }

  /** The session's end user if no page of the vendor was opened for it yet; null if a new one is needed. */
  async unused(session: LinkSession): Promise<EndUser | null> {
    const row = await this.#of(session);
    const fresh = row !== null && row.pages_until === null && row.released_at === null;
    return fresh && !isInDoubt(row) ? row : null;
  }

  /**
   * Deletes at the vendor what an earlier attempt of the session may have created; if this fails, the sweep retries.
   */
  async deleteDoubtful(session: LinkSession, signal: AbortSignal): Promise<void> {
    const row = await this.#of(session);
    if (row !== null && isInDoubt(row)) await this.delete(row, signal).catch(() => undefined);
  }

  async #of({ account_record, end_user: id }: LinkSession): Promise<EndUser | null> {
    return id === null ? null : findEndUser(this.#deps.db, account_record, id);
  }

  /** The row with its customer's name, if a secret was kept before the vendor had said whose it is. */
  async #identified(row: EndUser, signal: AbortSignal): Promise<EndUser> {
    const { db, gateway, customerSecrets } = this.#deps;
    const { id, account_record: owner, provider } = row;
    const access = row.customer_hash === null ? customerSecrets.open(row) : null;
    if (access === null || access.secret.value === null) return row;
    const name = await gateway.identifyCustomer({ provider, owner }, access, signal);
    if (name === null) return row;
    const named = { customer_hash: customerHash(provider, name) };
    await updateEndUser(db, owner, id, named);
    return { ...row, ...named };
  }

  /**
   * Marks the row as being deleted at the vendor, for sign-ins in progress. False if there is nothing to delete there,
   * because another row needs the customer or it was deleted already; the row is then deleted.
   */
  async #claimDeletion({ id, account_record: owner, provider }: EndUser, hash: Uint8Array): Promise<boolean> {
    const { db, clock, limits } = this.#deps;
    const customer = { provider, hash };
    return db.transaction().execute(async (trx) => {
      await lockVendorCustomer(trx, customer);
      const row = await findEndUser(trx, owner, id);
      if (row === null) return false;
      if (row.customer === null || (await isVendorCustomerNeeded(trx, customer, id))) {
        await deleteEndUser(trx, owner, id);
        return false;
      }
      const until = new Date(clock.now() + limits.read_deadline_ms + STORING_MS);
      await updateEndUser(trx, owner, id, { renewing_until: until });
      return true;
    });
  }

  async #postpone({ id, account_record, released_at }: EndUser): Promise<void> {
    const now = this.#deps.clock.now();
    const age = now - (released_at?.getTime() ?? now);
    const wait = Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, age / 6));
    await updateEndUser(this.#deps.db, account_record, id, { delete_at: new Date(now + wait) });
  }
}

/** Whether the vendor was asked to create it and the outcome is unknown. */
function isInDoubt({ asked_at, customer }: EndUser): boolean {
  return asked_at !== null && customer === null;
}
