import type { ProviderAccess, SettingAside } from '../../connectors/providers/provider-contract.ts';
import type { AccountType } from '../../vocabulary/account-types.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** A connection as the gateway needs it: whom to ask, with what, and whether answers may be cached. */
export interface GatewayConnection {
  readonly id: RowId<'connection'>;
  /** Whose share of the provider's calls and of the cache its reads take. */
  readonly owner: OwnerId;
  readonly provider: ProviderIdentifier;
  /** The bank's name as its customer knows it; failures name it. */
  readonly institution: string;
  readonly grant: ProviderAccess;
  /** False when the account record opted out of caching: every read is a BYPASS. */
  readonly caching: boolean;
}

/** A provider, asked for one account record that has no connection there yet. */
export interface LinkingIntegration {
  readonly provider: ProviderIdentifier;
  readonly owner: OwnerId;
}

/** One account of a connection. `upstreamId` is the vendor's key of it inside the grant. */
export interface GatewayAccount {
  readonly id: RowId<'account'>;
  readonly upstreamId: string;
  readonly type: AccountType;
  /** What is stored of the sign of its balance; null where it never was in question. */
  readonly balanceSign: BalanceSign | null;
  /** The zone whose days the account's transactions fall on. */
  readonly timezone: string;
  /** Lower-case code, for rows and balances that name none. */
  readonly currency: string;
  readonly connection: GatewayConnection;
}

/** An account as far as naming it goes: enough to look for a cached answer, without the grant that reading needs. */
export interface AccountReference {
  readonly id: RowId<'account'>;
  readonly timezone: string;
  readonly connection: Pick<GatewayConnection, 'id' | 'caching'>;
}

/** HIT: cached from an earlier read. MISS: read now and cached. BYPASS: read now and not cached. */
export type CacheOutcome = 'HIT' | 'MISS' | 'BYPASS';

export interface CachedRead<T> {
  readonly value: T;
  readonly cache: CacheOutcome;
  /** Epoch milliseconds at which the provider answered. */
  readonly observedAt: number;
}

/** Inclusive days in the account's zone. */
export interface TransactionWindow {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly includePending: boolean;
}

/** Inclusive days in the account's zone, where null leaves that end to the provider. */
export interface TradeRange extends SettingAside {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/** Whether a row of this day is of the window; one without a day may be of any. */
export function isInWindow(
  { from, to }: { readonly from: LocalDate | null; readonly to: LocalDate | null },
  day: LocalDate | null,
): boolean {
  return day === null || ((from === null || day >= from) && (to === null || day <= to));
}

/**
 * A window for a sync. `since` (epoch ms) bounds when the provider recorded a row; null reads all of the window. Rows that
 * cannot be read are counted and logged also without `setAside`.
 */
export interface StreamWindow extends TransactionWindow, SettingAside {
  readonly since: number | null;
}

/**
 * The outcome of a search for one row. `set_aside`: it is there and cannot be read. `exhausted`: the whole window was read without it; `incomplete`: the budget ran out
 * first, so its absence is not known.
 */
export type RowSearch =
  | { readonly outcome: 'found'; readonly row: Transaction }
  | { readonly outcome: 'set_aside'; readonly row: SetAsideRow }
  | { readonly outcome: 'exhausted' | 'incomplete' };

/**
 * `truncated`: the row ceiling was reached and the oldest rows of the window are missing. `capped`: the read ended after
 * as many pages as it was given, and older rows may be missing.
 */
export interface TransactionRows {
  readonly rows: readonly Transaction[];
  readonly truncated: boolean;
  readonly capped?: true;
  /** Rows of the window that could not be read. */
  readonly setAside: SetAsideRows;
}

/** How far a read of many pages goes: so many pages of the provider, or to the end of the window where it is null. */
export type MostPages = number | null;

/** Rows that are listed of one read; the rest are counted (docs/rows-set-aside.md#reads). */
export const SET_ASIDE_LISTED = 100;

/** Rows of a read that could not be read: how many, and the first of them. */
export interface SetAsideRows {
  readonly count: number;
  readonly rows: readonly SetAsideRow[];
}

export const NONE_SET_ASIDE: SetAsideRows = { count: 0, rows: [] };

/** Collects rows that are set aside during one read, in bounded memory. */
export class SetAsideList {
  #count = 0;
  readonly #rows: SetAsideRow[] = [];

  readonly add: SetAside = (row) => {
    this.#count += 1;
    if (this.#rows.length < SET_ASIDE_LISTED) this.#rows.push(row);
  };

  get value(): SetAsideRows {
    return this.#count === 0 ? NONE_SET_ASIDE : { count: this.#count, rows: [...this.#rows] };
  }
}
