import type { Clock } from '../../../platform/clock.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { parseExact, rowsOf, type WireObject } from '../kit/json.ts';
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
  ProviderAccountDetails,
  ProviderBalance,
  ProviderConsent,
  ProviderCustomer,
  ProviderGrant,
  ProviderInstitution,
  ProviderSignal,
  ProviderWebhook,
  TransactionQuery,
} from '../provider-contract.ts';
import {
  AuBankingClient,
  type AuBankingOptions,
  type EndUserConsent,
  isOfConsent,
  wireRows,
} from './client.ts';
import { readFreshness, readHistoryState, refreshedAt } from './freshness.ts';
import { activeGrants, beginLink, completeLink, findConsent, withdrawConsent } from './linking.ts';
import { accountKey, mapAccount, mapBalance } from './map-account.ts';
import { isActive, mapConsent, mapInstitution } from './map-consent.ts';
import { mapDetails } from './map-details.ts';
import { TransactionPages } from './transaction-pages.ts';
import { createEndUser, deleteEndUsers } from './users.ts';
import { readWebhook } from './webhooks.ts';

const CAPABILITIES: readonly Capability[] = [
  'institutions',
  'customers',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'live_balance',
  'details',
  'transactions',
  'history_state',
  'pending_transactions',
];
/**
 * Reserved so that no mail can ever reach it (RFC 2606): the vendor requires an address, and no one should get mail.
 */
const EMAIL_DOMAIN = 'customers.invalid';

/** The adapter of the Fiskil data API in front of the Australian Consumer Data Right. */
export function createAuBankingProvider(options: AuBankingOptions): AuBankingProvider {
  return new AuBankingProvider(new AuBankingClient(options), options);
}

export class AuBankingProvider implements Provider {
  readonly identifier = 'au_banking';
  readonly capabilities: ReadonlySet<Capability>;
  /** The outcome of a link can be read any number of times. */
  readonly redeemsOnce = false;
  readonly #client: AuBankingClient;
  readonly #clock: Clock;
  readonly #webhookSecret: string | null;

  constructor(client: AuBankingClient, { clock, webhookSecret }: AuBankingOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#webhookSecret = webhookSecret ?? null;
    this.capabilities = new Set(
      this.#webhookSecret === null ? CAPABILITIES : [...CAPABILITIES, 'webhooks' as const],
    );
  }

  async listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]> {
    const query = { client_id: this.#client.clientId, industry: 'banking' };
    const rows = rowsOf(
      parseExact(await this.#client.get('/v1/institutions', query, signal, { answer: 'list' })),
      'institutions',
    );
    return rows.map(mapInstitution).filter((institution) => institution !== null);
  }

  async createCustomer(key: string, signal: AbortSignal): Promise<ProviderCustomer> {
    return { id: await createEndUser(this.#client, `${key}@${EMAIL_DOMAIN}`, signal), secret: null };
  }

  deleteCustomer(key: string, access: CustomerAccess | null, signal: AbortSignal): Promise<void> {
    return deleteEndUsers(this.#client, `${key}@${EMAIL_DOMAIN}`, access?.customer ?? null, signal);
  }

  activeGrants({ customer }: CustomerAccess, signal: AbortSignal): Promise<ProviderGrant[]> {
    return activeGrants(this.#client, customer, signal);
  }

  beginLink(request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    return beginLink(this.#client, request, signal);
  }

  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    return completeLink(this.#client, request, signal);
  }

  async readConsent(grant: EndUserConsent, signal: AbortSignal): Promise<ProviderConsent> {
    const row = await findConsent(this.#client, grant, signal);
    if (row === null) throw new UpstreamFailure('grant_rejected', 'The consent is no longer known.');
    return mapConsent(row);
  }

  withdraw(grant: EndUserConsent, signal: AbortSignal): Promise<void> {
    return withdrawConsent(this.#client, grant, signal);
  }

  async listAccounts(
    grant: EndUserConsent,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    return this.#granted(grant, signal, async () => {
      const rows = await this.#accountRows(grant, signal);
      if (rows.length === 0) {
        await this.#requireActive(grant, signal);
        return [];
      }
      const [balanceRows, freshness] = await Promise.all([
        this.#balanceRows(grant, {}, signal),
        this.#freshness(grant, signal),
      ]);
      const balances = new Map(balanceRows.map((row) => [accountKey(row), row]));
      return rows.flatMap((row) => {
        const map = () => mapAccount(row, balances.get(accountKey(row)) ?? null);
        const account = mapped(row, map, NO_FACE, setAside);
        if (account === null) return [];
        const at = refreshedAt(freshness, account.id);
        return at === null ? account : { ...account, refreshedAt: at };
      });
    });
  }

  async readBalance(
    grant: EndUserConsent,
    account: string,
    options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    return this.#granted(grant, signal, async () => {
      const query = { account_id: account, ...(options.live ? { fetch: 'true' } : {}) };
      const rows = await this.#balanceRows(grant, query, signal);
      const row = rows.find((candidate) => accountKey(candidate) === account);
      if (row === undefined)
        return this.#missing(grant, account, 'It returned no balance for this account.', signal);
      return mapBalance(row);
    });
  }

  async readDetails(
    grant: EndUserConsent,
    account: string,
    signal: AbortSignal,
  ): Promise<ProviderAccountDetails> {
    return this.#granted(grant, signal, async () => {
      const row = (await this.#accountRows(grant, signal)).find(
        (candidate) => accountKey(candidate) === account,
      );
      if (row !== undefined) return mapDetails(row);
      await this.#requireActive(grant, signal);
      throw gone();
    });
  }

  async *transactionPages(
    grant: EndUserConsent,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const reader = new TransactionPages(this.#client, grant, query, signal);
    try {
      yield* reader.pages();
    } catch (error) {
      throw await this.#explained(error, grant, signal);
    }
    // For a revoked consent or a closed account, the answer is 200 and an empty list, exactly like a quiet month. One
    // that ends between two pages looks like the end of the list.
    if (reader.received === 0 || reader.answers > 1)
      await this.#requireReadable(grant, query.account, signal);
  }

  readHistoryState(grant: EndUserConsent, account: string, signal: AbortSignal): Promise<HistoryState> {
    return this.#granted(grant, signal, () => readHistoryState(this.#client, grant, account, signal));
  }

  async receiveWebhook(notification: ProviderWebhook): Promise<readonly ProviderSignal[] | null> {
    if (this.#webhookSecret === null) return null;
    const { limits } = this.#client;
    return readWebhook(notification, { secret: this.#webhookSecret, now: this.#clock.now(), limits });
  }

  #accountRows(grant: EndUserConsent, signal: AbortSignal): Promise<WireObject[]> {
    return this.#rows('/v1/banking/accounts', 'accounts', grant, {}, signal);
  }

  /** A list of accounts is useful without it. */
  async #freshness(grant: EndUserConsent, signal: AbortSignal): Promise<readonly WireObject[]> {
    try {
      return (await readFreshness(this.#client, grant, signal)) ?? [];
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamFailure) return [];
      throw error;
    }
  }

  #balanceRows(
    grant: EndUserConsent,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<WireObject[]> {
    return this.#rows('/v1/banking/balances', 'balances', grant, query, signal);
  }

  async #rows(
    path: string,
    plural: string,
    grant: EndUserConsent,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<WireObject[]> {
    const kind = { account: query.account_id !== undefined };
    const read = { path, plural, kind, query: { end_user_id: grant.customer, ...query } };
    const rows = await wireRows(this.#client, read, signal);
    return rows.filter((row) => isOfConsent(row, grant));
  }

  async #granted<T>(grant: EndUserConsent, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.#explained(error, grant, signal);
    }
  }

  /**
   * A 403 without a cause is about the person's consent or our own key, and a 404 for an account is also the answer for
   * a consent that has ended: the consent tells which.
   */
  async #explained(error: unknown, grant: EndUserConsent, signal: AbortSignal): Promise<unknown> {
    if (!(error instanceof ErrorAnswer)) return error;
    const unclear =
      error.situation === 'account_gone' || (error.status === 403 && error.situation === 'other');
    if (!unclear) return error;
    try {
      await this.#requireActive(grant, signal);
      return error;
    } catch (reason) {
      return reason;
    }
  }

  async #requireActive(grant: EndUserConsent, signal: AbortSignal): Promise<void> {
    const consent = await findConsent(this.#client, grant, signal);
    if (consent === null || !isActive(consent)) {
      throw new UpstreamFailure('grant_rejected', 'The consent is no longer active.');
    }
  }

  async #requireReadable(grant: EndUserConsent, account: string, signal: AbortSignal): Promise<void> {
    await this.#requireActive(grant, signal);
    const rows = await this.#accountRows(grant, signal);
    if (!rows.some((row) => accountKey(row) === account)) throw gone();
  }

  async #missing(
    grant: EndUserConsent,
    account: string,
    message: string,
    signal: AbortSignal,
  ): Promise<never> {
    await this.#requireReadable(grant, account, signal);
    throw new UpstreamFailure('malformed', message);
  }
}

function gone(): UpstreamFailure {
  return new UpstreamFailure('account_gone', 'The account is not among those the consent covers.');
}
