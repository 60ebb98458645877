import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkOutcome,
  Provider,
  ProviderAccount,
  ProviderAccountDetails,
  ProviderBalance,
  ProviderConsent,
  ProviderInstitution,
} from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/providers.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { GatewayCache } from './gateway-cache.ts';
import type {
  CachedRead,
  GatewayAccount,
  GatewayConnection,
  GatewayLog,
  GatewayMetrics,
  StreamWindow,
  TransactionRows,
  TransactionWindow,
} from './gateway-types.ts';

/** What a gateway is built from. */
export interface ProviderGatewayOptions {
  readonly providers: ReadonlyMap<ProviderIdentifier, Provider>;
  readonly cache: GatewayCache;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly metrics: GatewayMetrics;
}

export type GrantRejectedListener = (connection: RowId<'connection'>) => Promise<void>;

/**
 * The only door to the providers (design section 7). Every method raises ServiceError with a code of SPEC and
 * nothing else, except that it rejects with `signal.reason` when the caller's own signal aborted.
 */
export class ProviderGateway {
  readonly #options: ProviderGatewayOptions;

  constructor(options: ProviderGatewayOptions) {
    this.#options = options;
  }

  /** Called whenever a provider says that a connection's grant is dead. */
  onGrantRejected(_listener: GrantRejectedListener): void {}

  /** What the provider can be asked for; empty when it is not configured. */
  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#options.providers.get(provider)?.capabilities ?? new Set();
  }

  listInstitutions(_provider: ProviderIdentifier, _signal: AbortSignal): Promise<ProviderInstitution[]> {
    throw new TypeError('not yet');
  }

  createCustomer(_provider: ProviderIdentifier, _key: string, _signal: AbortSignal): Promise<string> {
    throw new TypeError('not yet');
  }

  beginLink(_provider: ProviderIdentifier, _request: BeginLink, _signal: AbortSignal): Promise<BegunLink> {
    throw new TypeError('not yet');
  }

  completeLink(
    _provider: ProviderIdentifier,
    _request: CompleteLink,
    _signal: AbortSignal,
  ): Promise<LinkOutcome> {
    throw new TypeError('not yet');
  }

  readConsent(_connection: GatewayConnection, _signal: AbortSignal): Promise<ProviderConsent> {
    throw new TypeError('not yet');
  }

  /** Ends the consent at the vendor. Succeeds when it was over already. */
  withdraw(_connection: GatewayConnection, _signal: AbortSignal): Promise<void> {
    throw new TypeError('not yet');
  }

  listAccounts(_connection: GatewayConnection, _signal: AbortSignal): Promise<ProviderAccount[]> {
    throw new TypeError('not yet');
  }

  balance(
    _account: GatewayAccount,
    _options: { live?: boolean },
    _signal: AbortSignal,
  ): Promise<CachedRead<ProviderBalance>> {
    throw new TypeError('not yet');
  }

  details(_account: GatewayAccount, _signal: AbortSignal): Promise<CachedRead<ProviderAccountDetails>> {
    throw new TypeError('not yet');
  }

  /** The whole window up to the row ceiling, newest first. */
  transactions(
    _account: GatewayAccount,
    _window: TransactionWindow,
    _signal: AbortSignal,
  ): Promise<CachedRead<TransactionRows>> {
    throw new TypeError('not yet');
  }

  /** Every row of the window, a page at a time, each row once, in the memory of one page. */
  streamTransactions(
    _account: GatewayAccount,
    _window: StreamWindow,
    _signal: AbortSignal,
  ): AsyncIterable<Transaction[]> {
    throw new TypeError('not yet');
  }

  /** Forgets every answer kept for the connection. */
  purge(connection: RowId<'connection'>): Promise<void> {
    return this.#options.cache.purge(connection);
  }
}
