import type { ProviderAccountDetails } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import { parseProviderRowId, WITH_TRANSACTIONS } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Accounts, ResolvedAccount } from '../linking/accounts.ts';
import type { AccountReader } from '../provider-gateway/account-reader.ts';
import type { SignedBalance } from '../provider-gateway/balance-sign.ts';
import type { CachedRead, TransactionRows, TransactionWindow } from '../provider-gateway/gateway-types.ts';
import type { TransactionReader } from '../provider-gateway/transaction-reader.ts';
import { AccountCache, type RememberedAccount } from './account-cache.ts';
import { requireCategory, resolveOfCategory } from './account-category.ts';
import { type AskedWindow, type DayWindow, dayWindow, momentWindow } from './transaction-window.ts';

/**
 * The owner's category of a row, as a public id, or null. Created once for a read, then called for each row. The same
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
  /** What `categories` would resolve to without a query; null if there has to be one. */
  readonly knownCategories: (owner: OwnerId) => CategoryOf | null;
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
    const { gateway } = await this.#banking(owner, id, 'Balances');
    return this.#deps.gateway.accounts.balance(gateway, {}, signal);
  }

  /** Raises `resource_missing`, `wrong_endpoint_for_category`, `not_supported` and the upstream codes. */
  async details(
    owner: OwnerId,
    id: RowId<'account'>,
    signal: AbortSignal,
  ): Promise<CachedRead<ProviderAccountDetails>> {
    const { gateway } = await this.#banking(owner, id, 'Account details');
    return this.#deps.gateway.accounts.details(gateway, signal);
  }

  /**
   * The rows of a window, newest first, up to the row ceiling. Raises `resource_missing` (param `account`),
   * `wrong_endpoint_for_category`, `parameter_invalid`, `invalid_date_range`, `from_too_old` and the upstream codes.
   */
  async transactions(owner: OwnerId, query: TransactionQuery, signal: AbortSignal): Promise<TransactionList> {
    const { value, window } = this.#cached(owner, query) ?? (await this.#asked(owner, query, signal));
    return { ...value, ...window, categoryOf: await this.#deps.categories(owner) };
  }

  /** What `transactions` would answer without a query or a call; null if it needs one. Raises as it does. */
  transactionsAtOnce(owner: OwnerId, query: TransactionQuery): TransactionList | null {
    const categoryOf = this.#deps.knownCategories(owner);
    const read = categoryOf === null ? null : this.#cached(owner, query);
    return categoryOf === null || read === null ? null : { ...read.value, ...read.window, categoryOf };
  }

  /**
   * As `transactions`, for an account of a connection and a window by moments (momentWindow), without the owner's
   * categories. `signal` is requested only if the provider has to be called. Raises `resource_missing` with param
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
      requireCategory(provider, { categories: WITH_TRANSACTIONS, what: 'Transactions', param: 'connection' }),
    );
    const resolved = await this.#withTransactions(owner, id);
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
   * `transaction_not_found`, `upstream_failed` for one that cannot be read, and `transaction_search_incomplete` when
   * the budget of a search hides part of the window.
   */
  async transaction(
    owner: OwnerId,
    id: string,
    query: Omit<TransactionQuery, 'includePending'>,
    signal: AbortSignal,
  ): Promise<FoundTransaction> {
    const { gateway } = await this.#withTransactions(owner, query.account);
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

  /** From the cache, without a database read; null if the provider has to be called. */
  #cached(owner: OwnerId, query: TransactionQuery): WindowRead | null {
    const known = this.#cache.recall(owner, query.account);
    if (known === null) return null;
    const window = this.#window(query, known.timezone);
    const { includePending } = query;
    const read = this.#deps.gateway.transactions.cachedList(known, { ...window, includePending });
    return read === null ? null : { value: read.value, window };
  }

  async #asked(owner: OwnerId, query: TransactionQuery, signal: AbortSignal): Promise<WindowRead> {
    const { generation } = this.#cache;
    const resolved = await this.#withTransactions(owner, query.account);
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

  #banking(owner: OwnerId, id: RowId<'account'>, what: string): Promise<ResolvedAccount> {
    return resolveOfCategory(this.#deps.accounts, owner, id, { categories: ['banking'], what, param: null });
  }

  #withTransactions(owner: OwnerId, id: RowId<'account'>): Promise<ResolvedAccount> {
    const rule = { categories: WITH_TRANSACTIONS, what: 'Transactions', param: 'account' } as const;
    return resolveOfCategory(this.#deps.accounts, owner, id, rule);
  }
}

function unreadable({ field, reason }: SetAsideRow): ServiceError {
  return new ServiceError('upstream_failed', {
    message: `The bank lists this transaction, but its ${field} cannot be used (${reason}).`,
    param: field,
  });
}
