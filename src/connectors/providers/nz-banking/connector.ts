import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, inner, text, type WireObject } from '../kit/json.ts';
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
  ProviderAccess,
  ProviderAccount,
  ProviderBalance,
  ProviderConsent,
  ProviderInstitution,
  ProviderSignal,
  ProviderWebhook,
  TransactionQuery,
} from '../provider-contract.ts';
import { itemOf, NzBankingClient, type NzBankingOptions } from './client.ts';
import { accountRows, consentOf, ofAuthorisation, requireShared, stateOf } from './connections.ts';
import { failureToEnd, isRevoked } from './failures.ts';
import { connectionRows, mapInstitution } from './institutions.ts';
import { beginLink, beginPersonalLink, completeLink, completePersonalLink, revokeToken } from './linking.ts';
import {
  accountId,
  authorisationOf,
  awaitsRows,
  hasTransactions,
  isActive,
  mapAccount,
  mapBalance,
} from './map-account.ts';
import { TransactionPages } from './transaction-pages.ts';
import { readUser, type UserToken, userTokenOf } from './users.ts';
import { WebhookKeys } from './webhook-keys.ts';
import { receiveWebhook } from './webhooks.ts';

const OF_ALL: readonly Capability[] = [
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'transactions',
  'history_state',
  'pending_transactions',
  'refresh',
];
/** The app's own calls need its secret. */
const OF_SECRET: readonly Capability[] = ['institutions'];
/** The vendor notifies full apps only. */
const OF_FULL: readonly Capability[] = ['webhooks'];

/** The adapter of the Akahu API: as a full app, or as the personal app of one person if their token is given. */
export function createNzBankingProvider(options: NzBankingOptions): NzBankingProvider {
  return new NzBankingProvider(new NzBankingClient(options));
}

export class NzBankingProvider implements Provider {
  readonly identifier = 'nz_banking';
  readonly capabilities: ReadonlySet<Capability>;
  readonly redeemsOnce: boolean;
  readonly #client: NzBankingClient;
  readonly #keys: WebhookKeys;
  /** Whether all data is the operator's, so that only the operator may link it. */
  readonly personal: boolean;
  readonly linksDirectly: boolean;
  /** The token of the owner of a personal app. */
  readonly #personal: string | null;

  constructor(client: NzBankingClient) {
    const { userToken, appSecret } = client.options;
    this.#client = client;
    this.#keys = new WebhookKeys(client);
    this.#personal = userToken;
    this.personal = userToken !== null;
    this.linksDirectly = userToken !== null;
    // A personal app redeems nothing: what its owner shares can be read any number of times.
    this.redeemsOnce = userToken === null;
    this.capabilities = new Set([
      ...OF_ALL,
      ...(appSecret === null ? [] : OF_SECRET),
      ...(userToken === null ? OF_FULL : []),
    ]);
  }

  async listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]> {
    const rows = await connectionRows(this.#client, signal);
    return rows.map(mapInstitution).filter((institution) => institution !== null);
  }

  /** That of the owner of a personal app, with which no call of the app itself is made. */
  async checkCredentials(signal: AbortSignal): Promise<void> {
    if (this.#personal === null) return;
    try {
      await readUser(this.#client, this.#personal, signal);
    } catch (error) {
      if (!isRevoked(error)) throw error;
      throw new UpstreamFailure('own_credentials', 'The app token or the user token is refused.');
    }
  }

  /** Nothing is deleted for the owner of a personal app: the token is the operator's own. */
  async deleteCustomer(_key: string, access: CustomerAccess | null, signal: AbortSignal): Promise<void> {
    if (access === null || access.secret.value === null) return;
    await revokeToken(this.#client, this.#user(access).token, signal);
  }

  async identifyCustomer(access: CustomerAccess, signal: AbortSignal): Promise<string | null> {
    try {
      return (await readUser(this.#client, this.#user(access).token, signal)).id;
    } catch (error) {
      if (isRevoked(error)) return null;
      throw error;
    }
  }

  async beginLink(request: BeginLink): Promise<BegunLink> {
    return this.#personal === null ? beginLink(this.#client, request) : beginPersonalLink(request);
  }

  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    return this.#personal === null
      ? completeLink(this.#client, request, signal)
      : completePersonalLink(this.#client, this.#personal, request, signal);
  }

  async readConsent(access: ProviderAccess, signal: AbortSignal): Promise<ProviderConsent> {
    const { token, grantedAt } = this.#user(access);
    const granted = grantedAt ?? (await readUser(this.#client, token, signal)).grantedAt;
    try {
      const rows = ofAuthorisation(await accountRows(this.#client, token, signal), access.consent);
      return consentOf(access.consent, rows, granted);
    } catch (error) {
      // With the token, every login of the user has ended.
      if (isRevoked(error)) return consentOf(access.consent, [], granted);
      throw error;
    }
  }

  /**
   * Ends the login at the bank. The owner of a personal app, whose token is not stored, does that with the vendor; a
   * person who signed in to a full app cannot, however the service is now set up.
   */
  async withdraw(access: ProviderAccess, signal: AbortSignal): Promise<void> {
    if (this.#personal !== null && access.secret.value === null) return;
    const { token } = this.#user(access);
    if (await this.#isOver(access, token, signal)) return;
    try {
      await this.#client.delete(token, `/authorisations/${encodeURIComponent(access.consent)}`, signal);
    } catch (error) {
      // One that has already ended is not found; this is checked below.
      if (!(error instanceof ErrorAnswer) || error.status !== 404) throw failureToEnd(error);
    }
    if (!(await this.#isOver(access, token, signal)))
      throw new UpstreamFailure('other', 'The bank is still shared after its withdrawal.');
  }

  async listAccounts(
    access: ProviderAccess,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    const rows = await this.#shared(access, signal);
    return rows.flatMap((row) => mapped(row, () => mapAccount(row), NO_FACE, setAside) ?? []);
  }

  async readBalance(
    access: ProviderAccess,
    account: string,
    _options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    const row = await this.#account(access, account, signal);
    const bank = inner(row, 'connection');
    const id = bank === null ? null : text(bank, '_id');
    return mapBalance(row, id !== null && this.#client.options.positiveDebt.has(id));
  }

  async *transactionPages(
    access: ProviderAccess,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const row = await this.#account(access, query.account, signal);
    if (!hasTransactions(row)) return;
    let rows = 0;
    try {
      const reader = new TransactionPages(this.#client, this.#user(access).token, query, signal);
      for await (const page of reader.pages()) {
        rows += page.length;
        yield page;
      }
    } catch (error) {
      throw await this.#explained(error, access, signal);
    }
    // An empty list is not an answer yet: it would look like an account without transactions.
    if (rows === 0 && awaitsRows(row))
      throw new UpstreamFailure('not_ready', 'The first copy from the bank is under way.');
  }

  /** Until the vendor has copied rows of the account once, it gives no time at which it did. */
  async readHistoryState(
    access: ProviderAccess,
    account: string,
    signal: AbortSignal,
  ): Promise<HistoryState> {
    return awaitsRows(await this.#account(access, account, signal)) ? 'loading' : 'unknown';
  }

  /** Requests all accounts of the login at once, as the vendor fetches them. */
  async requestRefresh(access: ProviderAccess, signal: AbortSignal): Promise<void> {
    const row = (await this.#shared(access, signal)).find(
      (one) => isActive(one) && idText(one, '_id') !== null,
    );
    if (row === undefined)
      throw new UpstreamFailure('grant_rejected', 'The login at the bank does not work; sign in again.');
    try {
      const path = `/refresh/${encodeURIComponent(accountId(row))}`;
      await this.#client.post(this.#user(access).token, path, {}, signal);
    } catch (error) {
      // Too soon: the last fetch is recent enough for the vendor.
      if (!(error instanceof UpstreamFailure) || error.situation !== 'rate_limited') throw error;
    }
  }

  receiveWebhook(
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<readonly ProviderSignal[] | null> {
    return receiveWebhook(this.#client, this.#keys, notification, signal);
  }

  #user(access: Pick<CustomerAccess, 'secret'>): UserToken {
    return userTokenOf(access, this.#personal);
  }

  /** The accounts of the login. Raises UpstreamFailure if it is no longer shared. */
  async #shared(access: ProviderAccess, signal: AbortSignal): Promise<WireObject[]> {
    const rows = await accountRows(this.#client, this.#user(access).token, signal);
    requireShared(rows, access.consent);
    return ofAuthorisation(rows, access.consent);
  }

  /** One account of the login. Raises UpstreamFailure for one that is gone, or not of this login. */
  async #account(access: ProviderAccess, account: string, signal: AbortSignal): Promise<WireObject> {
    try {
      const path = `/accounts/${encodeURIComponent(account)}`;
      const row = itemOf(
        await this.#client.get(this.#user(access).token, path, signal, { kind: { account: true } }),
      );
      if (accountId(row) === account && authorisationOf(row) === access.consent) return row;
      throw new UpstreamFailure('account_gone', 'The account is not of this login.');
    } catch (error) {
      throw await this.#explained(error, access, signal);
    }
  }

  /** An account that is not found may have ended with its login: the user's accounts tell. */
  async #explained(error: unknown, access: ProviderAccess, signal: AbortSignal): Promise<unknown> {
    if (!(error instanceof UpstreamFailure) || error.situation !== 'account_gone') return error;
    try {
      await this.#shared(access, signal);
      return error;
    } catch (reason) {
      return reason;
    }
  }

  /** Whether the login is no longer shared; also true if the user's token was revoked. */
  async #isOver(access: ProviderAccess, token: string, signal: AbortSignal): Promise<boolean> {
    try {
      const rows = await accountRows(this.#client, token, signal);
      return stateOf(ofAuthorisation(rows, access.consent)) === 'ended';
    } catch (error) {
      if (isRevoked(error)) return true;
      throw failureToEnd(error);
    }
  }
}
