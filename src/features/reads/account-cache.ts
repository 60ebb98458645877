import type { Clock } from '../../platform/clock.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { ResolvedAccount } from '../linking/accounts.ts';
import type { AccountReference } from '../provider-gateway/gateway-types.ts';

/** What is remembered of an account: enough to look for a cached answer, and what its rows are shown with. */
export interface RememberedAccount extends AccountReference {
  readonly name: string;
  /** Lower-case code. */
  readonly currency: string;
}

interface Slot {
  readonly owner: OwnerId;
  readonly account: RememberedAccount;
  readonly until: number;
}

const MAX_REMEMBERED = 10_000;
/** A consent that runs out by the clock is noticed this much later at most; everything else is announced. */
const REMEMBER_MS = 5_000;

/**
 * Remembers for seconds which account an id names, because finding it in the database costs more than answering from
 * the cache. Holds no grant, so nothing can be read with it but what the cache already has. It lets nobody see more:
 * an account never changes its owner, and what a revoked connection left in the cache is purged by the same notice
 * that clears it here. While notices may be missed nothing is remembered.
 */
export class AccountCache {
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #slots = new Map<RowId<'account'>, Slot>();
  #generation = 0;

  constructor(deps: { readonly clock: Clock; readonly notices: Notices }) {
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    deps.notices.onLost(() => this.#forget(() => true));
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'connection') this.#forget((slot) => slot.account.connection.id === id);
      if (kind === 'account_record') this.#forget((slot) => slot.owner === id);
    });
  }

  /** A mark taken before an account is looked up; `remember` refuses it when anything was forgotten since. */
  get generation(): number {
    return this.#generation;
  }

  recall(owner: OwnerId, id: RowId<'account'>): RememberedAccount | null {
    const slot = this.#slots.get(id);
    return slot !== undefined && slot.owner === owner && this.#clock.now() < slot.until ? slot.account : null;
  }

  /** Remembers it where that is safe; what is remembered of it in any case. */
  remember(
    owner: OwnerId,
    { account: row, gateway }: ResolvedAccount,
    generation: number,
  ): RememberedAccount {
    const { id, timezone, currency, connection } = gateway;
    const reference = { id, timezone, connection: { id: connection.id, caching: connection.caching } };
    const account = { ...reference, name: row.name, currency };
    if (!this.#notices.connected || generation !== this.#generation) return account;
    if (this.#slots.size >= MAX_REMEMBERED) this.#slots.clear();
    this.#slots.set(id, { owner, account, until: this.#clock.now() + REMEMBER_MS });
    return account;
  }

  #forget(of: (slot: Slot) => boolean): void {
    this.#generation += 1;
    for (const [id, slot] of this.#slots) if (of(slot)) this.#slots.delete(id);
  }
}
