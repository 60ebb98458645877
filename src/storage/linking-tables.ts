import type { ColumnType, Generated } from 'kysely';
import type { AccountType } from '../vocabulary/account-types.ts';
import type { BalanceSign } from '../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { ConsentStatus } from '../vocabulary/states.ts';
import type { ActorColumns } from './actor-columns.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

/** A customer at a vendor: created for a link session, then assigned to the connections that result. */
export interface EndUsersTable {
  /** The only name for the person that the vendor ever gets. */
  id: string;
  account_record: OwnerId;
  provider: ProviderIdentifier;
  /** The first connection made from its consents; null until a consent is given. */
  connection: RowId<'connection'> | null;
  /** The vendor's id with the customer's secret, sealed; null until the vendor has answered. */
  customer: Uint8Array | null;
  /** SHA-256 of provider and vendor's id; null until the vendor has said who the customer is. */
  customer_hash: Uint8Array | null;
  /** When the vendor was asked to create it; if `customer` is null, it is unknown whether it did. */
  asked_at: NullableMoment;
  /**
   * Until then, one process is renewing the secret. For a released customer: until then, one is deleting it at the
   * vendor, or when that ended.
   */
  renewing_until: NullableMoment;
  /** Until when a page of the vendor, on which this end user consents, may be used; null if none was opened. */
  pages_until: NullableMoment;
  /** When it was no longer needed. */
  released_at: NullableMoment;
  /** When its deletion at the vendor is next attempted; null while it is needed. */
  delete_at: NullableMoment;
  created: Moment;
}

/** `actor_kind` and `actor_id` say who created it. */
export interface LinkSessionsTable extends ActorColumns {
  id: RowId<'link_session'>;
  account_record: OwnerId;
  provider: ProviderIdentifier;
  /** The vendor's id of the bank, with its name on the hosted page. */
  institution_id: string | null;
  institution_name: string | null;
  return_url: string;
  /** The connection this session renews; null for a session that creates one. */
  renews: RowId<'connection'> | null;
  /** Set once completed: the resulting connection, which may have been deleted since. */
  connection: RowId<'connection'> | null;
  failure_reason: string | null;
  /** Who consents; null before the first attempt, and for a renewal. */
  end_user: string | null;
  /** How many pages of the vendor were opened. The `state` of an attempt counts only while it is the last. */
  attempts: Generated<number>;
  /** The vendor's page of the last attempt, sealed; null before the first and once the session has ended. */
  vendor_state: Uint8Array | null;
  /** Until then Continue leads to that page again; null if it would be of no use. */
  vendor_until: NullableMoment;
  /** Until then, one process is asking the vendor for a page. */
  opening_until: NullableMoment;
  /** Until then, one callback is asking the vendor for the outcome. */
  landing_until: NullableMoment;
  /** When the person was first sent to the vendor. */
  begun_at: NullableMoment;
  /** When the session is next checked, to release its end user once it has ended; null if nothing is open. */
  settle_at: NullableMoment;
  expires_at: Moment;
  completed_at: NullableMoment;
  failed_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

/** Status is never stored: it follows from these timestamps and the current consent (docs/resources.md#connection). */
export interface ConnectionsTable {
  id: RowId<'connection'>;
  account_record: OwnerId;
  provider: ProviderIdentifier;
  institution_id: string;
  institution_name: string;
  institution_logo: string | null;
  /** What was chosen before the link, where the sign-in brought another; null otherwise, and once that is settled. */
  chosen_institution_id: ColumnType<string | null, string | null | undefined, string | null>;
  chosen_institution_name: ColumnType<string | null, string | null | undefined, string | null>;
  /** When accounts were first listed; null means pending. */
  landed_at: NullableMoment;
  /** When the vendor last copied data from the bank; if it does not say, when accounts were last listed. */
  last_refreshed_at: NullableMoment;
  /** When accounts are next listed automatically. */
  refresh_at: Moment;
  /** The customer at the vendor; null for statement files, which have none. */
  end_user: string | null;
  /** When the grant was found to have been ended by the bank or vendor. */
  invalidated_at: NullableMoment;
  /** When the vendor was found to have lost its login at the bank; null once it works again. */
  login_lost_at: NullableMoment;
  /** When its owner requested a refresh that has not been passed on to the vendor yet. */
  refresh_asked_at: NullableMoment;
  /** When the vendor's last notification was, or will be, acted on. */
  signalled_at: NullableMoment;
  /** Identifies the last request to list the accounts, until a listing that began after it is stored; then null. */
  listing_asked: string | null;
  revoked_at: NullableMoment;
  /** When withdrawal was confirmed and only this row was left; it is deleted 30 days later. */
  cleaned_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

/**
 * The record of a consent outlives its connection, without the grant: it still shows what was granted and when it
 * ended. Exactly one consent of a connection is current.
 */
export interface ConsentsTable {
  id: RowId<'consent'>;
  account_record: OwnerId;
  connection: RowId<'connection'>;
  provider: ProviderIdentifier;
  current: boolean;
  /** SHA-256 of provider and vendor's consent id: one consent never makes two connections. */
  consent_hash: Uint8Array;
  /** ProviderGrant as JSON, sealed; null once withdrawal at the vendor is confirmed. */
  grant: Uint8Array | null;
  /** The customer who gave it, once the connection has passed to another; null if it is the connection's. */
  end_user: string | null;
  purpose: string | null;
  data_categories: string[];
  granted_at: Moment;
  expires_at: NullableMoment;
  /** When it ended before its time, here or at the bank. */
  withdrawn_at: NullableMoment;
  termination_reason: string | null;
  /** When the vendor was last asked. */
  checked_at: Moment;
  /** The status that the audit trail last recorded; a computed change is written when it is noticed. */
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

/** The audit trail: one row for each change of a consent's state and who caused it, never altered. */
export interface ConsentEventsTable extends ActorColumns {
  id: string;
  account_record: OwnerId;
  consent: RowId<'consent'>;
  kind: ConsentEventKind;
  status: ConsentStatus;
  reason: string | null;
  created: Moment;
}

/** What identifies an account, and no financial data (docs/resources.md#account). */
export interface AccountsTable {
  id: RowId<'account'>;
  account_record: OwnerId;
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
  /** What a positive balance of a loan or a card means; null if it was never in question. */
  balance_sign: BalanceSign | null;
  /** The owner's own name for it. */
  nickname: string | null;
  /** Whether the owner counts it in the totals of the web application. */
  in_totals: boolean;
  /** Since when it has been missing from a complete list; null means available. */
  unavailable_since: NullableMoment;
  /** When it was last in a complete list. */
  last_seen_at: Moment;
  created: Moment;
  updated: Moment;
}

/**
 * What is left of an account whose connection was deleted: its id, the sign of its balance and whether it counts, under
 * the keyed MAC; nothing readable. Linking the bank again within 90 days finds the id, so rows already delivered are recognised
 * instead of duplicated.
 */
export interface ReleasedAccountsTable {
  id: RowId<'account'>;
  account_record: OwnerId;
  provider: ProviderIdentifier;
  institution_id: string;
  number_mac: string;
  balance_sign: BalanceSign | null;
  in_totals: boolean;
  released_at: Moment;
}

/** Notifications of providers that were acted on. */
export interface ProviderNotificationsTable {
  /** SHA-256 of provider and the vendor's id of it. */
  hash: Uint8Array;
  received_at: Moment;
}

/** An id under which the account's bank lists several rows (platform/shared-row-ids.ts). */
export interface SharedRowIdsTable {
  account: RowId<'account'>;
  row_id: string;
}

/** Until when the provider asked for no further reads of this kind of the account. */
export interface VendorPausesTable {
  account: RowId<'account'>;
  what: string;
  since: Moment;
  until: Moment;
}

/** The latest reads of an account while its owner was away, by kind of read. */
export interface UnattendedReadsTable {
  account: RowId<'account'>;
  what: string;
  moments: Date[];
}

export interface LinkingTables {
  unattended_reads: UnattendedReadsTable;
  vendor_pauses: VendorPausesTable;
  shared_row_ids: SharedRowIdsTable;
  provider_notifications: ProviderNotificationsTable;
  end_users: EndUsersTable;
  link_sessions: LinkSessionsTable;
  connections: ConnectionsTable;
  consents: ConsentsTable;
  consent_events: ConsentEventsTable;
  accounts: AccountsTable;
  released_accounts: ReleasedAccountsTable;
}
