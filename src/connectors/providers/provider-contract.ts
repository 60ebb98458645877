import type { AccountType } from '../../vocabulary/account-types.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { Money } from '../../vocabulary/money.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/providers.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/**
 * What every provider adapter is to the rest of the house (design section 7). An adapter speaks the vendor's wire and
 * returns these shapes; it knows no account record, no storage and no cache. Every failure it raises is an
 * UpstreamFailure. Every method honours `signal`.
 */
export interface Provider {
  readonly identifier: ProviderIdentifier;
  readonly capabilities: ReadonlySet<Capability>;

  listInstitutions(signal: AbortSignal): Promise<ProviderInstitution[]>;
  /** Makes the person behind an account record known to the vendor. Called at most once for each, its answer kept. */
  createCustomer(key: string, signal: AbortSignal): Promise<string>;
  beginLink(request: BeginLink, signal: AbortSignal): Promise<BegunLink>;
  /** Reads what came of a link after the person landed. `pending` means: ask again later. */
  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome>;

  readConsent(grant: ProviderGrant, signal: AbortSignal): Promise<ProviderConsent>;
  /** Ends the consent at the vendor and confirms that it ended. Succeeds when it was over already. */
  withdraw(grant: ProviderGrant, signal: AbortSignal): Promise<void>;

  /** Every account the consent covers, complete: an account that is missing is gone. */
  listAccounts(grant: ProviderGrant, signal: AbortSignal): Promise<ProviderAccount[]>;
  readBalance(
    grant: ProviderGrant,
    account: string,
    options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance>;
  readDetails(grant: ProviderGrant, account: string, signal: AbortSignal): Promise<ProviderAccountDetails>;
  /**
   * Rows of one account, a page at a time as the vendor pages, newest first as the vendor orders, without repeats
   * inside one call. Memory is one page. Rows outside the window may come along; the gateway filters by date.
   */
  transactionPages(
    grant: ProviderGrant,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncIterable<Transaction[]>;
  /** Every position held now. Has it who names the capability `holdings`. */
  readHoldings?(grant: ProviderGrant, account: string, signal: AbortSignal): Promise<Holding[]>;
  /** Trades of the window; others may come along. Has it who names the capability `trades`. */
  readTrades?(grant: ProviderGrant, query: TradeQuery, signal: AbortSignal): Promise<Trade[]>;
}

/** What the vendor needs to find our consent again; sealed in storage, never shown. */
export interface ProviderGrant {
  readonly customer: string;
  readonly consent: string;
  readonly institution: string;
}

export interface ProviderInstitution {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly logo: string;
  readonly available: boolean;
  readonly status: 'ONLINE' | 'OUTAGE' | null;
}

export interface BeginLink {
  readonly customer: string;
  readonly institution: string | null;
  /** Absolute addresses the vendor sends the person back to. */
  readonly successUrl: string;
  readonly failureUrl: string;
  /** Set to renew an existing consent in place. */
  readonly renew: ProviderGrant | null;
}

export interface BegunLink {
  /** The vendor's hosted page. */
  readonly url: string;
  /** What completeLink needs; kept sealed until then. Contains no personal data. */
  readonly state: string;
}

export interface CompleteLink {
  readonly customer: string;
  readonly institution: string | null;
  readonly state: string;
  readonly startedAt: number;
  readonly outcome: 'success' | 'failure';
  /** The query the person landed with, as sent by the vendor; untrusted. */
  readonly landing: Readonly<Record<string, string>>;
  readonly renew: ProviderGrant | null;
  /** Consents that other links have brought already; this one's is among the rest. */
  readonly claimed: ReadonlySet<string>;
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
      readonly grant: ProviderGrant;
      readonly consent: ProviderConsent;
      readonly institution: { readonly id: string; readonly name: string; readonly logo: string | null };
    }
  | { readonly kind: 'failed'; readonly reason: LinkFailureReason }
  | { readonly kind: 'pending' };

export interface ProviderConsent {
  readonly id: string;
  readonly active: boolean;
  /** Epoch milliseconds. */
  readonly grantedAt: number;
  readonly expiresAt: number | null;
  readonly purpose: string | null;
  readonly dataCategories: readonly string[];
  readonly terminationReason: string | null;
}

export interface ProviderAccount {
  /** The vendor's key of the account inside the grant. */
  readonly id: string;
  readonly name: string;
  readonly type: AccountType;
  /** `xxxx` plus four digits. */
  readonly maskedNumber: string | null;
  /** The whole number where the vendor gives it, for the keyed MAC only; never kept, shown or logged. */
  readonly fullNumber: string | null;
  readonly currency: string;
}

export interface ProviderBalance {
  readonly current: Money | null;
  readonly available: Money | null;
  /** The vendor's own decimals, for v1 and the bridge. */
  readonly currentDecimal: string | null;
  readonly availableDecimal: string | null;
  readonly currency: string | null;
}

export interface TransactionQuery {
  readonly account: string;
  readonly timezone: string;
  readonly currency: string;
  /** Inclusive days of the transaction in the account's zone; the adapter widens them as its vendor needs. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  /**
   * Epoch milliseconds. Set by a sync to read only what the vendor recorded (posted) since then: a purchase of the
   * 1st that is posted on the 20th must still come along, so this bounds the posting moment, never the day of the row.
   */
  readonly since: number | null;
  readonly includePending: boolean;
}

export interface TradeQuery {
  readonly account: string;
  readonly timezone: string;
  /** Inclusive days of the trade in the account's zone. */
  readonly from: LocalDate;
  readonly to: LocalDate;
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

/** Rates are fraction text, `0.05` for 5%. Members the bank left out are null. */
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

/** Amounts are decimal text with a currency beside them, as v1 and v2 both show them. */
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
