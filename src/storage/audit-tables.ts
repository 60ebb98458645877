import type { Generated } from 'kysely';
import type { ActorKind } from '../vocabulary/actors.ts';
import type { AuditDetail, AuditKind } from '../vocabulary/audit-kinds.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { Moment } from './identity-tables.ts';

/** Something that concerns who may do what with an account record (docs/audit-log.md). */
export interface AuditEventsTable {
  id: RowId<'audit_event'>;
  account_record: RowId<'account_record'>;
  kind: AuditKind;
  detail: AuditDetail | null;
  actor_kind: ActorKind;
  /** The row id of the credential or session; null for the operator and the service. */
  actor_id: string | null;
  /** What it was called at the time: the e-mail address of a person, the name of a key or an app. */
  actor_name: string | null;
  /** The id of what was acted on, as v2 shows it; null where that is the account record. */
  target: string | null;
  /** The IPv4 address or the /64 of the IPv6 address; empty where it is unknown or one of too many. */
  network: string;
  browser: string | null;
  /** Whether the row counts the events of its day and kind from its network. */
  grouped: boolean;
  occurrences: Generated<number>;
  /** Days since 1970 in UTC. */
  day: number;
  last_at: Moment;
  created: Moment;
}

export interface AuditTables {
  audit_events: AuditEventsTable;
}
