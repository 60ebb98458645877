import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import type { Holding } from '../../vocabulary/holdings.ts';
import type { SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';
import type { DayWindow } from '../reads/transaction-window.ts';
import type { RuledRow } from '../sync-engine/read/source-row.ts';
import type { SourceBalance } from '../sync-engine/read/sync-source.ts';

/** A row of a file: as rules leave it, or a position. */
export type ExportedRow = RuledRow | ExportedHolding;

export interface ExportedHolding {
  readonly kind: 'holding';
  readonly holding: Holding;
  /** Epoch milliseconds at which the provider was asked. */
  readonly readAt: number;
}

/** One account of an export. Reading raises ServiceError, or `signal.reason`. */
export interface ExportedAccount {
  readonly account: DeliveryAccount;
  /** The days that are read; null if the account has none of the requested ones, and for positions. */
  readonly window: DayWindow | null;
  /**
   * Pages of rows, newest first, as rules leave them and without those that a rule skips. Uses the memory of two pages.
   */
  pages(signal: AbortSignal): AsyncIterable<readonly ExportedRow[]>;
  balance(signal: AbortSignal): Promise<SourceBalance>;
  /** Epoch milliseconds at which the rows were read at the bank; null before they are. */
  observedAt(): number | null;
  /** Rows that could not be read since the last call, in bounded memory; to be called after each page. */
  takeAside(): readonly SetAsideRow[];
  /** How many rows could not be read so far. */
  asideCount(): number;
}

/** Rows to be written to a file. Nothing is read until the file is. */
export interface RowExport {
  readonly type: SyncType;
  /** Fields that the sync's owner chose, in their order, for formats with columns; null for all. */
  readonly columns: readonly string[] | null;
  /** At least one, in the requested order. */
  readonly accounts: readonly ExportedAccount[];
  /** A turn to read one more account at the same time; null while the account record has none left. */
  readonly takeTurn: () => { free(): void } | null;
}
