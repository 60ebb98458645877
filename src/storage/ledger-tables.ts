import type { JSONColumnType } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { RejectionOrigin } from '../vocabulary/set-aside-rows.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/**
 * A row that a sync could not deliver when it was last read or sent: ids, days and reasons, never an amount or a text
 * (docs/rows-set-aside.md#what-is-stored).
 */
export interface RejectedRowsTable {
  id: RowId<'rejected_row'>;
  account_record: OwnerId;
  sync: RowId<'sync'>;
  account: RowId<'account'>;
  /** `provider`: it could not be read; `destination`: it was refused there. */
  origin: RejectionOrigin;
  /** Knows the row again: its tagged v2 id, else a keyed MAC of its content. */
  row_key: string;
  /** The tagged v2 id; null where the row has none. */
  source_id: string | null;
  day: LocalDate | null;
  /** The member of v2 that is at fault; null where no single one is. */
  field: string | null;
  reason: string;
  /** Keyed MAC of the row as the destination refused it; null for one that could not be read. */
  content_mac: string | null;
  first_run: RowId<'sync_run'>;
  last_run: RowId<'sync_run'>;
  first_seen: Moment;
  last_seen: Moment;
}

export interface RejectedRowTables {
  rejected_rows: RejectedRowsTable;
}

/**
 * What a read of the whole window showed of an account whose provider does not say whether its history is whole. Days
 * count from 1970-01-01, moments are epoch milliseconds.
 */
export interface HistoryObservation {
  readonly v: 1;
  /** The window's first day; another window is another observation. */
  readonly from: LocalDate;
  /** The last day of the rows counted: later ones come and go without the history changing. */
  readonly until: number;
  readonly oldest: number | null;
  readonly rows: number;
  /** When the history was first seen unfinished, and when it was last seen to be other than before. */
  readonly since: number;
  readonly changedAt: number;
}

/** How an account of a sync is read (delivery_streams has what was delivered). */
export interface StreamReadingsTable {
  stream: number;
  /** null: the history is whole, or nothing was read. */
  history: JSONColumnType<HistoryObservation> | null;
  swept_recent_at: NullableMoment;
  swept_year_at: NullableMoment;
  swept_all_at: NullableMoment;
  /** Not before this moment, because the last sweep did not come to its end. */
  sweep_after: NullableMoment;
  /** When the bank last left out too many rows at once to be believed. */
  doubted_at: NullableMoment;
}

/** Delivered rows that a sweep did not find at the bank; few, because many at once are not believed. */
export interface MissingRowsTable {
  stream: number;
  source_id: string;
  noted_at: Moment;
}

export interface StreamReadingTables {
  stream_readings: StreamReadingsTable;
  missing_rows: MissingRowsTable;
}
