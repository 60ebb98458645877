import type { Clock } from '../../platform/clock.ts';
import { OwnerBoundedMap } from '../../platform/owner-bounded-map.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { ResolvedAccount } from '../linking/accounts.ts';
import type { AccountReference, GatewayAccount } from '../provider-gateway/gateway-types.ts';

/** What is remembered of an account: enough to look for a cached answer, and what its rows are shown with. */
export interface RememberedAccount extends AccountReference {
  readonly name: string;
  /** Lower-case code. */
  readonly currency: string;
}

/** What is read of a resolved account to remember it. */
interface Remembering {
  readonly account: Pick<ResolvedAccount['account'], 'name'>;
  readonly gateway: Pick<GatewayAccount, 'id' | 'timezone' | 'currency'> & {
    readonly connection: Pick<GatewayAccount['connection'], 'id' | 'caching'>;
  };
}

interface Slot {
  readonly account: RememberedAccount;
  readonly until: number;
}

/** The expiry of a consent is noticed at most this much later; everything else is announced. */
const REMEMBER_MS = 5_000;

export interface AccountCacheDependencies {
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'connected' | 'onNotice' | 'onLost'>;
}

/**
 * Remembers for seconds which account an id names, because finding it in the database costs more than answering from
 * the cache. Holds no grant, so nothing can be read with it but what the cache already has. It lets no one see more:
 * an account never changes its owner, and what a revoked connection left in the cache is purged by the same notice
 * that clears it here. While notices may be missed nothing is remembered.
 */
export class AccountCache {
  readonly #clock: Clock;
  readonly #notices: AccountCacheDependencies['notices'];
  readonly #slots = new OwnerBoundedMap<RowId<'account'>, Slot>({ ofOwner: 500, total: 10_000 });
  #generation = 0;

  constructor(deps: AccountCacheDependencies) {
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    deps.notices.onLost(() => this.#forget(() => true));
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'connection') this.#forget(({ connection }) => connection.id === id);
      if (kind === 'account_record') this.#forget(({ connection }) => connection.owner === id);
    });
  }

  /** A mark taken before an account is looked up; `remember` refuses it when anything was forgotten since. */
  get generation(): number {
    return this.#generation;
  }

  recall(owner: OwnerId, id: RowId<'account'>): RememberedAccount | null {
    const slot = this.#slots.get(owner, id);
    return slot !== undefined && this.#clock.now() < slot.until ? slot.account : null;
  }

  /** Remembers it if that is safe. Returns what is remembered of it in any case. */
  remember(owner: OwnerId, { account: row, gateway }: Remembering, generation: number): RememberedAccount {
    const { id, timezone, currency, connection } = gateway;
    const { caching } = connection;
    const reference = { id, timezone, connection: { id: connection.id, owner, caching } };
    const account = { ...reference, name: row.name, currency };
    if (!this.#notices.connected || generation !== this.#generation) return account;
    this.#slots.set(owner, id, { account, until: this.#clock.now() + REMEMBER_MS });
    return account;
  }

  #forget(matches: (account: RememberedAccount) => boolean): void {
    this.#generation += 1;
    this.#slots.deleteWhere(({ account }) => matches(account));
  }
}
