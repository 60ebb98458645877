import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Metadata } from '../vocabulary/metadata.ts';
import type { Plan, PlanLimits } from '../vocabulary/plans.ts';
import type { Scope } from '../vocabulary/scopes.ts';
import type { AccountRecordStatus } from '../vocabulary/states.ts';

/** timestamptz: a Date both ways. */
export type Moment = ColumnType<Date, Date, Date>;
export type NullableMoment = ColumnType<Date | null, Date | null, Date | null>;

export type MetadataColumn = ColumnType<Metadata | null, string | null, string | null>;

export interface AccountRecordsTable {
  id: RowId<'account_record'>;
  email: string;
  plan: Plan;
  status: AccountRecordStatus;
  trial_ends_at: NullableMoment;
  /** Set by the operator; null means the plan's own. */
  limits: JSONColumnType<PlanLimits | null>;
  timezone: string;
  /** The person's opt-out of the gateway cache (docs/resources.md#caching). */
  caching: Generated<boolean>;
  /** When somebody asked to delete it (docs/your-data.md#delete-everything). */
  removal_asked_at: ColumnType<Date | null, Date | null | undefined, Date>;
  created: Moment;
  updated: Moment;
}

export interface ApiKeysTable {
  id: RowId<'api_key'>;
  account_record: RowId<'account_record'>;
  name: string;
  secret_hash: Uint8Array;
  prefix: string;
  scopes: Scope[];
  legacy: boolean;
  allowed_ips: string[] | null;
  expires_at: NullableMoment;
  expiring_at: NullableMoment;
  last_used_at: NullableMoment;
  rotated_from: RowId<'api_key'> | null;
  revoked_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface IdentityTables {
  account_records: AccountRecordsTable;
  api_keys: ApiKeysTable;
}
