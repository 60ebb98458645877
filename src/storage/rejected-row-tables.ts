import type { RowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { RejectionOrigin } from '../vocabulary/set-aside-rows.ts';
import type { Moment } from './identity-tables.ts';

/**
 * A row that a sync could not deliver when it was last read or sent: ids, days and reasons, never an amount or a text
 * (docs/rows-set-aside.md#what-is-stored).
 */
export interface RejectedRowsTable {
  id: RowId<'rejected_row'>;
  account_record: RowId<'account_record'>;
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
