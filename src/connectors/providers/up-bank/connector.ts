import type { Clock } from '../../../platform/clock.ts';
import type { AccountType } from '../../../vocabulary/account-types.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, inner, malformed, nameText, text, type WireObject } from '../kit/json.ts';
import { allRows } from '../kit/paging.ts';
import { balanceOf, mapped, NO_FACE, requiredAccountId } from '../kit/set-aside.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkOutcome,
  Provider,
  ProviderAccount,
  ProviderBalance,
  ProviderConsent,
  ProviderGrant,
  ProviderInstitution,
  ProviderSignal,
  ProviderWebhook,
  TransactionQuery,
} from '../provider-contract.ts';
import { UpBankClient, type UpBankOptions } from './client.ts';
import { attributesOf, moneyOf } from './resource.ts';
import { transactionPages } from './transaction-pages.ts';
import { isAuthentic, rowsEvent, signalOf } from './webhooks.ts';

const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['TRANSACTIONAL', 'transaction'],
  ['SAVER', 'savings'],
  ['HOME_LOAN', 'loan'],
]);
/** The currency of all of Up's accounts, used if a balance does not name one. */
const DEFAULT_CURRENCY = 'aud';

/** One account. Up gives no account number, not even a masked one. Raises UnusableMember without an id. */
export function mapAccount(resource: WireObject): ProviderAccount {
  const id = requiredAccountId(idText(resource, 'id'));
  const attributes = attributesOf(resource);
  return {
    id,
    formerIds: [],
    available: true,
    name: nameText(attributes, 'displayName') ?? 'Account',
    type: TYPES.get(text(attributes, 'accountType') ?? '') ?? 'other',
    maskedNumber: null,
    fullNumber: null,
    currency:
      currencyCode(text(inner(attributes, 'balance') ?? {}, 'currencyCode') ?? '') ?? DEFAULT_CURRENCY,
  };
}

/**
 * The only balance that Up has of an account: holds are already subtracted, so it is both the current and the available
 * one.
 */
export function mapBalance(resource: WireObject): ProviderBalance {
  const read = () => moneyOf(attributesOf(resource), 'balance', 'current');
  return balanceOf({
    currency: () => read().money.currency,
    current: () => read().decimal,
    available: () => read().decimal,
  });
}

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
const BANK = { id: 'up', name: 'Up' } as const;
const DATA_CATEGORIES = ['accounts', 'balances', 'transactions'];

/** The adapter of the bank Up, with one person's own access token. */
export function createUpBankProvider(options: UpBankOptions): UpBankProvider {
  return new UpBankProvider(options);
}

/**
 * The token in the configuration is the consent, identified by the person it belongs to. A new token of the same person
 * continues the connection; one of another person gives no access to anything linked before.
 */
export class UpBankProvider implements Provider {
  readonly identifier = 'up_bank';
  readonly capabilities: ReadonlySet<Capability>;
  readonly personal = true;
  readonly linksDirectly = true;
  /** The outcome of a link can be read any number of times. */
  readonly redeemsOnce = false;
  readonly #client: UpBankClient;
  readonly #clock: Clock;
  readonly #webhookSecret: string | null;

  constructor(options: UpBankOptions) {
    this.#client = new UpBankClient(options);
    this.#clock = options.clock;
    this.#webhookSecret = options.webhookSecret;
    this.capabilities = new Set(
      this.#webhookSecret === null ? CAPABILITIES : [...CAPABILITIES, 'webhooks' as const],
    );
  }

  /** The only one, which can be linked while the token works. */
  async listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]> {
    const { state } = await this.#consentNow(signal);
    return [{ ...BANK, shortName: BANK.name, logo: '', available: state === 'active', status: null }];
  }

  /** Up has no page of its own for this: the person agreed when creating the token, and goes straight back. */
  async beginLink({ redirectUri, state }: BeginLink): Promise<BegunLink> {
    const back = new URL(redirectUri);
    back.searchParams.set('state', state);
    return { url: back.href, memo: '', expiresAt: null };
  }

  async completeLink({ renew }: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    const consent = await this.#consentNow(signal);
    if (consent.state === 'ended') return { kind: 'failed', reason: 'authentication_failed' };
    // A connection never changes its person; the bank has to be linked again.
    if (renew !== null && renew.consent !== consent.id) return { kind: 'failed', reason: 'not_eligible' };
    const grant = { consent: consent.id, institution: BANK.id };
    return {
      kind: 'linked',
      customer: null,
      grants: [{ grant, consent, institution: { ...BANK, logo: null } }],
    };
  }

  async readConsent({ consent }: ProviderGrant, signal: AbortSignal): Promise<ProviderConsent> {
    const now = await this.#consentNow(signal);
    return now.id === consent ? now : { ...now, id: consent, state: 'ended' };
  }

  /**
   * Makes no call to Up: a token cannot revoke itself, and it is the operator's. Only its use ends, because the token
   * is not stored with the connection (docs/providers.md#up).
   */
  async withdraw(): Promise<void> {}

  async listAccounts(
    grant: ProviderGrant,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    await this.#requireHolder(grant, signal);
    const read = { path: '/accounts', query: {}, kind: { account: false, answer: 'list' } } as const;
    const rows = await allRows(() => this.#client.pages(read, signal), this.#client.limits);
    return rows.flatMap((row) => mapped(row, () => mapAccount(row), NO_FACE, setAside) ?? []);
  }

  async readBalance(
    grant: ProviderGrant,
    account: string,
    _options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    await this.#requireHolder(grant, signal);
    const kind = { cursor: false, account: true, answer: 'object' } as const;
    const path = `/accounts/${encodeURIComponent(account)}`;
    const resource = inner(await this.#client.get(path, signal, {}, kind), 'data');
    if (resource === null || idText(resource, 'id') !== account)
      throw malformed('it is about another account');
    return mapBalance(resource);
  }

  async *transactionPages(
    grant: ProviderGrant,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    await this.#requireHolder(grant, signal);
    yield* transactionPages(this.#client, query, signal);
  }

  async receiveWebhook(
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<readonly ProviderSignal[] | null> {
    if (this.#webhookSecret === null || !isAuthentic(notification, this.#webhookSecret)) return null;
    const event = rowsEvent(notification.body, this.#client.limits);
    return event === null ? [] : [signalOf(event, await this.#client.holder(signal))];
  }

  /** The consent as it is now. Up does not say since when: it counts as given when it is first seen. */
  async #consentNow(signal: AbortSignal): Promise<ProviderConsent> {
    const consent = {
      grantedAt: this.#clock.now(),
      expiresAt: null,
      purpose: null,
      dataCategories: DATA_CATEGORIES,
      terminationReason: null,
    };
    try {
      return { ...consent, id: await this.#client.ping(signal), state: 'active' };
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.situation !== 'grant_rejected') throw error;
      return { ...consent, id: '', state: 'ended' };
    }
  }

  async #requireHolder({ consent }: ProviderGrant, signal: AbortSignal): Promise<void> {
    if ((await this.#client.holder(signal)) === consent) return;
    throw new UpstreamFailure('grant_rejected', 'The token now belongs to another person.');
  }
}
