import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { Moment } from './identity-tables.ts';

/**
 * What a client of the change feed has of an account after one answer
 * (docs/decisions/0043-change-feed.md).
 */
export interface ChangeSnapshotsTable {
  /** A UUID, which the cursor of that answer contains. */
  id: string;
  account_record: OwnerId;
  account: RowId<'account'>;
  /** The snapshots that began with the same request without a cursor. */
  feed: string;
  /** How many times the client had everything before this answer. */
  round: number;
  /** Of the round; 0 for the snapshot that it begins with. */
  page: number;
  /** How many more changes the round may have. */
  changes_left: number;
  /** How many days before its first one the feed began. */
  days: number;
  include_pending: boolean;
  /** Rows of earlier days are not tracked. */
  first_day: LocalDate;
  /** packSnapshot, sealed under a key that only the cursor has. */
  state: Uint8Array;
  /** When the bank answered what it was compared with. */
  observed_at: Moment;
  created: Moment;
  used_at: Moment;
}

export interface ChangeTables {
  change_snapshots: ChangeSnapshotsTable;
}
