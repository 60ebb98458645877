import type { LinkTerms } from '../../../vocabulary/link-terms.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { malformed, rowsOf, texts } from '../kit/json.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  CustomerAccess,
  LinkOutcome,
  Provider,
  ProviderAccess,
  ProviderAccount,
  ProviderBalance,
  ProviderConsent,
  ProviderInstitution,
  TransactionQuery,
} from '../provider-contract.ts';
import { EnableBankingClient, type EnableBankingOptions } from './client.ts';
import { Banks, termsOf } from './institutions.ts';
import { beginLink, completeLink, deleteSession, readSession } from './linking.ts';
import { mapAccount, mapBalance } from './map-account.ts';
import { consentOf, requireAccount, requireSession, sessionIn } from './sessions.ts';
import { Reaches, TransactionPages } from './transaction-pages.ts';
import { zoneOf } from './zones.ts';

const CAPABILITIES: readonly Capability[] = [
  'institutions',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'transactions',
  'pending_transactions',
];
const MOST_BALANCES = 200;

/** The adapter of Enable Banking, which connects to banks in Europe and the United Kingdom. */
export function createEnableBankingProvider(options: EnableBankingOptions): EnableBankingProvider {
  return new EnableBankingProvider(new EnableBankingClient(options));
}

/**
 * A session is a consent, and ends with it: signing in again opens another, in which the accounts have other names. What
 * calls need to know of a session is the secret of its customer, so each session is a customer of its own.
 */
export class EnableBankingProvider implements Provider {
  readonly identifier = 'enable_banking';
  readonly capabilities: ReadonlySet<Capability> = new Set(CAPABILITIES);
  readonly redeemsOnce = true;
  readonly #client: EnableBankingClient;
  readonly #banks: Banks;
  readonly #reaches = new Reaches();

  constructor(client: EnableBankingClient) {
    this.#client = client;
    this.#banks = new Banks(client);
  }

  listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]> {
    return this.#banks.list(signal);
  }

  async readTerms(institution: string, signal: AbortSignal): Promise<LinkTerms> {
    return termsOf(await this.#banks.require(institution, signal));
  }

  async deleteCustomer(_key: string, access: CustomerAccess | null, signal: AbortSignal): Promise<void> {
    const session = sessionIn(access?.secret.value ?? null);
    if (session !== null) await deleteSession(this.#client, session.id, signal);
  }

  /** A session names itself. */
  async identifyCustomer({ secret }: CustomerAccess): Promise<string | null> {
    return sessionIn(secret.value)?.id ?? null;
  }

  beginLink(request: BeginLink, signal: AbortSignal): Promise<BegunLink> {
    return beginLink(this.#client, this.#banks, request, signal);
  }

  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    return completeLink(this.#client, this.#banks, request, signal);
  }

  async readConsent(access: ProviderAccess, signal: AbortSignal): Promise<ProviderConsent> {
    const session = requireSession(access);
    return consentOf(session, await readSession(this.#client, session.id, signal));
  }

  withdraw({ consent }: ProviderAccess, signal: AbortSignal): Promise<void> {
    return deleteSession(this.#client, consent, signal);
  }

  /** From what the vendor keeps of the session: the bank is not asked, as each question would count. */
  async listAccounts(
    access: ProviderAccess,
    signal: AbortSignal,
    _setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    const session = requireSession(access);
    const answer = await readSession(this.#client, session.id, signal);
    if (answer === null || consentOf(session, answer).state === 'ended')
      throw new UpstreamFailure('grant_rejected', 'The session has ended.');
    if (!Array.isArray(answer.accounts)) throw malformed('its session has no list of accounts');
    const readable = new Set(texts(answer, 'accounts'));
    const zone = zoneOf(access.institution);
    return session.accounts
      .filter(({ uid }) => uid === null || readable.has(uid))
      .map((account) => mapAccount(account, zone));
  }

  async readBalance(
    access: ProviderAccess,
    account: string,
    _options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    const found = requireAccount(requireSession(access), account);
    const path = `/accounts/${encodeURIComponent(found.uid)}/balances`;
    const kind = { account: true, answer: 'list' } as const;
    const rows = rowsOf(await this.#client.get(path, signal, { kind }), 'balances');
    if (rows.length > MOST_BALANCES) throw malformed('its list does not end');
    return mapBalance(rows, found);
  }

  async *transactionPages(
    access: ProviderAccess,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const session = requireSession(access);
    const { uid } = requireAccount(session, query.account);
    const place = { session: session.id, uid, reaches: this.#reaches };
    yield* new TransactionPages(this.#client, place, query, signal).pages();
  }
}
