import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ActorKind } from '../vocabulary/actors.ts';
import type { AuditDetail, AuditKind } from '../vocabulary/audit-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { Metadata } from '../vocabulary/metadata.ts';
import type { OneTimeLinkKind } from '../vocabulary/one-time-links.ts';
import type { Plan, PlanLimits } from '../vocabulary/plans.ts';
import type { Scope } from '../vocabulary/scopes.ts';
import type { AccountRecordStatus } from '../vocabulary/states.ts';

/** timestamptz: a Date when read and when written. */
export type Moment = ColumnType<Date, Date, Date>;
export type NullableMoment = ColumnType<Date | null, Date | null, Date | null>;

export type MetadataColumn = ColumnType<Metadata | null, string | null, string | null>;

export interface AccountRecordsTable {
  id: OwnerId;
  email: string;
  /** What its owner calls it; null until they do. */
  name: ColumnType<string | null, string | null | undefined, string | null>;
  plan: Plan;
  status: AccountRecordStatus;
  trial_ends_at: NullableMoment;
  /** Set by the operator; null means the plan's own. */
  limits: JSONColumnType<PlanLimits | null>;
  timezone: string;
  /** The person's opt-out of the gateway cache (docs/resources.md#caching). */
  caching: Generated<boolean>;
  /** When its deletion was requested (docs/your-data.md#delete-everything). */
  removal_asked_at: ColumnType<Date | null, Date | null | undefined, Date>;
  created: Moment;
  updated: Moment;
}

export interface ApiKeysTable {
  id: RowId<'api_key'>;
  account_record: OwnerId;
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

/** A person who can sign in. */
export interface UsersTable {
  id: RowId<'user'>;
  /** As the person wrote it; mail goes there. */
  email: string;
  /** The normalised form used for lookups; unique. */
  email_normalised: string;
  /** A PHC string of argon2id with its parameters. */
  password_hash: string;
  /** Whether they are an operator of the installation (docs/operator.md). */
  operator: Generated<boolean>;
  created: Moment;
  updated: Moment;
}

/** A person's membership of an account record. */
export interface MembershipsTable {
  account_record: OwnerId;
  user_id: RowId<'user'>;
  role: MemberRole;
  created: Moment;
  updated: Moment;
  /** When the person last signed in to it or switched to it; null before the first time. */
  last_chosen_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** A browser in which a person has signed in. Deleted once it has ended. */
export interface WebSessionsTable {
  id: RowId<'web_session'>;
  /** SHA-256 of the value of the cookie. */
  secret_hash: Uint8Array;
  user_id: RowId<'user'>;
  /** The account record, of those that the person shares, that the browser works with. */
  account_record: OwnerId;
  created: Moment;
  last_seen_at: Moment;
  expires_at: Moment;
  /** The browser's common name; null if it sent none. */
  browser: string | null;
}

/** A credential of one of the person's authenticators (WebAuthn Level 3). */
export interface PasskeysTable {
  id: RowId<'passkey'>;
  user_id: RowId<'user'>;
  /** In base64url, as the browser sends it. */
  credential_id: string;
  /** In COSE form. */
  public_key: Uint8Array;
  counter: number;
  transports: string[];
  name: string;
  last_used_at: NullableMoment;
  created: Moment;
}

/**
 * The secret of the person's authenticator app (RFC 6238). Without `confirmed_at` it has not been used yet and has no
 * effect.
 */
export interface SecondFactorsTable {
  id: string;
  user_id: RowId<'user'>;
  /** Sealed. */
  secret: Uint8Array;
  /** The newest time step whose code was used. */
  last_step: number;
  confirmed_at: NullableMoment;
  created: Moment;
}

/** A code that works once in place of one from the app. */
export interface RecoveryCodesTable {
  /** SHA-256 of the code. */
  code_hash: Uint8Array;
  user_id: RowId<'user'>;
  used_at: NullableMoment;
}

/** A challenge that an authenticator has not signed yet. */
export interface PasskeyChallengesTable {
  challenge_hash: Uint8Array;
  /** Who is registering a passkey; null for a sign-in. */
  user_id: RowId<'user'> | null;
  expires_at: Moment;
}

/** A link that does one thing, once, for the person who has it. */
export interface OneTimeLinksTable {
  id: string;
  kind: OneTimeLinkKind;
  token_hash: Uint8Array;
  /** Whose password it sets; null for the first person, who has no account yet. */
  user_id: RowId<'user'> | null;
  expires_at: Moment;
  used_at: NullableMoment;
  created: Moment;
}

/** An offer to share an account record, for the person who has its link; its status follows from its timestamps. */
export interface InvitationsTable {
  id: RowId<'invitation'>;
  account_record: OwnerId;
  email: string;
  email_normalised: string;
  role: MemberRole;
  token_hash: Uint8Array;
  expires_at: Moment;
  accepted_at: NullableMoment;
  accepted_by: RowId<'user'> | null;
  revoked_at: NullableMoment;
  /** Who made the offer: it ends once they may no longer invite. Null for the operator. */
  invited_by: RowId<'user'> | null;
  created: Moment;
  updated: Moment;
}

export interface PeopleTables {
  users: UsersTable;
  memberships: MembershipsTable;
  web_sessions: WebSessionsTable;
  passkeys: PasskeysTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkey_challenges: PasskeyChallengesTable;
  one_time_links: OneTimeLinksTable;
  invitations: InvitationsTable;
}

/** An event that concerns access to an account record (docs/audit-log.md). */
export interface AuditEventsTable {
  id: RowId<'audit_event'>;
  account_record: OwnerId;
  kind: AuditKind;
  detail: AuditDetail | null;
  actor_kind: ActorKind;
  /** The row id of the credential or session; null for the operator and the service. */
  actor_id: string | null;
  /** Its name at the time: the e-mail address of a person, the name of a key or an app. */
  actor_name: string | null;
  /** The id of what was acted on, as v2 shows it; null if that is the account record. */
  target: string | null;
  /** The IPv4 address or the /64 of the IPv6 address; empty if it is unknown or one of too many. */
  network: string;
  browser: string | null;
  /** Whether the row counts all events of its day and kind from its network. */
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
