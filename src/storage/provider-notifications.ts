import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Connection } from './connections.ts';
import type { Db } from './database.ts';

/** Which of the notifications, by their hash, were already acted on; as hexadecimal text. */
export async function knownNotifications(
  db: Db,
  hashes: readonly Uint8Array[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectFrom('provider_notifications')
    .select('hash')
    .where('hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => Buffer.from(hash).toString('hex')));
}

/** Records that the notifications were acted on. */
export async function keepNotifications(db: Db, hashes: readonly Uint8Array[], now: Date): Promise<void> {
  if (hashes.length === 0) return;
  await db
    .insertInto('provider_notifications')
    .values(hashes.map((hash) => ({ hash, received_at: now })))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Deletes those that their vendor no longer repeats. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('provider_notifications').where('received_at', '<', before).execute();
}

export type SignalledConnection = Pick<Connection, 'id' | 'account_record' | 'provider'>;

/** How a vendor identifies a connection in a notification. */
export type SignalledBy =
  | { readonly consentHash: Buffer }
  | { readonly customerHash: Buffer }
  | { readonly upstreamId: string };

/** Many account records may have one account, each in few connections. */
const MOST = 1_000;

/** Connections of any owner, not revoked, that a notification of their provider is about. */
export async function connectionsOfSignal(
  db: Db,
  provider: ProviderIdentifier,
  by: SignalledBy,
): Promise<SignalledConnection[]> {
  return db
    .selectFrom('connections')
    .select(['id', 'account_record', 'provider'])
    .where('provider', '=', provider)
    .where('revoked_at', 'is', null)
    .where('id', 'in', idsOf(db, provider, by))
    .orderBy('id')
    .limit(MOST)
    .execute();
}

function idsOf(db: Db, provider: ProviderIdentifier, by: SignalledBy) {
  if ('consentHash' in by) {
    return db
      .selectFrom('consents')
      .select('connection as id')
      .where('consent_hash', '=', by.consentHash)
      .where('grant', 'is not', null)
      .where('current', '=', true);
  }
  if ('upstreamId' in by) {
    return db
      .selectFrom('accounts')
      .select('connection as id')
      .where('provider', '=', provider)
      .where('upstream_id', '=', by.upstreamId);
  }
  return db
    .selectFrom('connections')
    .innerJoin('end_users', 'end_users.id', 'connections.end_user')
    .select('connections.id as id')
    .where('end_users.provider', '=', provider)
    .where('end_users.customer_hash', '=', by.customerHash);
}
