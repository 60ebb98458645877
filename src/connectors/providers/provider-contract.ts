import type { AccountType } from '../../vocabulary/account-types.ts';
import type { AuthorizationCallback, AuthorizationRequest } from '../../vocabulary/authorization.ts';
import type { KnownBalanceSign } from '../../vocabulary/balance-signs.ts';
import type { EnteredProblem } from '../../vocabulary/entered-values.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { LinkTerms } from '../../vocabulary/link-terms.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { Money } from '../../vocabulary/money.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { SetAside, UnreadableBalance } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { CustomerSecret } from './customer-secret.ts';

/**
 * What every provider adapter implements (docs/adding-a-provider.md). An adapter speaks the vendor's protocol and
 * returns these types; it knows no account record, no storage and no cache. Every failure it raises is an
 * UpstreamFailure. Every method honours `signal`.
 *
 * Optional members belong to the capabilities that `capability-members.ts` lists them under. The gateway offers a
 * capability if the adapter names it and has its members; anything else raises `not_supported`.
 */
export interface Provider {
  readonly identifier: ProviderIdentifier;
  readonly capabilities: ReadonlySet<Capability>;

  listInstitutions?(signal: AbortSignal): Promise<ProviderInstitution[]>;
  /**
   * Has the vendor check credentials of the operator that `listInstitutions` does not use; raises UpstreamFailure
   * (`own_credentials`) if it refuses them. For adapters that may have such credentials.
   */
  checkCredentials?(signal: AbortSignal): Promise<void>;
  /**
   * Whether the code that a person returns with can be redeemed only once, like an OAuth code. If not, a failed
   * callback is repeated; if so, the person has to sign in at the vendor again.
   */
  readonly redeemsOnce: boolean;
  /**
   * Whether the adapter was opened with credentials of the operator for one person's own accounts. At most one account
   * record may link it (docs/linking.md#personal-credentials).
   */
  readonly personal?: boolean;
  /** Whether linking sends the person straight back, because there is no page of the vendor to open. */
  readonly linksDirectly?: boolean;
  /** Set if linking needs a value that the person enters here, such as a token that another page gave them. */
  readonly asks?: {
    /** The address of that page. */
    readonly page: string;
    /** What is wrong with a value, as far as can be told without a call; null if nothing is. */
    problemWith(entered: string): EnteredProblem | null;
  };
  /** What a person learns and may choose before they sign in at an institution, by its id. */
  readTerms?(institution: string, signal: AbortSignal): Promise<LinkTerms>;
  /**
   * Creates a customer at the vendor, for one link and with a random key: its consents are those of this link. A key is
   * never used again after a call whose answer was lost. Omitted for a vendor without customers; the customer is then
   * identified by the key, and signing in may tell who it is.
   */
  createCustomer?(key: string, signal: AbortSignal): Promise<ProviderCustomer>;
  /**
   * Ends every consent of the customer and deletes it, or revokes its tokens. Succeeds if it was already gone.
   * `customer` is null if the outcome of its creation is unknown: the key finds it. Omitted if a vendor stores only
   * consents.
   */
  deleteCustomer?(key: string, customer: CustomerAccess | null, signal: AbortSignal): Promise<void>;
  /**
   * Whose secret it is, by the vendor's id, for one that was stored before the vendor had said so (CompleteLink.keep);
   * null if it no longer gives access. For adapters that store secrets.
   */
  identifyCustomer?(customer: CustomerAccess, signal: AbortSignal): Promise<string | null>;
  /** The customer's consents. Only for adapters whose customers were once shared by links. */
  activeGrants?(customer: CustomerAccess, signal: AbortSignal): Promise<ProviderGrant[]>;
  beginLink(request: BeginLink, signal: AbortSignal): Promise<BegunLink>;
  /** Reads the outcome of a link after the person has returned. `pending` means: ask again later. */
  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome>;

  /** What the vendor now says about the consent and its login at the bank. */
  readConsent?(access: ProviderAccess, signal: AbortSignal): Promise<ProviderConsent>;
  /** Ends the consent at the vendor and confirms that it ended. Succeeds if it had already ended. */
  withdraw(access: ProviderAccess, signal: AbortSignal): Promise<void>;

  /**
   * Every account the consent covers, complete: an account that is missing is gone, unless one was set aside. An
   * account is listed as long as its id can be read.
   */
  listAccounts(access: ProviderAccess, signal: AbortSignal, setAside?: SetAside): Promise<ProviderAccount[]>;
  readBalance?(
    access: ProviderAccess,
    account: string,
    options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance>;
  readDetails?(access: ProviderAccess, account: string, signal: AbortSignal): Promise<ProviderAccountDetails>;
  /**
   * Rows of one account, a page at a time as the vendor pages, newest first as the vendor orders, without repeats
   * within one call. Takes the memory of one page. Rows outside the window may be included; the gateway filters by
   * date.
   *
   * The id of a row, including pending ones, identifies one row of this account. A row of another account may have it,
   * as when two holders of a joint account linked it: rows are found again by account and id.
   *
   * A row that cannot be read is passed to `query.setAside` and left out (docs/rows-set-aside.md); without one it fails
   * the read. Optional members that cannot be read are null.
   */
  transactionPages?(
    access: ProviderAccess,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncIterable<Transaction[]>;
  /**
   * What the vendor says about the account's history: whether everything it will ever copy from the past is there. Call
   * it before the rows are read, so that `complete` applies to them.
   */
  readHistoryState?(access: ProviderAccess, account: string, signal: AbortSignal): Promise<HistoryState>;
  /** Asks the vendor to fetch from the bank again, without waiting for it. Succeeds if it was asked too soon. */
  requestRefresh?(access: ProviderAccess, signal: AbortSignal): Promise<void>;
  /**
   * What a notification of the vendor says, from the body as sent; null if its signature is invalid or it is too old.
   * For one that means nothing to us, an empty list.
   */
  receiveWebhook?(
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<readonly ProviderSignal[] | null>;
  /** Every position held now, except those passed to `setAside`. */
  readHoldings?(
    access: ProviderAccess,
    account: string,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<Holding[]>;
  /**
   * Trades of the window, a page at a time as the vendor pages, without repeats within one call; others may be
   * included. An id identifies one trade of its account: equal trades of two accounts may have the same id, so a
   * destination with trades of several accounts finds them by account and id.
   */
  tradePages?(access: ProviderAccess, query: TradeQuery, signal: AbortSignal): AsyncIterable<Trade[]>;
}

/**
 * `unknown`: the vendor does not say, or says it in a way that we do not understand. `forgotten`: nothing will be added
 * from the past, and part of what was there has been deleted, so a row that is missing was not withdrawn.
 */
export type HistoryState = 'complete' | 'loading' | 'unknown' | 'forgotten' | ExactHistory;

/**
 * The rows come from the service itself. A read before and after which they have the same version is never incomplete,
 * so that a row which is missing from it was taken out by its owner.
 */
export interface ExactHistory {
  readonly version: string;
}

/** The version of an exact history; null for any other. */
export function versionOf(state: HistoryState | null): string | null {
  return typeof state === 'object' && state !== null ? state.version : null;
}

/** The customer as the vendor knows it; sealed in storage, never shown. */
export interface ProviderCustomer {
  readonly id: string;
  /** What gives access to the customer's data; null if the vendor has none, or issues it at sign-in. */
  readonly secret: string | null;
}

/** A customer as passed to adapters. */
export interface CustomerAccess {
  /** The vendor's id. */
  readonly customer: string;
  readonly secret: CustomerSecret;
}

/** What the vendor needs to find our consent again, in addition to its customer; sealed in storage, never shown. */
export interface ProviderGrant {
  readonly consent: string;
  readonly institution: string;
}

/** A consent as passed to adapters: with the customer as currently stored. */
export interface ProviderAccess extends ProviderGrant, CustomerAccess {}

export interface ProviderInstitution {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly logo: string;
  readonly available: boolean;
  readonly status: 'ONLINE' | 'OUTAGE' | null;
}

export interface BeginLink extends AuthorizationRequest, CustomerAccess {
  readonly institution: string | null;
  /** Set to renew an existing consent of this customer in place. */
  readonly renew: ProviderGrant | null;
  /**
   * What the person entered, for an adapter that asks: a secret, which belongs into nothing but `memo`. For one with
   * terms, the id of the way that they chose, or any other text, which counts as none.
   */
  readonly entered?: string | null;
}

export interface BegunLink {
  /** The vendor's hosted page. */
  readonly url: string;
  /** What completeLink needs; stored sealed until then. Contains no personal data. */
  readonly memo: string;
  /** Epoch ms until which the page can be used; null if the vendor does not say. */
  readonly expiresAt: number | null;
}

export interface CompleteLink extends AuthorizationCallback, CustomerAccess {
  readonly institution: string | null;
  /** The result of beginLink. */
  readonly memo: string;
  readonly renew: ProviderGrant | null;
  /**
   * Stores a secret as soon as the vendor has issued it for the code that the person returned with, and before any
   * other call: if the rest of the link fails, its customer is deleted with it (`deleteCustomer`). Raises what storage
   * raises.
   */
  keep?(secret: string): Promise<void>;
}

export const LINK_FAILURE_REASONS = [
  'consent_denied',
  'cancelled',
  'authentication_failed',
  'timeout',
  'not_eligible',
  'institution_error',
  'session_expired',
  'unknown',
] as const;
export type LinkFailureReason = (typeof LINK_FAILURE_REASONS)[number];

export type LinkOutcome =
  | {
      readonly kind: 'linked';
      /**
       * Who signed in, with a secret that replaces the stored one, if the vendor only says so then; null if nothing
       * about the customer changed. A customer that the account record already has is not duplicated.
       */
      readonly customer: ProviderCustomer | null;
      /**
       * Every consent that the sign-in resulted in, each of which becomes a connection; the one the link was about
       * comes first.
       */
      readonly grants: readonly [LinkedGrant, ...LinkedGrant[]];
    }
  | { readonly kind: 'failed'; readonly reason: LinkFailureReason }
  | { readonly kind: 'pending' };

/**
 * `login_lost`: the consent is still valid, but the vendor's login at the bank does not work until the person signs in
 * again; it may also recover. Only `ended` ends the consent.
 */
export type ConnectionState = 'active' | 'login_lost' | 'ended';

export interface LinkedGrant {
  readonly grant: ProviderGrant;
  readonly consent: ProviderConsent;
  readonly institution: { readonly id: string; readonly name: string; readonly logo: string | null };
}

export interface ProviderConsent {
  readonly id: string;
  readonly state: ConnectionState;
  /** Epoch milliseconds. */
  readonly grantedAt: number;
  readonly expiresAt: number | null;
  readonly purpose: string | null;
  readonly dataCategories: readonly string[];
  readonly terminationReason: string | null;
}

/** A request that a vendor sent to us. */
export interface ProviderWebhook {
  readonly body: Uint8Array;
  /** By lower-case name; values of one sent several times are separated by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a vendor notified us about. Notifications come late, twice and out of order, so they only say where to look:
 * `data_changed` means new rows or balances; `accounts_changed` accounts that were added, removed or moved; the others
 * a change of the consent's state, which is then read from the vendor if possible.
 */
export interface ProviderSignal {
  /** By the vendor's id, in any account record. */
  readonly about: { readonly kind: 'consent' | 'account' | 'customer'; readonly id: string };
  readonly what: 'data_changed' | 'accounts_changed' | 'login_lost' | 'login_works' | 'ended';
  /** The vendor's id of the notification: once acted on, repeats of it are ignored. Absent if it has none. */
  readonly notification?: string;
}

export interface ProviderAccount {
  /** The vendor's key of the account, unique at the provider across grants. */
  readonly id: string;
  /** Former keys of the account, according to the vendor, under this grant or another; usually none. */
  readonly formerIds: readonly string[];
  /** False if the vendor lists the account as closed, archived or otherwise unreadable. */
  readonly available: boolean;
  /** Epoch ms at which the vendor last copied data of the account from the bank. Absent if it does not say. */
  readonly refreshedAt?: number;
  readonly name: string;
  readonly type: AccountType;
  /** `xxxx` plus four digits. */
  readonly maskedNumber: string | null;
  /** The full number if the vendor gives it, only for the keyed MAC; never stored, shown or logged. */
  readonly fullNumber: string | null;
  readonly currency: string;
  /** IANA name of the zone in which the bank counts the days of the account. Absent for the zone of the provider. */
  readonly timezone?: string;
}

/** Receives rows that cannot be read; if absent, they fail the read. */
export interface SettingAside {
  readonly setAside?: SetAside | undefined;
}

/** With the vendor's sign: the gateway reverses balances that show debt as positive (docs/balance-signs.md). */
export interface ProviderBalance {
  readonly current: Money | null;
  readonly available: Money | null;
  /** The vendor's own decimals, for v1 and the bridge. */
  readonly currentDecimal: string | null;
  readonly availableDecimal: string | null;
  readonly currency: string | null;
  /** Why it, or part of it, is null although the bank sent one. Absent if everything could be read. */
  readonly unreadable?: UnreadableBalance;
  /** What a positive figure of a loan or a card means here. Absent if unknown. */
  readonly positive?: PositiveBalance;
}

export interface PositiveBalance {
  readonly means: KnownBalanceSign;
  /** `bank`: known for this bank. `limit`: this balance is consistent with its credit limit only with this sign. */
  readonly by: 'bank' | 'limit';
}

export interface TransactionQuery extends SettingAside {
  readonly account: string;
  readonly timezone: string;
  readonly currency: string;
  /** Inclusive days of the transaction in the account's zone; the adapter widens them as its vendor needs. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  /**
   * Epoch milliseconds. Set by a sync to read only what the vendor recorded (posted) since then: a purchase of the 1st
   * that is posted on the 20th must still be included, so this bounds the time of posting, never the day of the row.
   */
  readonly since: number | null;
  readonly includePending: boolean;
}

export interface TradeQuery extends SettingAside {
  readonly account: string;
  readonly timezone: string;
  /** Inclusive days of the trade in the account's zone; null leaves that end to the vendor. */
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

export interface ProviderAccountDetails {
  readonly productName: string | null;
  readonly depositRate: string | null;
  readonly depositRates: readonly ProviderRate[];
  readonly lendingRate: string | null;
  readonly lendingRates: readonly ProviderRate[];
  readonly fees: readonly ProviderFee[];
  readonly features: readonly ProviderFeature[];
  readonly loan: ProviderLoan | null;
}

/** Rates are fraction text, `0.05` for 5%. Members that the bank left out are null. */
export interface ProviderRate {
  readonly rateType: string | null;
  readonly rate: string | null;
  readonly comparisonRate: string | null;
  readonly calculationFrequency: string | null;
  readonly applicationFrequency: string | null;
  readonly interestPaymentDue: string | null;
  readonly loanPurpose: string | null;
  readonly additionalValue: string | null;
  readonly additionalInfo: string | null;
  readonly tiers: readonly ProviderTier[];
}

export interface ProviderTier {
  readonly name: string | null;
  readonly unitOfMeasure: string | null;
  readonly minimumValue: number | null;
  readonly maximumValue: number | null;
  readonly rateApplicationMethod: string | null;
  readonly additionalInfo: string | null;
}

export interface ProviderFee {
  readonly name: string | null;
  readonly feeType: string | null;
  readonly amount: string | null;
  readonly balanceRate: string | null;
  readonly transactionRate: string | null;
  readonly accruedRate: string | null;
  readonly accrualFrequency: string | null;
  readonly currency: string | null;
  readonly additionalValue: string | null;
  readonly additionalInfo: string | null;
}

export interface ProviderFeature {
  readonly featureType: string | null;
  readonly additionalValue: string | null;
  readonly additionalInfo: string | null;
}

/** Amounts are decimal text with a separate currency, as both v1 and v2 show them. */
export interface ProviderLoan {
  readonly loanEndDate: string | null;
  readonly repaymentType: string | null;
  readonly repaymentFrequency: string | null;
  readonly nextInstalmentDate: string | null;
  readonly minInstalmentAmount: string | null;
  readonly minInstalmentCurrency: string | null;
  readonly maxRedraw: string | null;
  readonly maxRedrawCurrency: string | null;
  readonly minRedraw: string | null;
  readonly minRedrawCurrency: string | null;
  readonly originalLoanAmount: string | null;
  readonly originalLoanCurrency: string | null;
  readonly originalStartDate: string | null;
  readonly offsetAccountEnabled: boolean | null;
}
