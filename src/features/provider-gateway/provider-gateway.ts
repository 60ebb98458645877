import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  CustomerAccess,
  HistoryState,
  LinkOutcome,
  ProviderAccount,
  ProviderAccountDetails,
  ProviderConsent,
  ProviderCustomer,
  ProviderGrant,
  ProviderInstitution,
  ProviderSignal,
  ProviderWebhook,
} from '../../connectors/providers/provider-contract.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/providers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAside } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { SignedBalance } from './balance-sign.ts';
import { Breakers } from './breakers.ts';
import { CachedAccountReader } from './cached-account-reader.ts';
import type { GatewayCache } from './gateway-cache.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type {
  AccountReference,
  CachedRead,
  GatewayAccount,
  GatewayConnection,
  LinkingParty,
  MostPages,
  RowSearch,
  StreamWindow,
  TradeRange,
  TransactionRows,
  TransactionWindow,
} from './gateway-types.ts';
import { InstitutionLists } from './institution-lists.ts';
import { PositionsReader } from './positions-reader.ts';
import { TransactionSearch } from './transaction-search.ts';
import { type GrantRejectedListener, UpstreamCalls } from './upstream-calls.ts';

/**
 * The only way to the providers (docs/provider-failures.md). Every method raises ServiceError with its code and
 * nothing else, except that it rejects with `signal.reason` once the caller's own signal aborted.
 */
export class ProviderGateway {
  readonly #calls: UpstreamCalls;
  readonly #reader: CachedAccountReader;
  readonly #search: TransactionSearch;
  readonly #positions: PositionsReader;
  readonly #cache: GatewayCache;
  readonly #institutions: InstitutionLists;
  readonly #limits: ProviderGatewayOptions['limits'];

  constructor(options: ProviderGatewayOptions) {
    this.#calls = new UpstreamCalls(options, new Breakers(options.breaker));
    this.#reader = new CachedAccountReader(options, this.#calls);
    this.#search = new TransactionSearch(options, this.#calls, this.#reader);
    this.#positions = new PositionsReader(options, this.#calls);
    this.#institutions = new InstitutionLists(options, this.#calls);
    this.#cache = options.cache;
    this.#limits = options.limits;
  }

  /** Adds a listener to be called when a provider says that a connection's grant is dead. */
  onGrantRejected(listener: GrantRejectedListener): void {
    this.#calls.onGrantRejected(listener);
  }

  /** What the provider can be asked for; empty when it is not configured. */
  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#calls.capabilities(provider);
  }

  /** Raises `gateway_unavailable` for a provider that is not set up. */
  requireProvider(provider: ProviderIdentifier): void {
    this.#calls.requireProvider(provider);
  }

  /** At most LIMIT_INSTITUTIONS_CACHE_SECONDS old, the same for everybody. `live` asks the provider whatever is cached. */
  listInstitutions(
    provider: ProviderIdentifier,
    options: { readonly live?: boolean },
    signal: AbortSignal,
  ): Promise<readonly ProviderInstitution[]> {
    return this.#institutions.read(provider, options.live === true, signal);
  }

  /** Whether the provider was opened with one person's own credentials. */
  isPersonal(provider: ProviderIdentifier): boolean {
    return this.#calls.isPersonal(provider);
  }

  /** Whether what a person comes back with can be redeemed only once. */
  redeemsOnce(provider: ProviderIdentifier): boolean {
    return this.#calls.adapter(provider, 'link').redeemsOnce;
  }

  /** Makes a customer at the provider for one link. Without the capability `customers`, one known by the key. */
  async createCustomer(party: LinkingParty, key: string, signal: AbortSignal): Promise<ProviderCustomer> {
    this.#calls.requireProvider(party.provider);
    if (!this.capabilities(party.provider).has('customers')) return { id: key, secret: null };
    return this.#calls.provider(party, 'customers', signal, (adapter, s) => adapter.createCustomer(key, s));
  }

  /** Ends what was consented to under the customer, and deletes it. Succeeds when it was gone already. */
  deleteCustomer(
    party: LinkingParty,
    key: string,
    customer: CustomerAccess | null,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#calls.provider(
      party,
      'link',
      signal,
      async (adapter, s) => await adapter.deleteCustomer?.(key, customer, s),
    );
  }

  /** Whose secret it is, by the provider's id; null where it opens nothing, or the provider has no way to tell. */
  identifyCustomer(
    party: LinkingParty,
    customer: CustomerAccess,
    signal: AbortSignal,
  ): Promise<string | null> {
    return this.#calls.provider(
      party,
      'link',
      signal,
      async (adapter, s) => (await adapter.identifyCustomer?.(customer, s)) ?? null,
    );
  }

  /** The consents that are under an end user. */
  standingGrants(
    party: LinkingParty,
    customer: CustomerAccess,
    signal: AbortSignal,
  ): Promise<ProviderGrant[]> {
    return this.#calls.provider(
      party,
      'link',
      signal,
      async (adapter, s) => (await adapter.standingGrants?.(customer, s)) ?? [],
    );
  }

  beginLink(party: LinkingParty, request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    const capability = request.renew === null ? 'link' : 'reauthorize';
    return this.#calls.provider(party, capability, signal, (adapter, s) => adapter.beginLink(request, s));
  }

  completeLink(party: LinkingParty, request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    return this.#calls.provider(party, 'link', signal, (adapter, s) => adapter.completeLink(request, s));
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

  /**
   * Every account of the consent, complete but for those given to `setAside`. Never cached: it decides which accounts
   * exist.
   */
  listAccounts(
    connection: GatewayConnection,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    return this.#calls.connection(connection, 'accounts', signal, (a, s) =>
      a.listAccounts(connection.grant, s, setAside ?? (() => undefined)),
    );
  }

  /**
   * What a notification of the provider says; null where it is not the provider's. Raises `not_supported`. Anybody can
   * send one, so it takes nothing from the provider's calls: no place in its pool, no line in its figures.
   */
  async receiveWebhook(
    provider: ProviderIdentifier,
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<readonly ProviderSignal[] | null> {
    const adapter = this.#calls.adapter(provider, 'webhooks');
    return this.#calls.explained({ provider, owner: null, connection: null }, signal, () =>
      this.#calls.within(signal, (within) => adapter.receiveWebhook(notification, within)),
    );
  }

  /**
   * Asks the provider to fetch from the bank again, at most once in LIMIT_LIVE_BALANCE_MINUTES for a connection: banks and
   * some providers charge for it. Nothing happens where it was asked a moment ago or offers no refresh.
   */
  async requestRefresh(connection: GatewayConnection, signal: AbortSignal): Promise<void> {
    if (!this.capabilities(connection.provider).has('refresh')) return;
    const every = this.#limits.live_balance_minutes * 60_000;
    if ((await this.#cache.takeTurn(`refresh ${connection.id}`, every)) > 0) return;
    await this.#calls.connection(connection, 'refresh', signal, (a, s) =>
      a.requestRefresh(connection.grant, s),
    );
  }

  /**
   * The balance, by the sign it has (docs/balance-signs.md). `live` asks the bank itself rather than what the provider holds. With caching off every read of a
   * provider that can is live, and comes once in LIMIT_LIVE_BALANCE_MINUTES (`balance_refresh_limited`).
   */
  balance(
    account: GatewayAccount,
    options: { readonly live?: boolean },
    signal: AbortSignal,
  ): Promise<CachedRead<SignedBalance>> {
    return this.#reader.balance(account, options.live === true, signal);
  }

  /** What `balance` would answer from memory, whatever it may be asked next; null where nothing is cached. */
  cachedBalance(account: GatewayAccount): Promise<CachedRead<SignedBalance> | null> {
    return this.#reader.cachedBalance(account);
  }

  details(account: GatewayAccount, signal: AbortSignal): Promise<CachedRead<ProviderAccountDetails>> {
    return this.#reader.details(account, signal);
  }

  /** The window up to LIMIT_TRANSACTION_ROWS and to its last page that is read, newest first. */
  transactions(
    account: GatewayAccount,
    window: TransactionWindow,
    signal: AbortSignal,
    pages: MostPages = null,
  ): Promise<CachedRead<TransactionRows>> {
    return this.#reader.transactions(account, window, signal, pages);
  }

  /** What `transactions` would answer from memory, or null when it would have to ask. */
  cachedTransactions(
    account: AccountReference,
    window: TransactionWindow,
    pages: MostPages = null,
  ): Promise<CachedRead<TransactionRows> | null> {
    return this.#reader.cachedTransactions(account, window, pages);
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

  /**
   * Positions held now, but those that cannot be read, which go to `setAside`. Never cached. Raises `not_supported` where
   * the provider lists none.
   */
  holdings(account: GatewayAccount, signal: AbortSignal, setAside?: SetAside): Promise<Holding[]> {
    return this.#positions.holdings(account, signal, setAside);
  }

  /**
   * Hands over every trade of the range, or those of its first pages, a page at a time, within the deadline of one read.
   * Never cached. Raises as `holdings`.
   */
  trades(
    account: GatewayAccount,
    range: TradeRange,
    take: (trades: readonly Trade[]) => void,
    signal: AbortSignal,
    pages: MostPages = null,
  ): Promise<void> {
    return this.#positions.trades(account, range, take, signal, pages);
  }

  /** As `trades`, for a read that may go on for hours: the deadline of a read holds for each page. */
  streamTrades(account: GatewayAccount, range: TradeRange, signal: AbortSignal): AsyncGenerator<Trade[]> {
    return this.#positions.streamTrades(account, range, signal);
  }

  /** Every row of the window, a page at a time, each row once, in the memory of a page. Never cached. */
  streamTransactions(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    return this.#reader.stream(account, window, signal);
  }

  /** What the provider says of the account's history. Never cached. Raises `not_supported` where it says nothing. */
  historyState(account: GatewayAccount, signal: AbortSignal): Promise<HistoryState> {
    return this.#reader.historyState(account, signal);
  }

  /** Forgets every answer cached for the connection; a read under way will not bring one back. */
  async purge(connection: RowId<'connection'>): Promise<void> {
    try {
      await this.#cache.purge(connection);
    } catch (error) {
      throw new ServiceError('gateway_unavailable', {
        message: 'Cached data of the connection could not be purged; try again.',
        cause: error,
      });
    }
  }
}
