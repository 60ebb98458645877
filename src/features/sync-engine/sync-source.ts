import type { DeliveryAccount } from '../../connectors/destinations/destination-contract.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** What the engine reads. Every failure it raises is a ServiceError, or `signal.reason` after an abort. */
export interface SyncSource {
  /** Raises ServiceError when the account cannot be read now: gone, or its connection has no valid grant. */
  open(owner: RowId<'account_record'>, account: RowId<'account'>): Promise<SourceAccount>;
  /** Whether a refused read was refused because the consent behind the account expired or was withdrawn. */
  consentEnded?(owner: RowId<'account_record'>, account: RowId<'account'>): Promise<boolean>;
}

export interface SourceAccount {
  readonly account: DeliveryAccount;
  /** The zone in which the account's days begin. */
  readonly timezone: string;
  /** Rows of the window, newest first, in pages; the memory of one page. */
  pages(window: SourceWindow, signal: AbortSignal): AsyncIterable<readonly Transaction[]>;
}

export interface SourceWindow {
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** Epoch milliseconds: only what the provider recorded since then; null for everything. */
  readonly since: number | null;
  readonly includePending: boolean;
}
