import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkOutcome,
  ProviderAccount,
  ProviderAccountDetails,
  ProviderBalance,
  ProviderConsent,
  ProviderInstitution,
} from '../../connectors/providers/provider-contract.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/providers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import { AccountReader } from './account-reader.ts';
import { Breakers } from './breakers.ts';
import type { GatewayCache } from './gateway-cache.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type {
  AccountReference,
  CachedRead,
  DayRange,
  GatewayAccount,
  GatewayConnection,
  RowSearch,
  StreamWindow,
  TransactionRows,
  TransactionWindow,
} from './gateway-types.ts';
import { PositionsReader } from './positions-reader.ts';
import { TransactionSearch } from './transaction-search.ts';
import { type GrantRejectedListener, UpstreamCalls } from './upstream-calls.ts';

/**
 * The only door to the providers (design section 7). Every method raises ServiceError with a code of SPEC and
 * nothing else, except that it rejects with `signal.reason` once the caller's own signal aborted.
 */
export class ProviderGateway {
  readonly #calls: UpstreamCalls;
  readonly #reader: AccountReader;
  readonly #search: TransactionSearch;
  readonly #positions: PositionsReader;
  readonly #cache: GatewayCache;

  constructor(options: ProviderGatewayOptions) {
    this.#calls = new UpstreamCalls(options, new Breakers(options.breaker));
    this.#reader = new AccountReader(options, this.#calls);
    this.#search = new TransactionSearch(options, this.#calls, this.#reader);
    this.#positions = new PositionsReader(this.#calls);
    this.#cache = options.cache;
  }

  /** Adds a listener to be called when a provider says that a connection's grant is dead. */
  onGrantRejected(listener: GrantRejectedListener): void {
    this.#calls.onGrantRejected(listener);
  }

  /** What the provider can be asked for; empty when it is not configured. */
  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#calls.capabilities(provider);
  }

  listInstitutions(provider: ProviderIdentifier, signal: AbortSignal): Promise<ProviderInstitution[]> {
    return this.#calls.provider(provider, 'institutions', signal, (adapter, s) =>
      adapter.listInstitutions(s),
    );
  }

  /** Makes the person behind an account record known to the provider. Call once and keep the answer. */
  createCustomer(provider: ProviderIdentifier, key: string, signal: AbortSignal): Promise<string> {
    return this.#calls.provider(provider, 'link', signal, (adapter, s) => adapter.createCustomer(key, s));
  }

  beginLink(provider: ProviderIdentifier, request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    const capability = request.renew === null ? 'link' : 'reauthorize';
    return this.#calls.provider(provider, capability, signal, (adapter, s) => adapter.beginLink(request, s));
  }

  completeLink(
    provider: ProviderIdentifier,
    request: CompleteLink,
    signal: AbortSignal,
  ): Promise<LinkOutcome> {
    return this.#calls.provider(provider, 'link', signal, (adapter, s) => adapter.completeLink(request, s));
  }

  readConsent(connection: GatewayConnection, signal: AbortSignal): Promise<ProviderConsent> {
    return this.#calls.connection(connection, 'consents', signal, (a, s) =>
      a.readConsent(connection.grant, s),
    );
  }

  /** Ends the consent at the provider. Succeeds when it was over already. */
  withdraw(connection: GatewayConnection, signal: AbortSignal): Promise<void> {
    return this.#calls.connection(connection, 'withdraw', signal, (a, s) => a.withdraw(connection.grant, s));
  }

  /** Every account of the consent, complete. Never cached: it decides which accounts exist. */
  listAccounts(connection: GatewayConnection, signal: AbortSignal): Promise<ProviderAccount[]> {
    return this.#calls.connection(connection, 'accounts', signal, (a, s) =>
      a.listAccounts(connection.grant, s),
    );
  }

  /**
   * The balance. `live` asks the bank itself rather than what the provider holds. With caching off every read of a
   * provider that can is live, and comes once in LIMIT_LIVE_BALANCE_MINUTES (`balance_refresh_limited`).
   */
  balance(
    account: GatewayAccount,
    options: { readonly live?: boolean },
    signal: AbortSignal,
  ): Promise<CachedRead<ProviderBalance>> {
    return this.#reader.balance(account, options.live === true, signal);
  }

  details(account: GatewayAccount, signal: AbortSignal): Promise<CachedRead<ProviderAccountDetails>> {
    return this.#reader.details(account, signal);
  }

  /** The whole window up to LIMIT_TRANSACTION_ROWS, newest first. */
  transactions(
    account: GatewayAccount,
    window: TransactionWindow,
    signal: AbortSignal,
  ): Promise<CachedRead<TransactionRows>> {
    return this.#reader.transactions(account, window, signal);
  }

  /** What `transactions` would answer from memory, or null when it would have to ask. */
  keptTransactions(
    account: AccountReference,
    window: TransactionWindow,
  ): Promise<CachedRead<TransactionRows> | null> {
    return this.#reader.keptTransactions(account, window);
  }

  /** Looks for the row of a v2 id in the window, within the budget of one search, and stops where it is found. */
  findTransaction(
    account: GatewayAccount,
    window: TransactionWindow,
    id: string,
    signal: AbortSignal,
  ): Promise<RowSearch> {
    return this.#search.find(account, window, id, signal);
  }

  /** Positions held now. Never cached. Raises `not_supported` where the provider lists none. */
  holdings(account: GatewayAccount, signal: AbortSignal): Promise<Holding[]> {
    return this.#positions.holdings(account, signal);
  }

  /** Trades of the days of the range. Never cached. Raises `not_supported` where the provider lists none. */
  trades(account: GatewayAccount, range: DayRange, signal: AbortSignal): Promise<Trade[]> {
    return this.#positions.trades(account, range, signal);
  }

  /** Every row of the window, a page at a time, each row once, in the memory of a page. Never cached. */
  streamTransactions(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    return this.#reader.stream(account, window, signal);
  }

  /** Forgets every answer kept for the connection; a read under way will not bring one back. */
  async purge(connection: RowId<'connection'>): Promise<void> {
    try {
      await this.#cache.purge(connection);
    } catch (error) {
      throw new ServiceError('gateway_unavailable', {
        message: 'What is kept of the connection could not be purged; try again.',
        cause: error,
      });
    }
  }
}
