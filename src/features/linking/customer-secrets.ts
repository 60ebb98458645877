import type { CustomerSecret, RenewSecret } from '../../connectors/providers/customer-secret.ts';
import type { CustomerAccess, ProviderCustomer } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import { SingleFlight } from '../../platform/single-flight.ts';
import type { Db } from '../../storage/database.ts';
import {
  claimRenewal,
  type EndUser,
  findEndUser,
  freeRenewal,
  replaceCustomer,
} from '../../storage/end-users.ts';
import { persistently, STORING_MS } from '../../storage/retryable-transaction.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import type { LinkingSecrets } from './linking-secrets.ts';

/** How often a process checks whether another has renewed the secret. */
const LOOK_AGAIN_MS = 250;

interface Dependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'read_deadline_ms'>;
  readonly secrets: LinkingSecrets;
}

interface StoredCustomer {
  readonly sealed: Uint8Array;
  readonly id: string;
  readonly secret: string;
}

type Place = Pick<EndUser, 'id' | 'account_record'>;

/**
 * Opens customers for adapters, and renews their secrets. A process claims the renewal in the row, asks the vendor
 * without a transaction, and stores the secret before using it, so that no two processes use up the same rotating
 * token.
 */
export class CustomerSecrets {
  readonly #deps: Dependencies;
  readonly #flights = new SingleFlight<string>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The customer of the row; null while the vendor has not answered. @throws UnsealError */
  open(row: EndUser): CustomerAccess | null {
    if (row.customer === null) return null;
    return this.access(row, this.#deps.secrets.openEndUser(row.id, row.customer));
  }

  /** A customer that is stored there. */
  access(place: Place, customer: ProviderCustomer): CustomerAccess {
    return { customer: customer.id, secret: new StoredSecret(this, place, customer.secret) };
  }

  /** See CustomerSecret. */
  renew(place: Place, used: string, ask: RenewSecret): Promise<string> {
    return this.#flights.run(`${place.id}\n${used}`, () => this.#renew(place, used, ask));
  }

  async #renew(place: Place, used: string, ask: RenewSecret): Promise<string> {
    const { db, clock, limits } = this.#deps;
    const { account_record: owner, id } = place;
    // An expired claim belongs to a process that died.
    const claimMs = limits.read_deadline_ms + STORING_MS;
    const end = clock.now() + claimMs;
    for (;;) {
      const stored = await this.#stored(place);
      if (stored.secret !== used) return stored.secret;
      const until = new Date(clock.now() + claimMs);
      const claimed = await claimRenewal(db, owner, id, new Date(clock.now()), until);
      if (claimed !== null) return this.#claimed(place, this.#opened(claimed), until, used, ask);
      if (clock.now() >= end)
        throw new UpstreamFailure('temporarily_unavailable', 'Its credentials are still being renewed.');
      await clock.sleep(LOOK_AGAIN_MS);
    }
  }

  async #claimed(
    place: Place,
    old: StoredCustomer,
    until: Date,
    used: string,
    ask: RenewSecret,
  ): Promise<string> {
    const { db, clock, limits } = this.#deps;
    // If this fails, the next one waits until the claim has expired.
    const free = () => freeRenewal(db, place.account_record, place.id, until).catch(() => undefined);
    if (old.secret !== used) {
      // Renewed between the check and the claim.
      await free();
      return old.secret;
    }
    let renewed: string;
    try {
      renewed = await withDeadline(clock, limits.read_deadline_ms, new AbortController().signal, (within) =>
        ask(used, within),
      );
    } catch (error) {
      await free();
      const now = await this.#stored(place);
      if (now.secret !== used) return now.secret;
      throw error;
    }
    return this.#store(place, old, renewed);
  }

  /**
   * Replaces the secret with which the renewal was requested. If the person has signed in again meanwhile, that secret
   * is kept; a secret that was only re-sealed counts as the same.
   */
  async #store(place: Place, old: StoredCustomer, renewed: string): Promise<string> {
    const { db, clock, secrets } = this.#deps;
    const { account_record: owner, id } = place;
    const sealed = secrets.sealEndUser(id, { id: old.id, secret: renewed });
    for (let found = old; ; ) {
      const from = found.sealed;
      if (await persistently(clock, () => replaceCustomer(db, owner, id, { old: from, new: sealed })))
        return renewed;
      found = await persistently(clock, () => this.#stored(place));
      if (found.secret !== old.secret) return found.secret;
    }
  }

  /** Raises an UpstreamFailure (`grant_rejected`) if there is no longer a customer with a secret. */
  async #stored({ account_record: owner, id }: Place): Promise<StoredCustomer> {
    return this.#opened(await findEndUser(this.#deps.db, owner, id));
  }

  #opened(row: EndUser | null): StoredCustomer {
    const sealed = row?.customer ?? null;
    const customer = row === null || sealed === null ? null : this.#deps.secrets.openEndUser(row.id, sealed);
    if (sealed === null || customer === null || customer.secret === null) {
      throw new UpstreamFailure('grant_rejected', 'The credentials of this customer no longer exist.');
    }
    return { sealed, id: customer.id, secret: customer.secret };
  }
}

class StoredSecret implements CustomerSecret {
  readonly #secrets: CustomerSecrets;
  readonly #place: Place;
  #value: string | null;

  constructor(secrets: CustomerSecrets, { id, account_record }: Place, value: string | null) {
    this.#secrets = secrets;
    this.#place = { id, account_record };
    this.#value = value;
  }

  get value(): string | null {
    return this.#value;
  }

  async renew(used: string, ask: RenewSecret, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const renewed = this.#secrets.renew(this.#place, used, ask).then((value) => {
      this.#value = value;
      return value;
    });
    // Callers that stop waiting do not see the failure either.
    renewed.catch(() => undefined);
    const answered = new AbortController();
    try {
      return await Promise.race([renewed, aborted(signal, answered.signal)]);
    } finally {
      answered.abort();
    }
  }
}

/** Rejects with the signal's reason; listens until `done`. */
function aborted(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done });
  });
}
