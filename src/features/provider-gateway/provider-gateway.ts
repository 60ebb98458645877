import { randomUUID } from 'node:crypto';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  CustomerAccess,
  LinkOutcome,
  ProviderAccount,
  ProviderConsent,
  ProviderCustomer,
  ProviderGrant,
  ProviderSignal,
  ProviderWebhook,
} from '../../connectors/providers/provider-contract.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { LinkTerms } from '../../vocabulary/link-terms.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../vocabulary/set-aside-rows.ts';
import { AccountReader } from './account-reader.ts';
import { CachedReads } from './cached-reads.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayConnection, LinkingIntegration, RereadTurn } from './gateway-types.ts';
import { InstitutionLists } from './institution-lists.ts';
import { PositionsReader } from './positions-reader.ts';
import { TransactionReader } from './transaction-reader.ts';
import { UpstreamCalls } from './upstream-calls.ts';

/**
 * The only way to the providers (docs/provider-failures.md). Every method, including those of its parts, raises only
 * ServiceError with its code, except that it rejects with `signal.reason` once the caller's own signal aborted.
 */
export class ProviderGateway {
  readonly #calls: UpstreamCalls;
  /** Which providers are set up, and what each supports. */
  readonly providers: Pick<
    UpstreamCalls,
    | 'capabilities'
    | 'requireProvider'
    | 'isPersonal'
    | 'connects'
    | 'linksDirectly'
    | 'asks'
    | 'hasTerms'
    | 'onGrantRejected'
  >;
  readonly institutions: InstitutionLists;
  /** Balances and details of accounts. */
  readonly accounts: AccountReader;
  readonly transactions: TransactionReader;
  /** Holdings and trades of accounts. */
  readonly positions: PositionsReader;
  readonly #options: ProviderGatewayOptions;

  constructor(options: ProviderGatewayOptions) {
    this.#calls = new UpstreamCalls(options);
    const reads = new CachedReads(options);
    this.providers = this.#calls;
    this.accounts = new AccountReader(options, this.#calls, reads);
    this.transactions = new TransactionReader(options, this.#calls, reads);
    this.positions = new PositionsReader(options, this.#calls);
    this.institutions = new InstitutionLists(options, this.#calls);
    this.#options = options;
  }

  /** Whether the code that a person returns with can be redeemed only once. */
  redeemsOnce(provider: ProviderIdentifier): boolean {
    return this.#calls.adapter(provider, 'link').redeemsOnce;
  }

  /** Has the provider check credentials that listing institutions does not use. False, without asking, if it cannot. */
  async checkCredentials(provider: ProviderIdentifier, signal: AbortSignal): Promise<boolean> {
    if (this.#calls.requireProvider(provider).checkCredentials === undefined) return false;
    await this.#calls.provider({ provider, owner: null }, 'link', signal, (adapter, s) =>
      Promise.resolve(adapter.checkCredentials?.(s)),
    );
    return true;
  }

  /** Creates a customer at the provider for one link. Without the capability `customers`, one identified by the key. */
  async createCustomer(
    integration: LinkingIntegration,
    key: string,
    signal: AbortSignal,
  ): Promise<ProviderCustomer> {
    this.#calls.requireProvider(integration.provider);
    if (!this.#calls.capabilities(integration.provider).has('customers')) return { id: key, secret: null };
    return this.#calls.provider(integration, 'customers', signal, (adapter, s) =>
      adapter.createCustomer(key, s),
    );
  }

  /** Ends the customer's consents, and deletes it. Succeeds if it was already gone. */
  deleteCustomer(
    integration: LinkingIntegration,
    key: string,
    customer: CustomerAccess | null,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#calls.provider(
      integration,
      'link',
      signal,
      async (adapter, s) => await adapter.deleteCustomer?.(key, customer, s),
    );
  }

  /** Whose secret it is, by the provider's id; null if it gives no access, or the provider cannot tell. */
  identifyCustomer(
    integration: LinkingIntegration,
    customer: CustomerAccess,
    signal: AbortSignal,
  ): Promise<string | null> {
    return this.#calls.provider(
      integration,
      'link',
      signal,
      async (adapter, s) => (await adapter.identifyCustomer?.(customer, s)) ?? null,
    );
  }

  /** The consents of an end user. */
  activeGrants(
    integration: LinkingIntegration,
    customer: CustomerAccess,
    signal: AbortSignal,
  ): Promise<ProviderGrant[]> {
    return this.#calls.provider(
      integration,
      'link',
      signal,
      async (adapter, s) => (await adapter.activeGrants?.(customer, s)) ?? [],
    );
  }

  /** What a person learns and may choose before they sign in at the institution; null if nothing is said of it. */
  readTerms(
    integration: LinkingIntegration,
    institution: string,
    signal: AbortSignal,
  ): Promise<LinkTerms | null> {
    return this.#calls.provider(
      integration,
      'link',
      signal,
      async (adapter, s) => (await adapter.readTerms?.(institution, s)) ?? null,
    );
  }

  beginLink(integration: LinkingIntegration, request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    const capability = request.renew === null ? 'link' : 'reauthorize';
    return this.#calls.provider(integration, capability, signal, (adapter, s) =>
      adapter.beginLink(request, s),
    );
  }

  completeLink(
    integration: LinkingIntegration,
    request: CompleteLink,
    signal: AbortSignal,
  ): Promise<LinkOutcome> {
    return this.#calls.provider(integration, 'link', signal, (adapter, s) =>
      adapter.completeLink(request, s),
    );
  }

  readConsent(connection: GatewayConnection, signal: AbortSignal): Promise<ProviderConsent> {
    return this.#calls.connection(connection, 'consents', signal, (a, s) =>
      a.readConsent(connection.grant, s),
    );
  }

  /** Ends the consent at the provider. Succeeds if it had already ended. */
  withdraw(connection: GatewayConnection, signal: AbortSignal): Promise<void> {
    return this.#calls.connection(connection, 'withdraw', signal, (a, s) => a.withdraw(connection.grant, s));
  }

  /**
   * Every account of the consent, complete except for those passed to `setAside`. Never cached: it decides which
   * accounts exist.
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
   * What a notification of the provider says; null if it is not from the provider. Raises `not_supported`. Anyone can
   * send one, so it does not count as a call to the provider: it takes no slot of its pool and is not in its metrics.
   */
  async receiveWebhook(
    provider: ProviderIdentifier,
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<readonly ProviderSignal[] | null> {
    const adapter = this.#calls.adapter(provider, 'webhooks');
    return this.#calls.within({ provider, owner: null, connection: null }, signal, (within) =>
      adapter.receiveWebhook(notification, within),
    );
  }

  /**
   * Asks the provider to fetch from the bank again, at most once in LIMIT_LIVE_BALANCE_MINUTES for a connection: banks and
   * some providers charge for it. False, without asking, if it was asked recently or offers no refresh.
   */
  async requestRefresh(connection: GatewayConnection, signal: AbortSignal): Promise<boolean> {
    if (!this.#calls.capabilities(connection.provider).has('refresh')) return false;
    const { turns } = this.#options;
    const wait = await turns?.take(`refresh ${connection.id}`, this.#refreshEveryMs);
    if (wait !== undefined && wait > 0) return false;
    await this.#calls.connection(connection, 'refresh', signal, (a, s) =>
      a.requestRefresh(connection.grant, s),
    );
    return true;
  }

  /**
   * Whether the cache of the connection may be purged so that it is read again, which is allowed once in
   * LIMIT_LIVE_BALANCE_MINUTES in all processes together. Takes the turn if so.
   */
  async takeRereadTurn(connection: RowId<'connection'>): Promise<RereadTurn> {
    const { turns, clock } = this.#options;
    const everyMs = this.#refreshEveryMs;
    const now = clock.now();
    const name = `reread ${connection}`;
    const turn = randomUUID();
    const wait = everyMs === 0 ? 0 : ((await turns?.take(name, everyMs, turn)) ?? 0);
    if (wait > 0) {
      return { taken: false, at: now + wait - everyMs, next: now + wait, giveBack: async () => undefined };
    }
    return { taken: true, at: now, next: now + everyMs, giveBack: async () => turns?.giveBack(name, turn) };
  }

  get #refreshEveryMs(): number {
    return this.#options.limits.live_balance_minutes * 60_000;
  }

  /** Drops every answer cached for the connection; one in progress will not be cached. */
  purge(connection: RowId<'connection'>): void {
    this.#options.cache.purge(connection);
  }
}
