import type { ProviderAccountDetails } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import { parseProviderRowId } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Accounts, ResolvedAccount } from '../linking/accounts.ts';
import type { AccountReader } from '../provider-gateway/account-reader.ts';
import type { SignedBalance } from '../provider-gateway/balance-sign.ts';
import type {
  AccountReference,
  CachedRead,
  TransactionRows,
  TransactionWindow,
} from '../provider-gateway/gateway-types.ts';
import type { TransactionReader } from '../provider-gateway/transaction-reader.ts';
import { requireCategory, resolveOfCategory } from './account-category.ts';
import { type AskedWindow, type DayWindow, dayWindow, momentWindow } from './transaction-window.ts';

/**
 * The owner's category of a row, as a public id, or null. Got once for a read, then asked for each row. The same
 * function as long as nothing about the categories changed, since what it showed is remembered by it.
 */
export type CategoryOf = (row: Transaction) => string | null;
export type CategoryResolver = (owner: OwnerId) => Promise<CategoryOf>;

export interface AccountReadsDependencies {
  readonly accounts: Pick<Accounts, 'resolve' | 'ofConnection'>;
  readonly gateway: { readonly accounts: AccountReader; readonly transactions: TransactionReader };
  readonly clock: Clock;
  readonly notices: Notices;
  readonly limits: Limits;
  readonly categories: CategoryResolver;
}

export interface TransactionQuery extends AskedWindow {
  readonly account: RowId<'account'>;
  readonly includePending: boolean;
}

export interface TransactionList extends TransactionRows {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly categoryOf: CategoryOf;
}

export interface FoundTransaction {
  readonly row: Transaction;
  readonly categoryOf: CategoryOf;
}

interface WindowRead {
  readonly value: TransactionRows;
  readonly window: DayWindow;
}

/** One account of one connection, read no further than so many pages of the provider. */
export interface ConnectionWindowQuery extends AskedWindow {
  readonly connection: RowId<'connection'>;
  readonly account: RowId<'account'>;
  readonly includePending: boolean;
  readonly pages: number;
}

/** What is remembered of an account: enough to look for a cached answer, and what its rows are shown with. */
export interface RememberedAccount extends AccountReference {
  readonly name: string;
  /** Lower-case code. */
  readonly currency: string;
}

export interface ConnectionWindow {
  readonly account: RememberedAccount;
  /** The day it is there now. */
  readonly today: LocalDate;
  readonly read: CachedRead<TransactionRows>;
}

/** Reads of live bank data through the gateway. Nothing here is stored. */
export class AccountReads {
  readonly #deps: AccountReadsDependencies;
  readonly #cache: AccountCache;

  constructor(deps: AccountReadsDependencies) {
    this.#deps = deps;
    this.#cache = new AccountCache(deps);
  }

  /** Raises `resource_missing`, `wrong_endpoint_for_category`, `not_supported` and the upstream codes. */
  async balance(
    owner: OwnerId,
    id: RowId<'account'>,
    signal: AbortSignal,
  ): Promise<CachedRead<SignedBalance>> {
    const { gateway } = await this.#banking(owner, id, null, 'Balances');
    return this.#deps.gateway.accounts.balance(gateway, {}, signal);
  }

  /** Raises `resource_missing`, `wrong_endpoint_for_category`, `not_supported` and the upstream codes. */
  async details(
    owner: OwnerId,
    id: RowId<'account'>,
    signal: AbortSignal,
  ): Promise<CachedRead<ProviderAccountDetails>> {
    const { gateway } = await this.#banking(owner, id, null, 'Account details');
    return this.#deps.gateway.accounts.details(gateway, signal);
  }

  /**
   * The rows of a window, newest first, up to the row ceiling. Raises `resource_missing` (param `account`),
   * `wrong_endpoint_for_category`, `parameter_invalid`, `invalid_date_range`, `from_too_old` and the upstream codes.
   */
  async transactions(owner: OwnerId, query: TransactionQuery, signal: AbortSignal): Promise<TransactionList> {
    const { value, window } = (await this.#cached(owner, query)) ?? (await this.#asked(owner, query, signal));
    return { ...value, ...window, categoryOf: await this.#deps.categories(owner) };
  }

  /**
   * As `transactions`, for an account of a connection and a window by moments (momentWindow), without the owner's
   * categories. `signal` is asked for only where the provider has to be. Raises `resource_missing` with param
   * `connection` or `account` for what is not the owner's.
   */
  async windowOf(
    owner: OwnerId,
    query: ConnectionWindowQuery,
    signal: () => AbortSignal,
  ): Promise<ConnectionWindow> {
    const { gateway, accounts } = this.#deps;
    const cache = this.#cache;
    const { connection, account: id, pages } = query;
    const known = cache.recall(owner, id);
    if (known !== null && known.connection.id === connection) {
      const { today, ...window } = this.#days(query, known.timezone);
      const read = await gateway.transactions.cachedList(known, window, pages);
      if (read !== null) return { account: known, today, read };
    }
    const { generation } = cache;
    await accounts.ofConnection(owner, connection, [id], ({ provider }) =>
      requireCategory(provider, { category: 'banking', what: 'Transactions', param: 'connection' }),
    );
    const resolved = await this.#banking(owner, id, 'account', 'Transactions');
    const { today, ...window } = this.#days(query, resolved.gateway.timezone);
    const read = await gateway.transactions.list(resolved.gateway, window, signal(), pages);
    return { account: cache.remember(owner, resolved, generation), today, read };
  }

  #days(query: ConnectionWindowQuery, timezone: string): TransactionWindow & { readonly today: LocalDate } {
    const { clock, limits } = this.#deps;
    const now = clock.now();
    const { from, to } = momentWindow(query, { now, timezone }, limits);
    return { from, to, includePending: query.includePending, today: localDateAt(now, timezone) };
  }

  /**
   * One row by its v2 id, pending ones included, within a window like that of a list. Raises as `transactions`,
   * `transaction_not_found`, `upstream_failed` for one that cannot be read, and `transaction_search_incomplete` when the budget of a search hides part of the window.
   */
  async transaction(
    owner: OwnerId,
    id: string,
    query: Omit<TransactionQuery, 'includePending'>,
    signal: AbortSignal,
  ): Promise<FoundTransaction> {
    const { gateway } = await this.#banking(owner, query.account, 'account', 'Transactions');
    const window = this.#window(query, gateway.timezone);
    const between = `between ${window.from} and ${window.to}`;
    const notFound = new ServiceError('transaction_not_found', {
      message: `No such transaction ${between}.`,
    });
    if (parseProviderRowId('transaction', id)?.provider !== gateway.connection.provider) throw notFound;
    const range = { ...window, includePending: true };
    const search = await this.#deps.gateway.transactions.find(gateway, range, id, signal);
    if (search.outcome === 'found')
      return { row: search.row, categoryOf: await this.#deps.categories(owner) };
    if (search.outcome === 'exhausted') throw notFound;
    if (search.outcome === 'set_aside') throw unreadable(search.row);
    throw new ServiceError('transaction_search_incomplete', {
      message: `There are more rows ${between} than one search reads (${this.#deps.limits.transaction_rows}); narrow from and to.`,
    });
  }

  /** From the cache, without a database read; null when the provider has to be asked. */
  async #cached(owner: OwnerId, query: TransactionQuery): Promise<WindowRead | null> {
    const known = this.#cache.recall(owner, query.account);
    if (known === null) return null;
    const window = this.#window(query, known.timezone);
    const { includePending } = query;
    const read = await this.#deps.gateway.transactions.cachedList(known, { ...window, includePending });
    return read === null ? null : { value: read.value, window };
  }

  async #asked(owner: OwnerId, query: TransactionQuery, signal: AbortSignal): Promise<WindowRead> {
    const { generation } = this.#cache;
    const resolved = await this.#banking(owner, query.account, 'account', 'Transactions');
    const window = this.#window(query, resolved.gateway.timezone);
    const { includePending } = query;
    const read = await this.#deps.gateway.transactions.list(
      resolved.gateway,
      { ...window, includePending },
      signal,
    );
    this.#cache.remember(owner, resolved, generation);
    return { value: read.value, window };
  }

  #window(query: AskedWindow, timezone: string): DayWindow {
    const { clock, limits } = this.#deps;
    return dayWindow(query, { now: clock.now(), timezone }, limits);
  }

  async #banking(
    owner: OwnerId,
    id: RowId<'account'>,
    param: string | null,
    what: string,
  ): Promise<ResolvedAccount> {
    return resolveOfCategory(this.#deps.accounts, owner, id, { category: 'banking', what, param });
  }
}

function unreadable({ field, reason }: SetAsideRow): ServiceError {
  return new ServiceError('upstream_failed', {
    message: `The bank lists this transaction, but its ${field} cannot be used (${reason}).`,
    param: field,
  });
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
 * the cache. Holds no grant, so nothing can be read with it but what the cache already has. It lets no one see more:
 * an account never changes its owner, and what a revoked connection left in the cache is purged by the same notice
 * that clears it here. While notices may be missed nothing is remembered.
 */
class AccountCache {
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
