import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { ChosenKind, NotificationKind } from '../vocabulary/notification-kinds.ts';
import type { Moment } from './identity-tables.ts';

/** What a person chose for a kind; without a row, its defaults hold. */
export interface NotificationChoicesTable {
  user_id: RowId<'user'>;
  kind: ChosenKind;
  email: boolean;
  push: boolean;
  details: boolean;
}

/** From which amount a transaction is large to a member, in one sync or in all of the account record. */
export interface NotificationThresholdsTable {
  id: RowId<'notification_threshold'>;
  account_record: OwnerId;
  user_id: RowId<'user'>;
  /** Null for all syncs. */
  sync: RowId<'sync'> | null;
  /** ISO 4217 in lower case. */
  currency: string;
  /** Minor units. */
  amount: number;
  created: Moment;
}

/** A browser in which a person receives web push. */
export interface PushDevicesTable {
  id: RowId<'push_device'>;
  user_id: RowId<'user'>;
  /** SHA-256 of its endpoint: a browser belongs to the person who added it last. */
  endpoint_hash: Uint8Array;
  /** Sealed: endpoint and keys. */
  subscription: Uint8Array;
  /** What people call the browser; null if it did not say. */
  browser: string | null;
  created: Moment;
}

/** That a person is to be, or was, notified of a kind of thing about a subject. */
export interface NotificationsTable {
  id: RowId<'notification'>;
  account_record: OwnerId;
  user_id: RowId<'user'>;
  kind: NotificationKind;
  /** The row id of what it is about: of which resource follows from the kind. */
  subject: string;
  /** Whether the e-mail is still to be sent. */
  email: boolean;
  /** The browsers to which it is still to be sent. */
  devices: RowId<'push_device'>[];
  /** When it was last raised. */
  created: Moment;
}

/** That a member was notified of a transaction, by whichever sync reported it first. */
export interface NotifiedTransactionsTable {
  account_record: OwnerId;
  user_id: RowId<'user'>;
  /** Keyed, over the account and the id of the transaction. */
  mac: Uint8Array;
  created: Moment;
}

/** The key that identifies this service to push services (RFC 8292). */
export interface VapidKeysTable {
  id: string;
  /** Sealed: the 32 bytes of a P-256 private key. */
  private_key: Uint8Array;
}

export interface NotificationTables {
  notification_choices: NotificationChoicesTable;
  notification_thresholds: NotificationThresholdsTable;
  push_devices: PushDevicesTable;
  notifications: NotificationsTable;
  notified_transactions: NotifiedTransactionsTable;
  vapid_keys: VapidKeysTable;
}
