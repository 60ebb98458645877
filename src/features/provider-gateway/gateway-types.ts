import type { ProviderAccess, SettingAside } from '../../connectors/providers/provider-contract.ts';
import type { AccountType } from '../../vocabulary/account-types.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/**
 * A connection as the gateway needs it: which provider to call, with which grant, and whether answers may be cached.
 */
export interface GatewayConnection {
  readonly id: RowId<'connection'>;
  /** Whose share of the provider's calls and of the cache its reads use. */
  readonly owner: OwnerId;
  readonly provider: ProviderIdentifier;
  /** The bank's name as customers know it; used in messages of failures. */
  readonly institution: string;
  readonly grant: ProviderAccess;
  /** False when the account record opted out of caching: every read is a BYPASS. */
  readonly caching: boolean;
}

/** A provider, called for an account record that has no connection there yet. */
export interface LinkingIntegration {
  readonly provider: ProviderIdentifier;
  readonly owner: OwnerId;
}

/** One account of a connection. `upstreamId` is the vendor's key of it within the grant. */
export interface GatewayAccount {
  readonly id: RowId<'account'>;
  readonly upstreamId: string;
  readonly type: AccountType;
  /** The stored sign of its balance; null if it was never in question. */
  readonly balanceSign: BalanceSign | null;
  /** The time zone of the account's days. */
  readonly timezone: string;
  /** Lower-case code, for rows and balances without one. */
  readonly currency: string;
  readonly connection: GatewayConnection;
}

/** An account's identity: enough to look for a cached answer, without the grant that reading needs. */
export interface AccountReference {
  readonly id: RowId<'account'>;
  readonly timezone: string;
  readonly connection: Pick<GatewayConnection, 'id' | 'owner' | 'caching'>;
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

/** Inclusive days in the account's zone; null leaves that end to the provider. */
export interface TradeRange extends SettingAside {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/** Whether a row of this day is in the window; one without a day may be in any. */
export function isInWindow(
  { from, to }: { readonly from: LocalDate | null; readonly to: LocalDate | null },
  day: LocalDate | null,
): boolean {
  return day === null || ((from === null || day >= from) && (to === null || day <= to));
}

/**
 * A window for a sync. `since` (epoch ms) bounds when the provider recorded a row; null reads the whole window. Rows
 * that cannot be read are counted and logged even without `setAside`.
 */
export interface StreamWindow extends TransactionWindow, SettingAside {
  readonly since: number | null;
}

/**
 * The outcome of a search for one row. `set_aside`: it exists and cannot be read. `exhausted`: the whole window was
 * read without it; `incomplete`: the budget was used up first, so it may exist.
 */
export type RowSearch =
  | { readonly outcome: 'found'; readonly row: Transaction }
  | { readonly outcome: 'set_aside'; readonly row: SetAsideRow }
  | { readonly outcome: 'exhausted' | 'incomplete' };

/**
 * `truncated`: the row ceiling was reached and the oldest rows of the window are missing. `capped`: the read ended
 * after the given number of pages, and older rows may be missing.
 */
export interface TransactionRows {
  readonly rows: readonly Transaction[];
  readonly truncated: boolean;
  readonly capped?: true;
  /** Rows of the window that could not be read. */
  readonly setAside: SetAsideRows;
}

/** How far a read of many pages goes: a number of the provider's pages, or to the end of the window if null. */
export type MostPages = number | null;

/** How many rows of one read are listed; the rest are counted (docs/rows-set-aside.md#reads). */
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

/** Epoch milliseconds: when the turn was taken last, just now included, and when there is one again. */
export interface RereadTurn {
  readonly taken: boolean;
  readonly at: number;
  readonly next: number;
  /** Undoes taking it, when what it was taken for failed. */
  readonly giveBack: () => Promise<void>;
}
