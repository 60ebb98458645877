import type { DestinationAccess, GrantExchange } from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { claimGrant, freeGrant, replaceGrant } from '../../storage/destination-grants.ts';
import { type DestinationRow, findDestination } from '../../storage/destinations.ts';
import { persistently, STORING_MS } from '../../storage/retryable-transaction.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { renewalFailure } from './destination-failures.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { GrantRevocations } from './grant-revocations.ts';

/** How often a process checks whether another one has stored the new grant. */
const LOOK_MS = 250;

export interface DestinationGrantsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Pick<Log, 'warn'>;
  readonly secrets: DestinationSecrets;
  /** Ends what was renewed for a destination that is gone or was linked again; absent if nothing is ended. */
  readonly revocations?: Pick<GrantRevocations, 'schedule'>;
}

interface StoredGrant {
  readonly sealed: Uint8Array;
  readonly grant: string;
  readonly type: DestinationType;
}

/** All callers with the same expired grant wait for the same renewal. */
interface Renewal {
  readonly spent: string;
  readonly renewed: Promise<string>;
}

/**
 * Grants of linked destinations, used by many and renewed by one at a time (docs/destinations.md). No transaction is
 * open while a vendor is asked: a claim in the row keeps other processes from renewing it as well, and the new grant
 * replaces exactly the one it was exchanged for, or is discarded.
 */
export class DestinationGrants {
  readonly #deps: DestinationGrantsDependencies;
  /** Renewals in progress in this process. */
  readonly #renewing = new Map<RowId<'destination'>, Renewal>();

  constructor(deps: DestinationGrantsDependencies) {
    this.#deps = deps;
  }

  /** Null for a destination without a grant. */
  access({ id, account_record: owner, grant }: DestinationRow): DestinationAccess | null {
    if (grant === null) return null;
    return {
      owner,
      current: async () => (await this.#stored(owner, id)).grant,
      renew: (spent, exchange) => this.#renew(owner, id, spent, exchange),
    };
  }

  /** Raises `resource_missing` for a destination that was deleted. */
  async #stored(owner: OwnerId, id: RowId<'destination'>): Promise<StoredGrant> {
    return this.#opened(await findDestination(this.#deps.db, owner, id));
  }

  #opened(row: DestinationRow | null): StoredGrant {
    if (row === null) throw missing('destination');
    const grant = this.#deps.secrets.grant(row);
    if (row.grant === null || grant === null) throw new TypeError('the destination has no grant');
    return { sealed: row.grant, grant, type: row.type };
  }

  async #renew(
    owner: OwnerId,
    id: RowId<'destination'>,
    spent: string,
    exchange: GrantExchange,
  ): Promise<string> {
    for (;;) {
      const stored = await this.#stored(owner, id);
      if (stored.grant !== spent) return stored.grant;
      const underWay = this.#renewing.get(id);
      if (underWay?.spent === spent) return underWay.renewed;
      if (underWay !== undefined) {
        // It renews another grant than the stored one: it will end soon, and its outcome does not matter.
        await underWay.renewed.catch(() => undefined);
        continue;
      }
      const renewed = this.#exchanged(owner, id, stored, exchange).finally(() => this.#renewing.delete(id));
      this.#renewing.set(id, { spent, renewed });
      return renewed;
    }
  }

  /** The grant that replaces the stored one, renewed by this process or by another that was faster. */
  async #exchanged(
    owner: OwnerId,
    id: RowId<'destination'>,
    stored: StoredGrant,
    exchange: GrantExchange,
  ): Promise<string> {
    const { db, clock, limits } = this.#deps;
    for (let found = stored; ; ) {
      const now = clock.now();
      const until = new Date(now + limits.read_deadline_ms + STORING_MS);
      if (await claimGrant(db, owner, id, found.sealed, { now: new Date(now), until })) {
        return await this.#exchangeClaimed(owner, id, found, until, exchange);
      }
      await clock.sleep(LOOK_MS);
      found = await this.#stored(owner, id);
      if (found.grant !== stored.grant) return found.grant;
    }
  }

  async #exchangeClaimed(
    owner: OwnerId,
    id: RowId<'destination'>,
    old: StoredGrant,
    until: Date,
    exchange: GrantExchange,
  ): Promise<string> {
    const { db, clock, limits, log } = this.#deps;
    let renewed: string;
    try {
      renewed = await withDeadline(clock, limits.read_deadline_ms, new AbortController().signal, (within) =>
        exchange(old.grant, within),
      );
    } catch (error) {
      await freeGrant(db, owner, id, until).catch((failure: unknown) =>
        log.warn(
          'Failed to release the claim of a grant; it expires automatically.',
          { destination: id },
          failure,
        ),
      );
      const now = await this.#stored(owner, id);
      if (now.grant !== old.grant) return now.grant;
      throw renewalFailure(error);
    }
    return this.#store(owner, id, old, renewed);
  }

  /**
   * Stores the new grant instead of the one it was exchanged for. Where a person has linked the destination again
   * meanwhile, theirs stays; a grant that was only re-sealed is still the same.
   */
  async #store(owner: OwnerId, id: RowId<'destination'>, old: StoredGrant, renewed: string): Promise<string> {
    const { db, clock, secrets, revocations } = this.#deps;
    const sealed = secrets.sealGrant(id, renewed);
    for (let found = old; ; ) {
      const from = found.sealed;
      if (await persistently(clock, () => replaceGrant(db, owner, id, { old: from, new: sealed })))
        return renewed;
      const row = await persistently(clock, () => findDestination(db, owner, id));
      if (row === null || secrets.grant(row) !== old.grant) {
        // No one stores it: a destination that is gone, or was linked again, ended only what it was exchanged for.
        await persistently(clock, () =>
          db.transaction().execute(async (trx) => revocations?.schedule(trx, owner, old.type, renewed)),
        );
      }
      found = this.#opened(row);
      if (found.grant !== old.grant) return found.grant;
    }
  }
}
