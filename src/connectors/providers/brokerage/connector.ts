import type { Holding, Trade } from '../../../vocabulary/holdings.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, rowsOf, type WireObject } from '../kit/json.ts';
import { mapped, NO_FACE } from '../kit/set-aside.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  CustomerAccess,
  HistoryState,
  LinkOutcome,
  Provider,
  ProviderAccount,
  ProviderBalance,
  ProviderConsent,
  ProviderCustomer,
  ProviderInstitution,
  ProviderSignal,
  ProviderWebhook,
  TradeQuery,
} from '../provider-contract.ts';
import { BrokerageClient, type BrokerageOptions } from './client.ts';
import {
  brokerRows,
  type Copied,
  CopiedAccounts,
  deleteConnection,
  findConnection,
  isMissing,
  type UserConnection,
  WorkingConnections,
} from './connections.ts';
import { readHoldings } from './holdings.ts';
import { beginLink, completeLink } from './linking.ts';
import {
  accountCurrency,
  accountId,
  connectionOf,
  copyState,
  isClosed,
  mapAccount,
  mapBalance,
  totalCurrency,
} from './map-account.ts';
import { endedConsent, mapConsent, mapInstitution } from './map-connection.ts';
import { TradeReader } from './trade-pages.ts';
import { deleteUser, registerUser } from './users.ts';
import { readNotification } from './webhooks.ts';

const COMMERCIAL: ReadonlySet<Capability> = new Set<Capability>([
  'institutions',
  'customers',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'history_state',
  'refresh',
  'webhooks',
  'holdings',
  'trades',
]);
/** The vendor knows its owner without registration. */
const PERSONAL: ReadonlySet<Capability> = new Set([...COMMERCIAL].filter((one) => one !== 'customers'));

/** The adapter of the SnapTrade API in front of brokers. */
export function createBrokerageProvider(options: BrokerageOptions): BrokerageProvider {
  return new BrokerageProvider(new BrokerageClient(options));
}

export class BrokerageProvider implements Provider {
  readonly identifier = 'brokerage';
  readonly capabilities: ReadonlySet<Capability>;
  readonly personal: boolean;
  /** The outcome of a link can be read any number of times. */
  readonly redeemsOnce = false;
  readonly #client: BrokerageClient;
  readonly #working: WorkingConnections;
  readonly #copied: CopiedAccounts;

  constructor(client: BrokerageClient) {
    this.personal = client.personal;
    this.capabilities = client.personal ? PERSONAL : COMMERCIAL;
    this.#client = client;
    this.#working = new WorkingConnections(client);
    this.#copied = new CopiedAccounts(client.clock);
  }

  async listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]> {
    const rows = await brokerRows(this.#client, signal);
    return rows.map(mapInstitution).filter((institution) => institution !== null);
  }

  createCustomer(key: string, signal: AbortSignal): Promise<ProviderCustomer> {
    return registerUser(this.#client, key, signal);
  }

  /** The owner of a personal key is not a customer of ours. */
  async deleteCustomer(key: string, access: CustomerAccess | null, signal: AbortSignal): Promise<void> {
    if (!this.personal) await deleteUser(this.#client, key, access, signal);
  }

  beginLink(request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    return beginLink(this.#client, request, signal);
  }

  async completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    const outcome = await completeLink(this.#client, request, signal);
    if (request.renew !== null) this.#working.forget({ ...request, ...request.renew });
    return outcome;
  }

  async readConsent(connection: UserConnection, signal: AbortSignal): Promise<ProviderConsent> {
    this.#working.forget(connection);
    const row = await findConnection(this.#client, connection, signal);
    return row === null ? endedConsent(connection.consent) : mapConsent(row);
  }

  async withdraw(connection: UserConnection, signal: AbortSignal): Promise<void> {
    this.#working.forget(connection);
    await deleteConnection(this.#client, connection, signal);
  }

  async listAccounts(
    connection: UserConnection,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    await this.#working.require(connection, signal);
    const rows = await this.#accountRows(connection, signal);
    const copied = rows.map(copyState);
    if (rows.length > 0 && copied.every(({ holdings, hidden }) => holdings === 'loading' && !hidden))
      throw stillCopying();
    const accounts: ProviderAccount[] = [];
    for (const row of rows) {
      const id = accountId(row);
      const unnamed = id !== null && !isClosed(row) && totalCurrency(row) === null;
      // One after the other: the vendor counts calls.
      const cash = unnamed ? await this.#cashIfReadable(connection, id, signal) : [];
      const account = mapped(row, () => mapAccount(row, cash), NO_FACE, setAside);
      if (account !== null) accounts.push(account);
    }
    return accounts;
  }

  /** docs/compatibility.md says which of several currencies is the balance. */
  async readBalance(
    connection: UserConnection,
    account: string,
    _options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    return this.#reading(connection, signal, async () => {
      const row = await this.#accountRow(connection, account, signal);
      if (isClosed(row)) throw gone();
      return mapBalance(row, await this.#cashRows(connection, account, signal));
    });
  }

  readHistoryState(connection: UserConnection, account: string, signal: AbortSignal): Promise<HistoryState> {
    return this.#reading(
      connection,
      signal,
      async () => copyState(await this.#accountRow(connection, account, signal)).trades,
    );
  }

  async requestRefresh(connection: UserConnection, signal: AbortSignal): Promise<void> {
    const path = `/authorizations/${encodeURIComponent(connection.consent)}/refresh`;
    try {
      await this.#client.user(connection, { method: 'POST', path }, signal);
    } catch (error) {
      if (isMissing(error)) throw unknownConnection();
      if (!isContent(error)) throw error;
    }
  }

  /** Makes no call: what a notification is about is read later. */
  async receiveWebhook(notification: ProviderWebhook): Promise<readonly ProviderSignal[] | null> {
    const signals = readNotification(notification, this.#client.consumerKey, this.#client.clock);
    for (const { about, what } of signals ?? [])
      if (what !== 'data_changed') this.#working.forgetNamed(about);
    return signals;
  }

  readHoldings(
    connection: UserConnection,
    account: string,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<Holding[]> {
    return this.#reading(connection, signal, async () => {
      await this.#requireCopied(connection, account, 'holdings', signal);
      let unread = 0;
      const holdings = await readHoldings(
        {
          client: this.#client,
          connection,
          account,
          accountCurrency: () => this.#accountCurrency(connection, account, signal),
          setAside:
            setAside &&
            ((aside) => {
              unread += 1;
              setAside(aside);
            }),
        },
        signal,
      );
      if (holdings.length + unread === 0) await this.#requireShown(connection, account, 'holdings', signal);
      return holdings;
    });
  }

  async *tradePages(
    connection: UserConnection,
    query: TradeQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Trade[]> {
    await this.#working.require(connection, signal);
    const { account } = query;
    const accountCurrency = () => this.#accountCurrency(connection, account, signal);
    const reader = new TradeReader({ client: this.#client, connection, query, accountCurrency }, signal);
    try {
      await this.#requireCopied(connection, account, 'trades', signal);
      yield* reader.pages();
    } catch (error) {
      throw await this.#explained(error, connection, signal);
    }
    if (reader.received > 0) return;
    await this.#reading(connection, signal, () => this.#requireShown(connection, account, 'trades', signal));
  }

  /** Raises UpstreamFailure (`not_ready`) while the first copy is in progress: the data is incomplete. */
  async #requireCopied(
    connection: UserConnection,
    account: string,
    what: Copied,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#copied.has(connection, account, what)) return;
    const state = copyState(await this.#accountRow(connection, account, signal));
    if (state[what] === 'loading' && !(what === 'holdings' && state.hidden)) throw stillCopying();
    this.#copied.add(connection, account, what);
  }

  /**
   * Raises UpstreamFailure if an empty list means nothing: data was not copied, is not shown, or the account is closed.
   */
  async #requireShown(
    connection: UserConnection,
    account: string,
    what: Copied,
    signal: AbortSignal,
  ): Promise<void> {
    const row = await this.#accountRow(connection, account, signal);
    if (isClosed(row)) throw gone();
    const state = copyState(row);
    if (what === 'holdings' && state.hidden)
      throw new UpstreamFailure('not_implemented', 'The broker does not show what this account holds.');
    if (state[what] === 'loading') throw stillCopying();
  }

  async #reading<T>(connection: UserConnection, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#working.require(connection, signal);
    try {
      return await work();
    } catch (error) {
      throw await this.#explained(error, connection, signal);
    }
  }

  /** An account of a connection that has ended is also not found: the connection tells which. */
  async #explained(error: unknown, connection: UserConnection, signal: AbortSignal): Promise<unknown> {
    if (!(error instanceof ErrorAnswer) || error.situation !== 'account_gone') return error;
    try {
      this.#working.forget(connection);
      await this.#working.require(connection, signal);
      return error;
    } catch (reason) {
      return reason;
    }
  }

  async #accountRows(connection: UserConnection, signal: AbortSignal): Promise<WireObject[]> {
    const path = `/authorizations/${encodeURIComponent(connection.consent)}/accounts`;
    const call = { method: 'GET', path, kind: { answer: 'list' } } as const;
    try {
      const rows = rowsOf(parseExact(await this.#client.user(connection, call, signal)), 'accounts');
      if (rows.length > this.#client.limits.list_rows) throw malformed('its list does not end');
      return rows.filter((row) => (connectionOf(row) ?? connection.consent) === connection.consent);
    } catch (error) {
      throw isMissing(error) ? unknownConnection() : error;
    }
  }

  async #accountRow(connection: UserConnection, account: string, signal: AbortSignal): Promise<WireObject> {
    const path = `/accounts/${encodeURIComponent(account)}`;
    const call = { method: 'GET', path, kind: { account: true } } as const;
    const row = parseExact(await this.#client.user(connection, call, signal));
    if (!isWireObject(row) || accountId(row) !== account) throw malformed('it is another account');
    if ((connectionOf(row) ?? connection.consent) !== connection.consent) throw gone();
    return row;
  }

  async #cashRows(connection: UserConnection, account: string, signal: AbortSignal): Promise<WireObject[]> {
    const path = `/accounts/${encodeURIComponent(account)}/balances`;
    const call = { method: 'GET', path, kind: { account: true, answer: 'list' } } as const;
    return rowsOf(parseExact(await this.#client.user(connection, call, signal)), 'balances');
  }

  /** An account without its own currency is listed whatever its cash says. */
  async #cashIfReadable(
    connection: UserConnection,
    account: string,
    signal: AbortSignal,
  ): Promise<WireObject[]> {
    try {
      return await this.#cashRows(connection, account, signal);
    } catch (error) {
      if (error instanceof UpstreamFailure && error.situation === 'malformed') return [];
      throw error;
    }
  }

  async #accountCurrency(connection: UserConnection, account: string, signal: AbortSignal): Promise<string> {
    const row = await this.#accountRow(connection, account, signal);
    const unnamed = totalCurrency(row) === null;
    return accountCurrency(row, unnamed ? await this.#cashRows(connection, account, signal) : []);
  }
}

/**
 * Answers to a refresh request that are not failures: data was just fetched, is being fetched, or is fetched with every
 * read.
 */
function isContent(error: unknown): boolean {
  if (!(error instanceof ErrorAnswer)) return false;
  return error.status === 429 || error.status === 425 || error.situation === 'not_implemented';
}

function stillCopying(): UpstreamFailure {
  return new UpstreamFailure('not_ready', 'The first copy from the broker is under way.');
}

function gone(): UpstreamFailure {
  return new UpstreamFailure('account_gone', 'The account is not among those of the connection.');
}

function unknownConnection(): UpstreamFailure {
  return new UpstreamFailure('grant_rejected', 'The connection is no longer known.');
}
