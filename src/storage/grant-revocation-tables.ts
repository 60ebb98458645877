import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { Moment } from './identity-tables.ts';

export interface GrantRevocationsTable {
  /** A UUID that no caller sees. */
  id: string;
  account_record: RowId<'account_record'>;
  type: DestinationType;
  /** Sealed. */
  grant: Uint8Array;
  /** Not before this moment. */
  attempt_at: Moment;
  created: Moment;
}

export interface GrantRevocationTables {
  grant_revocations: GrantRevocationsTable;
}
