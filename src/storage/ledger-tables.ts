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
  /** Recognises the row: its tagged v2 id, else a keyed MAC of its content. */
  row_key: string;
  /** The tagged v2 id; null if the row has none. */
  source_id: string | null;
  day: LocalDate | null;
  /** The member of v2 that is at fault; null if no single one is. */
  field: string | null;
  reason: string;
  /** Keyed MAC of the row that the destination refused; null for a row that could not be read. */
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
 * What a read of the whole window showed of an account whose provider does not say whether its history is complete.
 * Days count from 1970-01-01, times are epoch milliseconds.
 */
export interface HistoryObservation {
  readonly v: 1;
  /** The window's first day; another window starts another observation. */
  readonly from: LocalDate;
  /** The last day of the rows counted: later ones come and go while the history stays the same. */
  readonly until: number;
  readonly oldest: number | null;
  readonly rows: number;
  /** When the history was first seen incomplete, and when it was last seen to change. */
  readonly since: number;
  readonly changedAt: number;
}

/** Which version the rows had that the service has itself when they were last read completely. */
export interface StoredVersion {
  readonly v: 2;
  readonly version: string;
}

/** How an account of a sync is read (delivery_streams has what was delivered). */
export interface StreamReadingsTable {
  stream: number;
  /** Null: the history of the bank is complete, or nothing was read. */
  history: JSONColumnType<HistoryObservation | StoredVersion> | null;
  swept_recent_at: NullableMoment;
  swept_year_at: NullableMoment;
  swept_all_at: NullableMoment;
  /** Not before this time, because the last sweep did not finish. */
  sweep_after: NullableMoment;
  /** When the bank last omitted more rows at once than is credible. */
  doubted_at: NullableMoment;
}

/** Delivered rows that a sweep did not find at the bank; few, because many at once are not credible. */
export interface MissingRowsTable {
  stream: number;
  source_id: string;
  noted_at: Moment;
}

export interface StreamReadingTables {
  stream_readings: StreamReadingsTable;
  missing_rows: MissingRowsTable;
}
