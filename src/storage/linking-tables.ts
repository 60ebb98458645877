import type { AccountType } from '../vocabulary/account-types.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { ConsentStatus } from '../vocabulary/states.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

/** Who the account record is to a vendor: one row for each provider, made on the first link. */
export interface ProviderCustomersTable {
  /** The only name of the person the vendor is ever given. */
  id: string;
  account_record: RowId<'account_record'>;
  provider: ProviderIdentifier;
  /** The vendor's id, sealed; null until the vendor has answered. */
  customer: Uint8Array | null;
  /** Until then one process is asking the vendor; no other may. */
  claimed_until: NullableMoment;
  created: Moment;
}

export interface LinkSessionsTable {
  id: RowId<'link_session'>;
  account_record: RowId<'account_record'>;
  provider: ProviderIdentifier;
  /** The vendor's id of the bank, with what the hosted page calls it. */
  institution_id: string | null;
  institution_name: string | null;
  return_url: string;
  /** The connection this session renews; null for a session that makes one. */
  renews: RowId<'connection'> | null;
  /** Set once completed: what came of it. It may outlive the connection. */
  connection: RowId<'connection'> | null;
  failure_reason: string | null;
  /** The vendor's state of the last begun consent, sealed; null before the first and once settled. */
  vendor_state: Uint8Array | null;
  /** When the person was first sent to the vendor. */
  begun_at: NullableMoment;
  /** When the sweep next looks whether a consent was given that nobody brought back; null when nothing is open. */
  settle_at: NullableMoment;
  expires_at: Moment;
  completed_at: NullableMoment;
  failed_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

/** Status is never stored: it follows from these moments and the current consent (SPEC, connection). */
export interface ConnectionsTable {
  id: RowId<'connection'>;
  account_record: RowId<'account_record'>;
  provider: ProviderIdentifier;
  institution_id: string;
  institution_name: string;
  institution_logo: string | null;
  /** When accounts were first listed; null means pending. */
  landed_at: NullableMoment;
  /** When accounts were last listed, or a sync last read them. */
  last_refreshed_at: NullableMoment;
  /** When accounts are listed next without anybody asking. */
  refresh_at: Moment;
  /** When the bank's side was found to have ended the grant. */
  invalidated_at: NullableMoment;
  revoked_at: NullableMoment;
  /** When withdrawal was confirmed and nothing but this row was left; it goes 30 days later. */
  cleaned_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

/**
 * The record of a consent outlives its connection, without the grant: what was granted and when it ended stays
 * answerable. Exactly one consent of a connection is current.
 */
export interface ConsentsTable {
  id: RowId<'consent'>;
  account_record: RowId<'account_record'>;
  connection: RowId<'connection'>;
  provider: ProviderIdentifier;
  current: boolean;
  /** SHA-256 of provider and vendor's consent id: one consent never makes two connections. */
  consent_hash: Uint8Array;
  /** ProviderGrant as JSON, sealed; null once withdrawal at the vendor is confirmed. */
  grant: Uint8Array | null;
  purpose: string | null;
  data_categories: string[];
  granted_at: Moment;
  expires_at: NullableMoment;
  /** When it ended before its time, by whoever's hand. */
  withdrawn_at: NullableMoment;
  termination_reason: string | null;
  /** When the vendor was last asked. */
  checked_at: Moment;
  /** The status the audit trail last recorded; a computed move is written when it is noticed. */
  recorded_status: ConsentStatus;
  created: Moment;
  updated: Moment;
}

export const CONSENT_EVENT_KINDS = [
  'granted',
  'renewed',
  'replaced',
  'expiring',
  'expired',
  'ended_at_bank',
  'withdrawal_requested',
  'withdrawal_confirmed',
] as const;
export type ConsentEventKind = (typeof CONSENT_EVENT_KINDS)[number];

/** The audit trail: one row for each change of a consent's state, never altered. */
export interface ConsentEventsTable {
  id: string;
  account_record: RowId<'account_record'>;
  consent: RowId<'consent'>;
  kind: ConsentEventKind;
  status: ConsentStatus;
  reason: string | null;
  created: Moment;
}

/** What identifies an account and nothing of what is on it (design section 6). */
export interface AccountsTable {
  id: RowId<'account'>;
  account_record: RowId<'account_record'>;
  connection: RowId<'connection'>;
  provider: ProviderIdentifier;
  institution_id: string;
  /** The vendor's key of the account inside the connection's grant. */
  upstream_id: string;
  name: string;
  type: AccountType;
  /** `xxxx` plus four digits. */
  masked_number: string | null;
  /** `<key id>:<keyed MAC of provider, institution and the full number>`; see number-mac.ts. */
  number_mac: string | null;
  /** Lower-case ISO 4217. */
  currency: string;
  /** IANA zone in which the bank's days begin. */
  timezone: string;
  /** Since when a complete list lacks it; null means available. */
  unavailable_since: NullableMoment;
  /** When a complete list last held it. */
  last_seen_at: Moment;
  created: Moment;
  updated: Moment;
}

/**
 * What is left of an account whose connection was deleted: its id under the keyed MAC, nothing readable. Linking the
 * bank again within 90 days finds the id, so rows already delivered are recognised instead of doubled.
 */
export interface ReleasedAccountsTable {
  id: RowId<'account'>;
  account_record: RowId<'account_record'>;
  provider: ProviderIdentifier;
  institution_id: string;
  number_mac: string;
  released_at: Moment;
}

export interface LinkingTables {
  provider_customers: ProviderCustomersTable;
  link_sessions: LinkSessionsTable;
  connections: ConnectionsTable;
  consents: ConsentsTable;
  consent_events: ConsentEventsTable;
  accounts: AccountsTable;
  released_accounts: ReleasedAccountsTable;
}
